package dev.stint.runner.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.KubeObject;
import dev.stint.runner.process.command.Posix;
import java.io.BufferedReader;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Processes that leave the group of their command end with it all the same. */
class DaemonsTest extends RunnerFixture {
  @Test
  void leftoverProcessesEndWithTheirCommand() throws Exception {
    live();
    add("a", "(trap '' TERM HUP; exec 3>$PIPE; echo ready >&3; sleep 1000) & read _ <$PIPE.go");
    try (BufferedReader pipe = openPipe("a")) {
      assertThat(pipe.readLine()).isEqualTo("ready");
      Files.writeString(dir.resolve("a.pipe.go"), "go\n");
      assertThat(pipe.readLine()).isNull();
    }
    cluster.whenPhase("a", "Succeeded").get();
  }

  @Test
  void aDaemonEndsWithItsPod() throws Exception {
    Life life = live();
    addWithDaemon("a", "setsid", "read _ <$PIPE.go");
    try (BufferedReader daemon = openPipe("a")) {
      assertThat(daemon.readLine()).isEqualTo("ready");
      Files.writeString(dir.resolve("a.pipe.go"), "go\n");
      cluster.whenPhase("a", "Succeeded").get();
      life.runtime.forget("uid-a").get();
      assertThat(daemon.readLine()).as("it ends").isNull();
    }
  }

  @Test
  void aDaemonThatOutlivedStintAndItsShimEndsWithTheNextStart() throws Exception {
    Life first = live();
    addWithDaemon("a", "setsid", "sleep 1000");
    try (BufferedReader daemon = openPipe("a")) {
      assertThat(daemon.readLine()).isEqualTo("ready");
      first.die();
      Posix.kill(-pid("a", 0), 9);
      cluster.remove("a");
      live();
      assertThat(daemon.readLine()).as("it ends").isNull();
    }
  }

  @Test
  void aDaemonOfAnExecCommandEndsWithThePod() throws Exception {
    Life life = live();
    add("a", READY_AND_WAIT);
    try (BufferedReader pipe = openPipe("a")) {
      assertThat(pipe.readLine()).isEqualTo("ready");
    }
    KubeObject pod = cluster.pod("a");
    List<String> argv = List.of("sh", "-c", daemon("setsid"));
    life.runtime.exec(pod, container(pod.tree()), argv, false).exitCode().get();
    try (BufferedReader daemon = openPipe("a")) {
      assertThat(daemon.readLine()).isEqualTo("ready");
      cluster.requestDeletion("a", 0);
      assertThat(daemon.readLine()).as("it ends").isNull();
    }
  }
}
