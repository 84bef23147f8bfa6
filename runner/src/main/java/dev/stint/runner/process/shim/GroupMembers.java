package dev.stint.runner.process.shim;

import dev.stint.runner.process.command.Posix;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Tracks the members of certain process groups, besides their leaders. The kernel gives process IDs
 * in order, and reports the last one. So each process is checked once, soon after its start, and
 * again only if it was in one of the groups then.
 */
final class GroupMembers implements AutoCloseable {
  private static final Path LOAD = Path.of("/proc/loadavg");
  private static final int LINE_BYTES = 128;

  /** The largest number of processes to check in one pass. */
  private static final int MOST_CHECKED = 2000;

  /**
   * The number of processes to check again if they were not found: most have ended, but one may
   * just be starting.
   */
  private static final int MOST_UNSEEN = 4 + 2 * Runtime.getRuntime().availableProcessors();

  private final PidSequence pids = PidSequence.ofMachine();
  private final FileChannel load;
  private final ByteBuffer line = ByteBuffer.allocate(LINE_BYTES);
  private final Map<Integer, List<Integer>> byGroup = new HashMap<>();
  private final Deque<Integer> unseen = new ArrayDeque<>(MOST_UNSEEN);
  private int last;

  /** Starts without groups; existing processes are in none. */
  GroupMembers() throws IOException {
    this.load = FileChannel.open(LOAD, StandardOpenOption.READ);
    skip();
  }

  /** Follows a group without members but its leader, whose process ID it has. */
  void follow(int group) {
    byGroup.put(group, new ArrayList<>(2));
  }

  void forget(int group) {
    byGroup.remove(group);
  }

  /** Skips the processes that started since the last check: they are in none of the groups. */
  void skip() {
    last = lastPid();
  }

  /**
   * Records the processes that started since the last check.
   *
   * @return true if they are known; otherwise any group may have other members
   */
  boolean update() {
    int before = last;
    last = lastPid();
    if (before == 0 || last == 0) {
      return false;
    }
    int started = pids.distance(before, last);
    if (started > MOST_CHECKED) {
      return false;
    }
    unseen.removeIf(this::record);
    int pid = before;
    for (int n = 0; n < started; n++) {
      pid = pids.next(pid);
      if (!record(pid)) {
        recordLater(pid);
      }
    }
    return true;
  }

  /** True if the process exists. */
  private boolean record(int pid) {
    int group = Posix.groupOf(pid);
    List<Integer> members = byGroup.get(group);
    if (members != null) {
      members.add(pid);
    }
    return group >= 0;
  }

  private void recordLater(int pid) {
    if (unseen.size() == MOST_UNSEEN) {
      unseen.remove();
    }
    unseen.add(pid);
  }

  /** True if a followed group has members besides its leader, as of the last check. */
  boolean hasMembers(int group) {
    List<Integer> members = byGroup.get(group);
    if (members == null) {
      return true;
    }
    members.removeIf(pid -> pid == group || Posix.groupOf(pid) != group);
    return !members.isEmpty();
  }

  /** Returns the ID of the last process that started on this machine; 0 if unknown. */
  int lastPid() {
    try {
      line.clear();
      int length = load.read(line, 0);
      String text = new String(line.array(), 0, length, StandardCharsets.US_ASCII).strip();
      return Integer.parseInt(text.substring(text.lastIndexOf(' ') + 1));
    } catch (IOException | RuntimeException unknown) {
      return 0;
    }
  }

  @Override
  public void close() throws IOException {
    load.close();
  }
}
