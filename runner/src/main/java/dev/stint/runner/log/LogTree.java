package dev.stint.runner.log;

import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The directory tree of logs: {@code <root>/<namespace>/<job or pod>/<pod>/} holds those of a pod's
 * containers.
 */
public record LogTree(Path root) {
  /** Returns the log directory of a pod, which need not exist yet. */
  public Path dir(KubeObject pod) {
    String job = pod.label(Names.JOB_NAME);
    String parent = job == null || job.isEmpty() ? pod.name() : job;
    return root.resolve(segment(pod.namespace()))
        .resolve(segment(parent))
        .resolve(segment(pod.name()));
  }

  /**
   * Finds the log directory of a pod by its name, even if the pod is gone, as long as it is kept.
   */
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
   * Returns a name as the name of a file. Names come from validated objects; a name that would lead
   * elsewhere is a fault of ours.
   */
  public static String segment(String name) {
    if (name.isEmpty() || name.startsWith(".") || name.indexOf('/') >= 0) {
      throw new IllegalArgumentException("\"" + name + "\" cannot be a file name");
    }
    return name;
  }
}
