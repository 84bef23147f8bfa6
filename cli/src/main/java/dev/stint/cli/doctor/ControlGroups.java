package dev.stint.cli.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The control groups that this program's user may divide among pods.
 *
 * @param version 2 or 1; 0 if there are none
 * @param own the name of this program's own group, such as {@code /user.slice/a.scope}
 * @param mayWrite the controllers of the own group that this user may divide
 * @param isShared true if other programs run in the own group
 * @param manager the controllers of the user's service manager; empty if the user has none
 */
record ControlGroups(
    int version,
    String own,
    Set<String> mayWrite,
    boolean isShared,
    Optional<Set<String>> manager) {
  private static final String SUBJECT = "control groups";
  private static final Path MOUNTED = Path.of("/sys/fs/cgroup");
  private static final Path SELF = Path.of("/proc/self");
  private static final String TOP = "/";

  /** The controllers that limits of pods need, and the one that limits their processes. */
  private static final List<String> KNOWN = List.of("cpu", "memory", "pids");

  private static final Set<String> NEEDED = Set.of("cpu", "memory");

  private static final String SCOPE = "systemd-run --user --scope -p Delegate=yes stint run …";

  /** Returns those of this machine. */
  static ControlGroups here() {
    try {
      int user = (int) Files.getAttribute(SELF, "unix:uid");
      Set<String> family =
          Stream.concat(Stream.of(ProcessHandle.current()), ProcessHandle.current().descendants())
              .map(process -> String.valueOf(process.pid()))
              .collect(Collectors.toSet());
      return of(MOUNTED, Files.readAllLines(SELF.resolve("cgroup")), user, family);
    } catch (IOException | UnsupportedOperationException elsewhere) {
      return new ControlGroups(0, TOP, Set.of(), false, Optional.empty()); // Not Linux.
    }
  }

  /**
   * Reads the groups.
   *
   * @param mounted the mount point of control groups, usually /sys/fs/cgroup
   * @param lines the lines of /proc/self/cgroup
   * @param user the number of this program's user
   * @param family the process IDs of this program and of what it has started
   */
  static ControlGroups of(Path mounted, List<String> lines, int user, Set<String> family) {
    if (!Files.exists(mounted.resolve("cgroup.controllers"))) {
      return separate(mounted, lines);
    }
    String name =
        lines.stream()
            .filter(line -> line.startsWith("0::"))
            .map(line -> line.substring("0::".length()))
            .findFirst()
            .orElse(TOP);
    boolean ownsAll = mayDivide(mounted);
    Path group = ownsAll ? mounted : mounted.resolve(name.substring(1));
    boolean isShared =
        !group.equals(mounted) && !family.containsAll(words(group.resolve("cgroup.procs")));
    return new ControlGroups(
        2,
        ownsAll ? TOP : name,
        mayDivide(group) ? controllers(group) : Set.of(),
        isShared,
        manager(mounted, user));
  }

  /** Version 1 has a hierarchy for each controller. */
  private static ControlGroups separate(Path mounted, List<String> lines) {
    Set<String> all =
        KNOWN.stream()
            .filter(each -> Files.isDirectory(mounted.resolve(each)))
            .collect(Collectors.toCollection(TreeSet::new));
    Set<String> mayWrite =
        all.stream()
            .filter(each ->
                Files.isWritable(mounted.resolve(each))
                    || Files.isWritable(ownOfVersion1(mounted, each, lines)))
            .collect(Collectors.toCollection(TreeSet::new));
    return new ControlGroups(all.isEmpty() ? 0 : 1, TOP, mayWrite, false, Optional.empty());
  }

  private static Path ownOfVersion1(Path mounted, String controller, List<String> lines) {
    Path top = mounted.resolve(controller);
    return lines.stream()
        .map(line -> line.split(":", 3))
        .filter(parts -> parts.length == 3 && List.of(parts[1].split(",")).contains(controller))
        .map(parts -> top.resolve(parts[2].substring(1)))
        .findFirst()
        .orElse(top);
  }

  private static Optional<Set<String>> manager(Path mounted, int user) {
    Path group = mounted.resolve("user.slice/user-%d.slice/user@%d.service".formatted(user, user));
    return Files.isDirectory(group) ? Optional.of(controllers(group)) : Optional.empty();
  }

  /**
   * True if this user may make groups in this one, move its own processes there, and limit them.
   */
  private static boolean mayDivide(Path group) {
    return Files.isWritable(group)
        && Files.isWritable(group.resolve("cgroup.procs"))
        && Files.isWritable(group.resolve("cgroup.subtree_control"));
  }

  private static Set<String> controllers(Path group) {
    return words(group.resolve("cgroup.controllers")).stream()
        .filter(KNOWN::contains)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static List<String> words(Path file) {
    try {
      return Stream.of(Files.readString(file).split("\\s+")).filter(w -> !w.isEmpty()).toList();
    } catch (IOException none) {
      return List.of();
    }
  }

  Finding finding() {
    return switch (version) {
      case 0 -> Finding.note(SUBJECT, "none", "mount them at " + MOUNTED + ", if this is Linux");
      case 1 -> versionOne();
      default -> versionTwo();
    };
  }

  private Finding versionOne() {
    String found = "version 1; this user may limit " + list(mayWrite);
    return mayWrite.containsAll(NEEDED)
        ? Finding.ok(SUBJECT, found)
        : Finding.note(
            SUBJECT,
            found,
            "run stint as root, or boot with systemd.unified_cgroup_hierarchy=1: version 1 is"
                + " delegated to no user");
  }

  private Finding versionTwo() {
    String group = own.equals(TOP) ? "at the top" : "in " + own;
    String found = "version 2; this user may limit %s %s".formatted(list(mayWrite), group);
    if (mayWrite.containsAll(NEEDED) && !isShared) {
      return Finding.ok(SUBJECT, found);
    }
    return Finding.note(
        SUBJECT,
        isShared && !mayWrite.isEmpty() ? found + ", where other programs run" : found,
        advice());
  }

  private String advice() {
    if (own.equals(TOP)) {
      return "let the container that this is write to " + MOUNTED;
    }
    Set<String> offered = manager.orElse(Set.of());
    if (manager.isEmpty()) {
      return "run stint as root, or as a service with Delegate=cpu memory pids (docs/operations.md)";
    }
    return offered.containsAll(NEEDED)
        ? "start it in a group of its own: " + SCOPE + "; a unit needs Delegate=yes"
        : "this user's manager has only %s; as root, write [Service] and Delegate=cpu memory pids to"
                .formatted(list(offered))
            + " /etc/systemd/system/user@.service.d/delegate.conf, then systemctl daemon-reload and"
            + " a new login; then "
            + SCOPE;
  }

  private static String list(Set<String> controllers) {
    return controllers.isEmpty()
        ? "nothing"
        : KNOWN.stream().filter(controllers::contains).collect(Collectors.joining(", "));
  }
}
