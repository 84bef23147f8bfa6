package dev.stint.cli.documents;

import dev.stint.cli.CommandJvm;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;

/**
 * Creates directories that look like a checkout of the repository. Their {@code ./stint} runs the
 * classes under test without a build.
 */
final class Checkout {
  static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  private final Path directory;

  /**
   * @param directory the parent of the directories
   */
  Checkout(Path directory) {
    this.directory = directory;
  }

  /**
   * Creates one.
   *
   * @param name the name of the new directory
   */
  Path make(String name) throws IOException {
    Path made = Files.createDirectories(directory.resolve(name));
    Path stint = Files.writeString(made.resolve("stint"), launcher());
    Files.setPosixFilePermissions(stint, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path examples = Files.createDirectory(made.resolve("examples"));
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(ROOT.resolve("examples"), "*.yaml")) {
      for (Path file : files) {
        Files.copy(file, examples.resolve(file.getFileName()));
      }
    }
    return made;
  }

  /** An API gets any free port: other programs may use those that documents name. */
  private String launcher() {
    return """
    #!/usr/bin/env bash
    options=()
    before=
    for arg; do
      [[ $before == --listen ]] && arg=127.0.0.1:0
      options+=("$arg")
      before=$arg
    done
    [[ ${1-} == up && $* != *'--listen '* ]] && options+=(--listen 127.0.0.1:0)
    exec %s "${options[@]}"
    """
        .formatted("'" + String.join("' '", CommandJvm.command()) + "'");
  }

  /** Returns the environment of a shell in {@code checkout}; stint is on its PATH. */
  static Map<String, String> environment(Path checkout) {
    Map<String, String> environment = new HashMap<>(System.getenv());
    environment.keySet().removeIf(name -> name.startsWith("XDG_") || name.startsWith("STINT_"));
    environment.remove("KUBECONFIG");
    environment.put("PATH", checkout + ":" + environment.getOrDefault("PATH", "/usr/bin:/bin"));
    return environment;
  }
}
