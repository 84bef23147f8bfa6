package dev.stint.runner.process.isolation;

import dev.stint.runner.process.command.Command;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The files that root trusts while it arranges a container: its programs, their libraries, the
 * system's own file systems, translations, and what gives names to users: files, and sockets of
 * name services, whose answers root's programs read. A pod of another user must not mount anything
 * over them, or root would run, or believe, what the pod has put there.
 */
final class TrustedPaths {
  /** Nothing is mounted at, above or below them. */
  private static final List<Path> TREES =
      Stream.of(
              "/bin /sbin /lib /lib32 /lib64 /libx32",
              "/usr/bin /usr/sbin /usr/lib /usr/lib32 /usr/lib64 /usr/libx32 /usr/libexec",
              "/usr/local/lib /usr/local/lib64",
              "/usr/share/locale /usr/share/locale-langpack",
              "/proc /sys /dev/null",
              "/etc/passwd /etc/group /etc/nsswitch.conf /etc/userdb /etc/yp.conf",
              "/run/nscd /run/nslcd /run/samba/winbindd /run/systemd /run/userdb /run/host/userdb",
              "/var/run/nscd /var/run/nslcd /var/run/samba/winbindd /var/run/systemd",
              "/var/lib/sss /var/lib/extrausers /var/lib/samba/winbindd_privileged /var/yp",
              "/var/lib/misc/passwd.db /var/lib/misc/group.db /var/db/passwd.db /var/db/group.db")
          .flatMap(line -> Stream.of(line.split(" ")))
          .map(Path::of)
          .flatMap(tree -> Stream.of(tree, real(tree)))
          .distinct()
          .toList();

  /** The dynamic linker's files begin with it. */
  private static final String LINKER = "/etc/ld.so";

  private TrustedPaths() {}

  /** A link may lead to them, as {@code /etc/nsswitch.conf} does on some systems. */
  private static Path real(Path tree) {
    try {
      return tree.toRealPath();
    } catch (IOException none) {
      return tree;
    }
  }

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
