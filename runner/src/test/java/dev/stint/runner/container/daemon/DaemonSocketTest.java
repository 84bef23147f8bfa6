package dev.stint.runner.container.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DaemonSocketTest {
  @TempDir Path dir;

  @Test
  void theSocketThatWasAskedForWins() throws Exception {
    Path asked = Files.createFile(dir.resolve("asked"));
    Path host = Files.createFile(dir.resolve("host"));
    Map<String, String> environment = Map.of("DOCKER_HOST", "unix://" + host);
    assertThat(DaemonSocket.find(asked, environment)).isEqualTo(asked);
    assertThat(DaemonSocket.find(null, environment)).isEqualTo(host);
  }

  @Test
  void theMessageAboutAMissingSocketNamesItsSource() {
    assertThatThrownBy(() -> DaemonSocket.find(dir.resolve("none"), Map.of()))
        .isInstanceOf(DaemonSocket.NotFound.class)
        .hasMessageStartingWith("--container-socket: no such socket: ");
    assertThatThrownBy(() -> DaemonSocket.find(null, Map.of("DOCKER_HOST", "tcp://1.2.3.4:5")))
        .hasMessageContaining("DOCKER_HOST is tcp://1.2.3.4:5; only a socket on this machine");
  }
}
