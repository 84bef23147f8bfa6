package dev.stint.runner.container.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.stint.runner.container.DaemonProcesses;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class DaemonTest {
  @TempDir Path dir;

  @Test
  void aDaemonThatTakesARequestAndNeverAnswersIsGivenUp() throws Exception {
    Path socket = dir.resolve("silent.sock");
    try (ServerSocketChannel silent = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        Daemon daemon = new Daemon(socket, Duration.ofMillis(100))) {
      silent.bind(UnixDomainSocketAddress.of(socket));
      DaemonException given = catchThrowableOfType(DaemonException.class, daemon::version);
      assertThat(given.reason()).isEqualTo(DaemonException.Reason.AWAY);
      assertThat(given).hasMessageContaining("the daemon does not answer: no answer within");
    }
  }

  @Test
  void aMissingDaemonIsAway() {
    try (Daemon daemon = new Daemon(dir.resolve("none.sock"), Duration.ofMinutes(1))) {
      DaemonException given = catchThrowableOfType(DaemonException.class, daemon::version);
      assertThat(given.reason()).isEqualTo(DaemonException.Reason.AWAY);
    }
  }

  @Test
  void theControlGroupIdentifiesAContainersProcess() throws Exception {
    long self = ProcessHandle.current().pid();
    assertThat(DaemonProcesses.isOf(self, "no-such-container-id")).isFalse();
    assertThat(DaemonProcesses.isOf(0, "")).isFalse();
    assertThat(DaemonProcesses.isOf(self, "")).isTrue();
  }
}
