package dev.stint.runner.log;

import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/**
 * Where logs are: {@code <root>/<namespace>/<job or pod>/<pod>/} has those of a pod's containers.
 */
public record LogTree(Path root) {
  /** Where the logs of a pod's containers are, or will be. */
  public Path dir(KubeObject pod) {
    String job = Objects.requireNonNullElseGet(pod.label(Names.JOB_NAME), pod::name);
    return root.resolve(segment(pod.namespace()))
        .resolve(segment(job))
        .resolve(segment(pod.name()));
  }

  /** The same of a pod that may be gone, by its name, as long as they are kept. */
  public Optional<Path> find(String namespace, String pod) throws IOException {
    Path jobs = root.resolve(segment(namespace));
    if (!Files.isDirectory(jobs, LinkOption.NOFOLLOW_LINKS)) {
      return Optional.empty();
    }
    try (DirectoryStream<Path> found = Files.newDirectoryStream(jobs)) {
      for (Path job : found) {
        Path dir = job.resolve(segment(pod));
        if (Files.isDirectory(dir)) {
          return Optional.of(dir);
        }
      }
    }
    return Optional.empty();
  }

  /**
   * A name as the name of a file. Names come from validated objects; one that would lead elsewhere
   * is a fault of ours.
   */
  public static String segment(String name) {
    if (name.isEmpty() || name.startsWith(".") || name.indexOf('/') >= 0) {
      throw new IllegalArgumentException("\"" + name + "\" can't be a file name");
    }
    return name;
  }
}
