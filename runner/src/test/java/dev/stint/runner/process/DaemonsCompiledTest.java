package dev.stint.runner.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.runner.process.shim.CompiledShim;
import dev.stint.runner.process.shim.ShimProgram;
import java.io.BufferedReader;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The same tests with the compiled shim instead of shells. */
class DaemonsCompiledTest extends DaemonsTest {
  @Override
  ShimProgram shim() {
    return CompiledShim.program();
  }

  @Test
  void aDaemonWithoutEnvironmentEndsBeforeTheEndIsReported() throws Exception {
    live();
    addWithDaemon("a", "env -i setsid", "read _ <$PIPE.go");
    try (BufferedReader daemon = openPipe("a")) {
      assertThat(daemon.readLine()).isEqualTo("ready");
      Files.writeString(dir.resolve("a.pipe.go"), "go\n");
      cluster.whenPhase("a", "Succeeded").get();
      assertThat(daemon.readLine()).as("it ends").isNull();
    }
  }

  @Test
  void aDaemonOfAPodThatHasToBeKilledEndsWithIt() throws Exception {
    Life life = live();
    addWithDaemon("a", "env -i setsid", "trap '' TERM; read _ <$PIPE.go; kill -STOP 0");
    try (BufferedReader daemon = openPipe("a")) {
      assertThat(daemon.readLine()).isEqualTo("ready");
      Files.writeString(dir.resolve("a.pipe.go"), "go\n");
      cluster.requestDeletion("a", 7);
      time.whenArmed(Duration.ofSeconds(7)).get();
      life.loop.submit(() -> {}).get(); // The container's own timer is armed right after the pod's.
      time.advance(Duration.ofSeconds(7));
      assertThat(daemon.readLine()).as("it ends").isNull();
      cluster.when("a", Objects::isNull).get();
    }
  }

  @Test
  void aCommandThatStartsProcessesFasterThanTheyAreKilledEnds() throws Exception {
    Life life = live();
    // Each process starts the next one and ends: for half a minute, should nothing end them.
    String chain = "exec perl -e 'while (time() - $^T < 30) { if (fork()) { exit } }'";
    add("a", "trap '' TERM; exec 3>$PIPE; echo ready >&3; (" + chain + ") & sleep 1000");
    try (BufferedReader pipe = openPipe("a")) {
      assertThat(pipe.readLine()).isEqualTo("ready");
      cluster.requestDeletion("a", 7);
      time.whenArmed(Duration.ofSeconds(7)).get();
      life.loop.submit(() -> {}).get(); // The container's own timer is armed right after the pod's.
      time.advance(Duration.ofSeconds(7));
      time.advanceOnceArmed(Duration.ofSeconds(2));
      assertThat(pipe.readLine()).as("it ends").isNull();
    }
    cluster.when("a", Objects::isNull).get();
  }
}
