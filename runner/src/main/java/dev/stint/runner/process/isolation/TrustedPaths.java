package dev.stint.runner.process.isolation;

import dev.stint.runner.process.command.Command;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The files that root trusts while it arranges a container: its programs, their libraries, the
 * system's own file systems, translations, and what gives names to users. A pod of another user
 * must not mount anything over them, or root would run, or believe, what the pod has put there.
 */
final class TrustedPaths {
  /** Nothing is mounted at, above or below them. */
  private static final List<Path> TREES =
      Stream.of(
              "/bin /sbin /lib /lib32 /lib64 /libx32",
              "/usr/bin /usr/sbin /usr/lib /usr/lib32 /usr/lib64 /usr/libx32 /usr/libexec",
              "/usr/local/lib /usr/local/lib64",
              "/usr/share/locale /usr/share/locale-langpack",
              "/proc /sys /dev/null /run/nscd /run/systemd /var/run/nscd /var/run/systemd",
              "/etc/passwd /etc/group /etc/nsswitch.conf")
          .flatMap(line -> Stream.of(line.split(" ")))
          .map(Path::of)
          .toList();

  /** The dynamic linker's files begin with it. */
  private static final String LINKER = "/etc/ld.so";

  private TrustedPaths() {}

  /**
   * Checks the targets of mounts, as the pod names them or as the machine has them.
   *
   * @throws Command.NotStartable one of them is refused
   */
  static void check(List<BindMount> mounts) throws Command.NotStartable {
    for (BindMount mount : mounts) {
      if (isTrusted(mount.target().normalize())) {
        throw new Command.NotStartable(
            "mountPath \""
                + mount.target()
                + "\": a pod of another user cannot mount there, as root trusts the files at this"
                + " path; mount elsewhere");
      }
    }
  }

  private static boolean isTrusted(Path target) {
    return Path.of("/etc").equals(target)
        || target.toString().startsWith(LINKER)
        || TREES.stream().anyMatch(tree -> tree.startsWith(target) || target.startsWith(tree));
  }
}
