package dev.stint.runner.container.daemon;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds the socket of a daemon that speaks Docker's API. */
public final class DaemonSocket {
  private static final String UNIX = "unix://";

  private DaemonSocket() {}

  /** There is no socket; the message says where it was looked for, and what to do. */
  public static final class NotFound extends Exception {
    private static final long serialVersionUID = 1L;

    NotFound(String message) {
      super(message);
    }
  }

  /**
   * Returns the socket to use: the given one, or that of {@code DOCKER_HOST}, or the first of the
   * usual ones that exists.
   *
   * @param asked null if none was given
   */
  public static Path find(@Nullable Path asked, Map<String, String> environment) throws NotFound {
    if (asked != null) {
      return existing(asked, "--container-socket");
    }
    String host = environment.getOrDefault("DOCKER_HOST", "");
    if (!host.isEmpty()) {
      if (!host.startsWith(UNIX)) {
        throw new NotFound(
            "DOCKER_HOST is "
                + host
                + "; only a socket on this machine works (unix:///path), since volumes are here");
      }
      return existing(Path.of(host.substring(UNIX.length())), "DOCKER_HOST");
    }
    List<Path> usual = usual(environment);
    Optional<Path> found = usual.stream().filter(Files::exists).findFirst();
    return found.orElseThrow(() ->
        new NotFound(
            "no container daemon found at any of "
                + String.join(", ", usual.stream().map(Path::toString).toList())
                + "; start Docker or \"podman system service\", or name its socket with"
                + " --container-socket"));
  }

  private static Path existing(Path socket, String source) throws NotFound {
    if (!Files.exists(socket)) {
      throw new NotFound(
          source
              + ": no such socket: "
              + socket
              + "; is Docker, or \"podman system service\", running?");
    }
    return socket;
  }

  private static List<Path> usual(Map<String, String> environment) {
    List<Path> usual = new ArrayList<>();
    usual.add(Path.of("/var/run/docker.sock"));
    String own = environment.getOrDefault("XDG_RUNTIME_DIR", "");
    if (!own.isEmpty()) {
      usual.add(Path.of(own, "podman", "podman.sock"));
    }
    usual.add(Path.of("/run/podman/podman.sock"));
    return usual;
  }
}
