package dev.stint.runner.process.isolation;

import dev.stint.runner.process.command.Posix;
import dev.stint.runner.spec.ResourceLimits;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Enforces limits by control groups, version 2 or 1: a group for each attempt with limits, {@code
 * stint/<pod uid>/<container>.<attempt>}, in each hierarchy in use. Source: "Control Group v2" and
 * "Control Groups version 1" of the Linux kernel's documentation.
 */
final class Cgroups {
  private static final Logger LOG = LoggerFactory.getLogger(Cgroups.class);
  private static final String PERIOD_MICROS = String.valueOf(ResourceLimits.CPU_PERIOD_MICROS);
  private static final String OURS = "stint";
  private static final String OURS_ITSELF = "stint-main";
  private static final String OWN = "0::/";
  private static final String MEMBERS = "cgroup.procs";
  private static final String SUBTREE = "cgroup.subtree_control";
  private static final String CPU = "cpu";
  private static final String MEMORY = "memory";
  private static final List<String> CONTROLLERS = List.of(CPU, MEMORY);

  private static final Path MOUNTED = Path.of("/sys/fs/cgroup");
  private static final Path OWN_GROUPS = Path.of("/proc/self/cgroup");

  /** The parent directories of our groups, by controller; one for both in version 2. */
  private final Map<String, Path> parents;

  private final boolean unified;

  private Cgroups(Map<String, Path> parents, boolean unified) {
    this.parents = parents;
    this.unified = unified;
  }

  /**
   * The groups of an attempt.
   *
   * @param members the files that a process writes 0 to, to join
   * @param faults why a limit is not enforced, for each that the kernel refused
   */
  record Made(List<Path> members, List<String> faults) {}

  /** Sets a limit of a group. */
  private interface Limit {
    void set(Path group) throws IOException;
  }

  /** Returns the groups of this machine, as this program's user may use them. */
  static Cgroups here() {
    return Here.CGROUPS;
  }

  /** Detected once, at the first use. */
  private static final class Here {
    private static final Cgroups CGROUPS = find(MOUNTED, read(OWN_GROUPS).lines().toList());
  }

  /**
   * Detects the limits that are available.
   *
   * @param mounted the mount point of control groups, usually /sys/fs/cgroup
   * @param own the lines of /proc/self/cgroup
   */
  static Cgroups find(Path mounted, List<String> own) {
    return Files.exists(mounted.resolve("cgroup.controllers"))
        ? unified(mounted, own)
        : separate(mounted, own);
  }

  /** True if there is a group that can have this limit. */
  boolean canLimit(String controller) {
    return parents.containsKey(controller);
  }

  /** Returns the requested limits that cannot be enforced. */
  List<String> unmet(ResourceLimits limits) {
    List<String> unmet = new ArrayList<>();
    if (limits.cpuMillis() != null && !canLimit(CPU)) {
      unmet.add(CPU);
    }
    if (limits.memory() != null && !canLimit(MEMORY)) {
      unmet.add(MEMORY);
    }
    return unmet;
  }

  /** Makes the groups of an attempt. A limit that the kernel refuses takes no other limit away. */
  Made make(String podUid, String name, ResourceLimits limits) {
    Set<Path> members = new LinkedHashSet<>();
    List<String> faults = new ArrayList<>();
    Map<String, Limit> wanted = new LinkedHashMap<>();
    Long memory = limits.memory();
    if (memory != null) {
      wanted.put(MEMORY, group -> limitMemory(group, memory));
    }
    if (limits.cpuMillis() != null) {
      wanted.put(CPU, group -> limitCpu(group, limits.cpuQuotaMicros()));
    }
    wanted.keySet().retainAll(parents.keySet());
    wanted.forEach((controller, limit) -> {
      try {
        Path group = group(controller, podUid, name);
        limit.set(group);
        members.add(group.resolve(MEMBERS));
      } catch (IOException fault) {
        faults.add("limit of " + controller + ": " + fault.getMessage());
      }
    });
    return new Made(List.copyOf(members), faults);
  }

