package dev.stint.cli.plane;

import dev.stint.cli.output.UserException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/**
 * Checks directories that pods may have as volumes and that are in one another. Pods of the outer
 * one can replace the inner one by a link, also before Stint starts again.
 */
final class NestedDirs {
  private NestedDirs() {}

  /**
   * Checks that no link within a directory leads to another one.
   *
   * @param dirs by the flags that name them
   * @throws UserException a link does
   */
  static void check(Map<String, Path> dirs) {
    dirs.forEach(
        (flag, dir) -> dirs.values().forEach(outer -> check(flag, absolute(dir), absolute(outer))));
  }

  private static void check(String flag, Path dir, Path outer) {
    Path real = real(dir);
    Path root = real(outer);
    for (Path above : new Path[] {outer, root}) {
      if (dir.startsWith(above) && !real.equals(root.resolve(above.relativize(dir)).normalize())) {
        throw new UserException(
            "%s: a link in it leads to %s; pods that have %s as a volume may have made it, so name %s itself, or remove the link"
                .formatted(flag, real, outer, real));
      }
    }
  }

  private static Path absolute(Path path) {
    return path.toAbsolutePath().normalize();
  }

  /** Returns a path with all links resolved, as far as it exists. */
  private static Path real(Path path) {
    try {
      return path.toRealPath();
    } catch (IOException missing) {
      Path parent = path.getParent();
      return parent == null ? path : real(parent).resolve(parent.relativize(path));
    }
  }
}
