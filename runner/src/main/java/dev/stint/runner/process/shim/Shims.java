package dev.stint.runner.process.shim;

import dev.stint.model.item.ItemText;
import dev.stint.runner.process.command.AttemptDir;
import dev.stint.runner.process.command.Posix;
import dev.stint.runner.process.user.Surroundings;
import dev.stint.runner.runtime.Attempt;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pool of shims, which are the parents of containers' commands (shells, or their replacement,
 * see {@link ShimProgram}). Each is the leader of a session and process group of its own, and runs
 * one command after the other in it: starting a shell costs as much as starting a short command.
 *
 * <p>A shim is reused only if its command ended by itself and left nothing in the group; otherwise
 * the whole group is killed. All methods run on the watcher's thread.
 */
public final class Shims implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Shims.class);

  /** The largest number of idle shims, unless more were busy recently. */
  private static final int FEW_IDLE = 32;

  /**
   * The upper bound: each takes two descriptors here and some memory, and may never be used again.
   */
  private static final int MOST_IDLE = 256;

  /** The factor by which each command that ends ages the recent peak. */
  private static final double LESS = 0.999;

  private static final String SET_UMASK = "umask \"$1\" && shift && exec \"$@\"";

  private static final int REPORTS_AT_ONCE = 4096;

  /** The largest atomic write to a pipe (PIPE_BUF). */
  private static final int LONGEST_REQUEST = 4096;

  /** The end of a command. */
  public sealed interface End {
    /**
     * The shim reported the end.
     *
     * @param silent true if it is known that nothing was printed
     * @param stopped true if the shim was told to end, too, by a signal to its group or by a stop
     *     of all processes
     * @param left true if processes of the command could not be killed
     */
    record Reported(int code, boolean silent, boolean stopped, boolean left) implements End {
      /** Returns what the words behind the ID of a report say: the code, and marks. */
      static Reported of(String words) {
        List<String> parts = List.of(words.split(" "));
        return new Reported(
            Integer.parseInt(parts.getFirst()),
            parts.contains("silent"),
            parts.contains("stopped"),
            parts.contains("left"));
      }
    }

    /** The shim ended, too. It has not been reaped elsewhere unless there is no status. */
    record WithShim(Optional<Posix.WaitStatus> status) implements End {}
  }

  /** A shim and its state. */
  private static final class Shim {
    private final int pid;
    private final int requests;
    private final Surroundings surroundings;
    private long id;

    private boolean spoiled;
    private @Nullable Consumer<End> task;

    private Shim(int pid, int requests, Surroundings surroundings) {
      this.pid = pid;
      this.requests = requests;
      this.surroundings = surroundings;
    }
  }

  private final ProcessWatcher watcher;
  private final Spawner spawner;
  private final ShimProgram program;
  private final String bootId;
  private final Path podsDir;
  private final String owner = UUID.randomUUID().toString();
  private final Map<Integer, Shim> shims = new HashMap<>();
  private final Map<Long, Shim> busy = new HashMap<>();
  private final Deque<Shim> idle = new ArrayDeque<>();
  private final GroupMembers members = new GroupMembers();
  private final Posix.Pipe reports;
  private final StringBuilder unread = new StringBuilder();

  /** True if the machine reports the last started process. */
  private boolean countable = true;

  private long lastId;

  /** The recent peak of busy shims: as many may be needed again at once. */
  private double busiest;

  /**
   * Starts without shims.
   *
   * @param program the program of each shim
   * @param podsDir the directory that holds the directories of all attempts
   */
  public Shims(
      ProcessWatcher watcher, Spawner spawner, ShimProgram program, String bootId, Path podsDir)
      throws IOException {
    this.watcher = watcher;
    this.spawner = spawner;
    this.program = program;
    this.bootId = bootId;
    this.podsDir = podsDir;
    this.reports = Posix.pipe();
    watcher.execute(() -> watcher.listen(reports.read(), this::read));
  }

  /**
   * Runs a command.
   *
   * @param dir the directory of the attempt
   * @param spare the directory to make it from; empty if it exists
   * @param script the script to run, see {@link ShimScript}
   * @param alone true if its shim is to run nothing after it
   * @param surroundings the environment and umask of the command
   * @param ended called once; not before this method has returned
   * @return the process group, or a negated errno
   */
  public int run(
      AttemptDir dir,
      Optional<Path> spare,
      String script,
      boolean alone,
      Surroundings surroundings,
      Consumer<End> ended)
      throws IOException {
    if (busy.isEmpty()) {
      members.skip();
    }
    long id = ++lastId;
    byte[] request = request(id, dir, spare, script);
    while (true) {
      Shim used = takeIdle(surroundings);
      boolean fresh = used == null;
      Shim shim = used == null ? start(surroundings) : used;
      if (shim.pid < 0) {
        return shim.pid;
      }
      shim.id = id;
      shim.task = ended;
      shim.spoiled = alone || !countable;
      busy.put(id, shim);
      int written = Posix.write(shim.requests, request);
      if (written == request.length) {
        return shim.pid;
      }
      busy.remove(id);
      shim.task = null;
      retire(shim);
      if (fresh) {
        return -Posix.EAGAIN;
      }
    }
  }

  /** Returns the shim that was idle for the shortest time in these surroundings; null for none. */
  private @Nullable Shim takeIdle(Surroundings surroundings) {
    for (Iterator<Shim> each = idle.iterator(); each.hasNext(); ) {
      Shim shim = each.next();
      if (shim.surroundings.sharesShimsWith(surroundings)) {
        each.remove();
        return shim;
      }
    }
    if (idle.size() >= FEW_IDLE) { // All are of other surroundings, which may not come back.
      retire(idle.removeLast());
    }
    return null;
  }

  private byte[] request(long id, AttemptDir dir, Optional<Path> spare, String script)
      throws IOException {
    String what = id + " " + inPods(dir.path());
    if (program.isCompiled()) {
      byte[] text = ItemText.bytes(script);
      String from = spare.map(this::inPods).orElse(".");
      byte[] head = (what + " " + text.length + " " + from + "\n").getBytes(StandardCharsets.UTF_8);
      if (head.length + text.length <= LONGEST_REQUEST) {
        return ByteBuffer.allocate(head.length + text.length).put(head).put(text).array();
      }
    }
    if (spare.isPresent()) {
      dir.createFrom(spare.get());
    }
    dir.write(script);
    return (what + "\n").getBytes(StandardCharsets.UTF_8);
  }

  private String inPods(Path path) {
    return podsDir.relativize(path).toString();
  }

  /** True if shims are compiled: then they also set variables whose names no shell can set. */
  public boolean areCompiled() {
    return program.isCompiled();
  }

  /** Marks a group that was signalled: what is left of it is unknown, so it is not reused. */
  public void spoil(int pid) {
    Shim shim = shims.get(pid);
    if (shim != null) {
      shim.spoiled = true;
    }
  }

  /** Closes the pool. Commands continue; their shims end with them. */
  @Override
  public void close() {
    shims.values().forEach(shim -> Posix.close(shim.requests));
    shims.clear();
    Posix.close(reports.read());
    Posix.close(reports.write());
    try {
      members.close();
    } catch (IOException fault) {
      LOG.debug("Cannot close a file descriptor: {}", fault.toString());
    }
  }

  private Shim start(Surroundings surroundings) throws IOException {
    Posix.Pipe requests = Posix.pipe();
    int before = members.lastPid();
    List<String> argv = withUmask(surroundings, program.argv(owner, bootId, podsDir));
    int pid = spawner.spawn(argv, surroundings.entries(), reports.write(), requests.read());
    Posix.close(requests.read());
    if (pid < 0) {
      Posix.close(requests.write());
      return new Shim(pid, -1, surroundings);
    }
    int after = members.lastPid();
    countable &= before > 0 && (after < before || (before < pid && pid <= after));
    Shim shim = new Shim(pid, requests.write(), surroundings);
    shims.put(pid, shim);
    members.follow(pid);
    watcher.watch(pid, () -> onShimEnd(shim));
    return shim;
  }

  /** Returns the arguments that start a shim, by a shell if it needs another umask. */
  private static List<String> withUmask(Surroundings surroundings, List<String> argv) {
    String umask = surroundings.otherUmask();
    if (umask == null) {
      return argv;
    }
    List<String> shell = new ArrayList<>(List.of("/bin/sh", "-c", SET_UMASK, "sh", umask));
    shell.addAll(argv);
    return shell;
  }

  private void read() {
    String text = new String(Posix.read(reports.read(), REPORTS_AT_ONCE), StandardCharsets.UTF_8);
    unread.append(text);
    updateMembers();
    for (int end = unread.indexOf("\n"); end >= 0; end = unread.indexOf("\n")) {
      String[] words = unread.substring(0, end).split(" ", 2);
      unread.delete(0, end + 1);
      Shim shim = busy.remove(Long.valueOf(words[0]));
      if (shim != null) {
        onCommandEnd(shim, End.Reported.of(words[1]));
      }
    }
  }

  private void onCommandEnd(Shim shim, End.Reported end) {
    busiest = Math.max(busy.size() + 1, LESS * busiest);
    boolean surplus = idle.size() >= Math.clamp(busiest, FEW_IDLE, MOST_IDLE);
    if (shim.spoiled || end.left() || surplus || members.hasMembers(shim.pid)) {
      retire(shim);
    } else {
      idle.push(shim);
    }
    complete(shim, end);
  }

  private static void complete(Shim shim, End end) {
    Consumer<End> task = shim.task;
    shim.task = null;
    if (task != null) {
      task.accept(end);
    }
  }

  /** Checks once for all commands that have ended so far. */
  private void updateMembers() {
    if (!members.update()) {
      busy.values().forEach(each -> each.spoiled = true);
    }
  }

  /** Kills the whole group. Its number is not reused until its leader is reaped. */
  private void retire(Shim shim) {
    members.forget(shim.pid);
    if (shims.remove(shim.pid) != null) {
      Posix.close(shim.requests);
    }
    Posix.kill(-shim.pid, Attempt.Signal.KILL.number());
  }

  private void onShimEnd(Shim shim) {
    idle.remove(shim);
    retire(shim);
    Optional<Posix.WaitStatus> status = Posix.await(shim.pid);
    busy.remove(shim.id, shim);
    complete(shim, new End.WithShim(status));
  }
}
