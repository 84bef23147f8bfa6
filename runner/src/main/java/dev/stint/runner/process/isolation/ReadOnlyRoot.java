package dev.stint.runner.process.isolation;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Selects the machine's mounts that are made read-only for {@code readOnlyRootFilesystem}: all but
 * the system's own, /proc, /sys and /dev, and the container's own mounts.
 */
final class ReadOnlyRoot {
  private static final List<Path> SYSTEM =
      List.of(Path.of("/proc"), Path.of("/sys"), Path.of("/dev"));

  /** The options that a mount keeps; the kernel holds on to some of them. */
  private static final List<String> KEPT = List.of("nosuid", "nodev", "noexec", "noatime");

  private ReadOnlyRoot() {}

  static boolean isSystem(Path path) {
    return SYSTEM.stream().anyMatch(path::startsWith);
  }

  /**
   * Returns lines {@code OPTIONS PATH} for the mounts to change.
   *
   * @param mountInfo the lines of /proc/self/mountinfo
   * @param mounts the container's own mounts; nothing at or below them is changed
   * @param root the container's root if it has one; its own contents are read-only already, but not
   *     the mounts further down
   */
  static List<String> lines(List<String> mountInfo, List<BindMount> mounts, @Nullable Path root) {
    Map<Path, String> found = new LinkedHashMap<>();
    for (String line : mountInfo) {
      String[] fields = line.split(" ");
      Path path = Path.of(plain(fields[4]));
      List<String> options = Arrays.asList(fields[5].split(","));
      boolean own = mounts.stream().anyMatch(mount -> path.startsWith(mount.target()));
      if (!own && !isSystem(path) && path.toString().indexOf('\n') < 0) {
        found.put(path, kept(options));
      }
    }
    List<String> lines = new ArrayList<>();
    found.forEach((path, options) -> {
      if (root == null) {
        lines.add(options + " " + path);
      } else if (path.getNameCount() > 1) {
        lines.add(options + " " + root.resolve(Path.of("/").relativize(path)));
      }
    });
    return lines;
  }

  private static String kept(List<String> options) {
    return "remount,bind,ro"
        + options.stream()
            .filter(KEPT::contains)
            .map(option -> "," + option)
            .collect(Collectors.joining());
  }

  private static String plain(String escaped) {
    return escaped
        .replace("\\040", " ")
        .replace("\\011", "\t")
        .replace("\\012", "\n")
        .replace("\\134", "\\");
  }
}
