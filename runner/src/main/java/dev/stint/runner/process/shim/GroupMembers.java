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
 * Which processes are in certain process groups beside their leaders. The kernel gives process IDs
 * in order, and says which was the last: each process is looked at once, soon after it was begun,
 * and again only if it was in one of the groups then.
 */
final class GroupMembers implements AutoCloseable {
  private static final Path LOAD = Path.of("/proc/loadavg");
  private static final int LINE_BYTES = 128;

  /** How many processes are looked at in one go. */
  private static final int MOST_LOOKED_AT = 2000;

  /**
   * How many of those that were not there when they were looked at are looked at again: most have
   * ended, but one may just be on its way into being.
   */
  private static final int MOST_UNSEEN = 4 + 2 * Runtime.getRuntime().availableProcessors();

  private final FileChannel load;
  private final ByteBuffer line = ByteBuffer.allocate(LINE_BYTES);
  private final Map<Integer, List<Integer>> byGroup = new HashMap<>();
  private final Deque<Integer> unseen = new ArrayDeque<>(MOST_UNSEEN);
  private int last;

  /** None yet; processes that there are already are in none. */
  GroupMembers() throws IOException {
    this.load = FileChannel.open(LOAD, StandardOpenOption.READ);
    skip();
  }

  /** Follows a group that has no members yet but its leader, whose process ID it has. */
  void follow(int group) {
    byGroup.put(group, new ArrayList<>(2));
  }

  void forget(int group) {
    byGroup.remove(group);
  }

  /** What was begun since the last look is in none of the groups. */
  void skip() {
    last = lastPid();
  }

  /**
   * Takes note of the processes begun since the last look.
   *
   * @return whether that could be told; else any group may have others
   */
  boolean look() {
    int before = last;
    last = lastPid();
    if (before == 0 || last < before || last - before > MOST_LOOKED_AT) {
      return false;
    }
    unseen.removeIf(this::look);
    for (int pid = before + 1; pid <= last; pid++) {
      if (!look(pid)) {
        lookAgain(pid);
      }
    }
    return true;
  }

  /** Whether there is such a process. */
  private boolean look(int pid) {
    int group = Posix.groupOf(pid);
    List<Integer> members = byGroup.get(group);
    if (members != null) {
      members.add(pid);
    }
    return group >= 0;
  }

  private void lookAgain(int pid) {
    if (unseen.size() == MOST_UNSEEN) {
      unseen.remove();
    }
    unseen.add(pid);
  }

  /** Whether a group that is followed has members beside its leader, as of the last look. */
  boolean anyIn(int group) {
    List<Integer> members = byGroup.get(group);
    if (members == null) {
      return true;
    }
    members.removeIf(pid -> pid == group || Posix.groupOf(pid) != group);
    return !members.isEmpty();
  }

  /** The ID of the process that was begun last on this machine; 0 where it doesn't tell. */
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
