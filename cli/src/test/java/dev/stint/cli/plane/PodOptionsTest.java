package dev.stint.cli.plane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.runner.process.user.InheritedNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PodOptionsTest {
  private static final PodOptions OPTIONS = new NodeOptions().pods(InheritedNames.ALL);

  @TempDir private Path directory;

  private @Nullable Path daemonOf(RuntimeKind runtime, Path socket) {
    return OPTIONS
        .withDaemon(runtime, Map.of("DOCKER_HOST", "unix://" + socket))
        .permissions()
        .containerSocket();
  }

  @Test
  void aDaemonIsTheSameByWhateverPathItIsFound() throws IOException {
    Path socket = Files.createFile(directory.toRealPath().resolve("docker.sock"));
    Path link = Files.createSymbolicLink(directory.resolve("link.sock"), socket);
    assertThat(daemonOf(RuntimeKind.container, link)).isEqualTo(socket);
    assertThat(daemonOf(RuntimeKind.container, directory.resolve("missing"))).isNull();
    assertThat(daemonOf(RuntimeKind.process, socket)).as("processes need none").isNull();
  }
}
