package dev.stint.runner.proc;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** The processes of this machine at one moment, as {@code /proc} shows them. */
public final class ProcessTable {
  private static final File PROC = new File("/proc");

  /** The place of the start time among the fields after the name. */
  private static final int START_TIME = 19;

  /**
   * A living process.
   *
   * @param start when it started, in ticks since the machine did
   */
  record Entry(int pid, int parent, int group, long start) {
    /** Parses {@code /proc/PID/stat}; empty for a process that has ended, reaped or not. */
    static Optional<Entry> parse(String stat) {
      // The name, in parentheses, may contain anything.
      String[] words = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ");
      int name = stat.indexOf(' ');
      return name < 0 || words.length <= START_TIME || "ZX".contains(words[0])
          ? Optional.empty()
          : Optional.of(
              new Entry(
                  Integer.parseInt(stat.substring(0, name)),
                  Integer.parseInt(words[1]),
                  Integer.parseInt(words[2]),
                  Long.parseLong(words[START_TIME])));
    }
  }

  private final List<Entry> entries;
  private final Map<Integer, List<Entry>> children = new HashMap<>();

  ProcessTable(List<Entry> entries) {
    this.entries = entries;
    entries.forEach(
        each -> children.computeIfAbsent(each.parent(), _ -> new ArrayList<>()).add(each));
  }

  /** Reads the table. */
  public static ProcessTable read() {
    return new ProcessTable(pids().flatMap(pid -> entry(pid).stream()).toList());
  }

  /** Returns the numbers of all processes. */
  public static Stream<Integer> pids() {
    String[] names = PROC.list((_, name) -> Character.isDigit(name.charAt(0)));
    return names == null ? Stream.empty() : Stream.of(names).map(Integer::valueOf);
  }

  /** True if a process has ended, reaped or not, or never was. */
  public static boolean hasEnded(int pid) {
    return entry(pid).isEmpty();
  }

  /**
   * Returns when a process started, in ticks since the machine did: with its number, that tells it
   * from all others. Empty if it has ended, reaped or not.
   */
  public static OptionalLong startTime(int pid) {
    return entry(pid).map(Entry::start).map(OptionalLong::of).orElse(OptionalLong.empty());
  }

  private static Optional<Entry> entry(int pid) {
    return Entry.parse(stat(pid));
  }

  /** Returns the fields of a process, which the kernel knows without its memory. */
  private static String stat(int pid) {
    try {
      return Files.readString(Path.of("/proc/" + pid + "/stat"), StandardCharsets.ISO_8859_1);
    } catch (IOException ended) {
      return "";
    }
  }

  /**
   * Returns the processes that a group's leader started, directly or not, and the other members of
   * its group.
   */
  public List<Integer> startedBy(int leader) {
    List<Integer> found = descendants(List.of(leader));
    entries.stream()
        .filter(each -> each.group() == leader && each.pid() != leader)
        .map(Entry::pid)
        .filter(pid -> !found.contains(pid))
        .forEach(found::add);
    return found;
  }

  private List<Integer> descendants(List<Integer> of) {
    List<Integer> found = new ArrayList<>();
    for (List<Integer> next = childrenOf(of); !next.isEmpty(); next = childrenOf(next)) {
      found.addAll(next);
    }
    return found;
  }

  private List<Integer> childrenOf(List<Integer> parents) {
    return parents.stream()
        .flatMap(parent -> children.getOrDefault(parent, List.of()).stream())
        .map(Entry::pid)
        .toList();
  }

  /**
   * Returns the children of a process, those that started first before others. The last ones may be
   * orphans that the process has adopted.
   */
  public List<Integer> childrenByAge(int parent) {
    return children.getOrDefault(parent, List.of()).stream()
        .sorted(Comparator.comparingLong(Entry::start).thenComparingInt(Entry::pid))
        .map(Entry::pid)
        .toList();
  }
}
