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
class ProcessRuntimeCompiledTest extends ProcessRuntimeTest {
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
}