  /** True if the kernel killed a process of the attempt for lack of memory. */
  boolean wasOutOfMemory(String podUid, String name) {
    Path parent = parents.get(MEMORY);
    if (parent == null) {
      return false;
    }
    Path group = parent.resolve(podUid).resolve(name);
    Path events = group.resolve(unified ? "memory.events" : "memory.oom_control");
    try {
      return Files.readAllLines(events).stream()
          .anyMatch(line -> line.startsWith("oom_kill ") && !line.endsWith(" 0"));
    } catch (NoSuchFileException none) {
      return false;
    } catch (IOException fault) {
      LOG.warn(
          "Cannot read {}; an out-of-memory kill may go unnoticed: {}", events, fault.toString());
      return false;
    }
  }

  /**
   * Kills all processes in the groups of an attempt, and removes the groups.
   *
   * @return true if they are gone; processes take a moment to end
   */
  boolean remove(String podUid, String name) {
    boolean gone = true;
    for (Path parent : Set.copyOf(parents.values())) {
      gone &= remove(parent.resolve(podUid).resolve(name));
    }
    return gone;
  }

  /** Removes the groups of all attempts of a pod. */
  boolean remove(String podUid) {
    boolean gone = true;
    for (Path parent : Set.copyOf(parents.values())) {
      Path pod = parent.resolve(podUid);
      for (Path group : groups(pod)) {
        gone &= remove(group);
      }
      gone &= removeDirectory(pod);
    }
    return gone;
  }

  private Path group(String controller, String podUid, String name) throws IOException {
    Path pod = Objects.requireNonNull(parents.get(controller)).resolve(podUid);
    Path group = Files.createDirectories(pod.resolve(name));
    if (unified) {
      delegate(pod, parents.keySet());
    }
    return group;
  }

  private void limitMemory(Path group, long bytes) throws IOException {
    if (unified) {
      write(group, "memory.max", String.valueOf(bytes));
      write(group, "memory.oom.group", "1");
      writeIfThere(group, "memory.swap.max", "0");
    } else {
      write(group, "memory.limit_in_bytes", String.valueOf(bytes));
      writeIfThere(group, "memory.memsw.limit_in_bytes", String.valueOf(bytes));
    }
  }

  private void limitCpu(Path group, @Nullable Long quota) throws IOException {
    if (unified) {
      write(group, "cpu.max", (quota == null ? "max" : quota) + " " + PERIOD_MICROS);
    } else {
      write(group, "cpu.cfs_period_us", PERIOD_MICROS);
      write(group, "cpu.cfs_quota_us", String.valueOf(quota == null ? -1 : quota));
    }
  }

  /**
   * Kills all processes in a group, and removes it.
   *
   * @return true if it is gone
   */
  static boolean remove(Path group) {
    try {
      writeIfThere(group, "cgroup.kill", "1"); // All at once, whatever they start meanwhile.
      for (String pid : Files.readAllLines(group.resolve(MEMBERS))) {
        Posix.kill(Integer.parseInt(pid), 9);
      }
    } catch (NoSuchFileException none) {
      return true;
    } catch (IOException fault) {
      LOG.warn(
          "Cannot read the processes of {}, which are to be killed: {}", group, fault.toString());
    }
    return removeDirectory(group);
  }

  private static boolean removeDirectory(Path group) {
    return !Files.exists(group) || group.toFile().delete();
  }

  private static List<Path> groups(Path parent) {
    List<Path> groups = new ArrayList<>();
    try (DirectoryStream<Path> found = Files.newDirectoryStream(parent, Files::isDirectory)) {
      found.forEach(groups::add);
    } catch (NoSuchFileException none) {
      return List.of();
    } catch (IOException fault) {
      LOG.warn(
          "Cannot list the control groups in {}; leftover ones stay: {}", parent, fault.toString());
    }
    return groups;
  }

  /**
   * Finds the parents of version 1, which has a hierarchy for each controller: at the top, or in
   * this program's own group.
   */
  private static Cgroups separate(Path mounted, List<String> own) {
    Map<String, Path> parents = new LinkedHashMap<>();
    for (String controller : CONTROLLERS) {
      Path top = mounted.resolve(controller);
      if (Files.isDirectory(top)) {
        Stream.of(top.resolve(OURS), ownGroup(top, controller, own).resolve(OURS))
            .filter(Cgroups::tryMake)
            .findFirst()
            .ifPresent(parent -> parents.put(controller, parent));
      }
    }
    return new Cgroups(parents, false);
  }

  /** Returns this program's group in a hierarchy of version 1. */
  private static Path ownGroup(Path top, String controller, List<String> own) {
    return own.stream()
        .map(line -> line.split(":", 3))
        .filter(parts -> parts.length == 3 && List.of(parts[1].split(",")).contains(controller))
        .map(parts -> top.resolve(parts[2].substring(1)))
        .findFirst()
        .orElse(top);
  }

  /**
   * Finds the parent of version 2: for root, at the top; else in this program's own group, if that
   * is delegated and has no other processes; else next to it.
   */
  private static Cgroups unified(Path mounted, List<String> own) {
    Path group =
        own.stream()
            .filter(line -> line.startsWith(OWN) && line.length() > OWN.length())
            .map(line -> mounted.resolve(line.substring(OWN.length())))
            .findFirst()
            .orElse(mounted);
    Path outer = mounted;
    if (!Files.isWritable(mounted.resolve(SUBTREE)) && !group.equals(mounted)) {
      outer = emptied(group) ? group : Objects.requireNonNull(group.getParent());
    }
    Path parent = outer.resolve(OURS);
    Map<String, Path> parents = new LinkedHashMap<>();
    if (mayEnterFrom(outer) && tryMake(parent)) {
      delegateQuietly(outer);
      delegateQuietly(parent);
      String shared = read(parent.resolve("cgroup.controllers"));
      for (String controller : CONTROLLERS) {
        if (Set.of(shared.split(" ")).contains(controller)) {
          parents.put(controller, parent);
        }
      }
    }
    return new Cgroups(parents, true);
  }

  /**
   * Moves this program's processes out of its own group into one below, since a group with
   * processes cannot delegate controllers. True if the group is delegated to us and empty now.
   */
  private static boolean emptied(Path group) {
    Set<String> ours =
        Stream.concat(Stream.of(ProcessHandle.current()), ProcessHandle.current().descendants())
            .map(process -> String.valueOf(process.pid()))
            .collect(Collectors.toSet());
    List<String> members = read(group.resolve(MEMBERS)).lines().toList();
    Path main = group.resolve(OURS_ITSELF);
    if (members.isEmpty()
        || !ours.containsAll(members)
        || !Files.isWritable(group.resolve(SUBTREE))
        || !tryMake(main)) {
      return false;
    }
    try {
      for (String pid : members) {
        write(main, MEMBERS, pid);
      }
      return true;
    } catch (IOException refused) {
      LOG.debug("Cannot move processes to {}: {}", main, refused.toString());
      return false;
    }
  }

  /** True if processes may move between the groups in this one: a right of its owner. */
  private static boolean mayEnterFrom(Path group) {
    Path members = group.resolve(MEMBERS);
    return !Files.exists(members) || Files.isWritable(members);
  }

  /** True if the group exists, or was made, and groups can be made in it. */
  private static boolean tryMake(Path group) {
    return Files.isDirectory(group) ? Files.isWritable(group) : group.toFile().mkdir();
  }

  private static void delegate(Path group, Collection<String> controllers) throws IOException {
    write(group, SUBTREE, "+" + String.join(" +", controllers));
  }

  private static void delegateQuietly(Path group) {
    try {
      delegate(group, CONTROLLERS);
    } catch (IOException notOurs) {
      LOG.debug("Cannot delegate controllers in {}: {}", group, notOurs.toString());
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException none) {
      return "";
    }
  }

  private static void writeIfThere(Path group, String file, @Nullable String value)
      throws IOException {
    if (value != null && Files.exists(group.resolve(file))) {
      write(group, file, value);
    }
  }

  private static void write(Path group, String file, String value) throws IOException {
    Files.writeString(group.resolve(file), value);
  }
}
