package dev.stint.runner.process.shim;

import dev.stint.runner.proc.ProcessTable;
import dev.stint.runner.process.command.Posix;
import dev.stint.runner.runtime.Attempt;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;

/**
 * Kills commands with all processes that they started, even those that left their process groups.
 * The shim of a command stays: orphaned processes become its children, so it ends what was started
 * meanwhile, and it records the outcome.
 *
 * <p>For the watcher's thread. Kills that are requested together share one scan of all processes.
 */
public final class CommandKill {
  private static final int KILL = Attempt.Signal.KILL.number();
  private static final int SIGCONT = 18;

  private final Executor watcher;
  private final Set<Integer> doomed = new LinkedHashSet<>();

  /**
   * Creates an instance without work.
   *
   * @param watcher runs tasks on the watcher's thread, after those that are there
   */
  public CommandKill(Executor watcher) {
    this.watcher = watcher;
  }

  /** Kills the command of a shim, which leads the process group. */
  public void kill(int group) {
    if (doomed.add(group) && doomed.size() == 1) {
      watcher.execute(this::killAll);
    }
  }

  /** Forgets a group that has ended, whose number may have another process soon. */
  public void forget(int group) {
    doomed.remove(group);
  }

  private void killAll() {
    List<Integer> groups = List.copyOf(doomed);
    doomed.clear();
    if (!groups.isEmpty()) {
      ProcessTable table = ProcessTable.read();
      groups.forEach(group -> kill(group, table));
    }
  }

  private static void kill(int group, ProcessTable table) {
    boolean refused = false;
    for (int pid : table.startedBy(group)) {
      refused |= Posix.kill(pid, KILL) == -Posix.EPERM;
    }
    // The command may have stopped its shim; and a shim waits for a command that cannot be killed.
    Posix.kill(refused ? -group : group, refused ? KILL : SIGCONT);
  }

  /**
   * Signals the members of a group but its shim and the program that the shim has started: that one
   * waits for the processes in a namespace of their own, and kills them if it ends first.
   */
  public static void signalNamespace(int group, int signal) {
    for (int pid : ProcessTable.read().membersBelow(group)) {
      Posix.kill(pid, signal);
    }
    Posix.kill(group, SIGCONT); // So that the shim does not wait for a signal to itself.
  }

  /** Kills the whole group of a shim, and all that descends from it. */
  public static void killWithShim(int group) {
    List<Integer> started = ProcessTable.read().startedBy(group);
    started.forEach(pid -> Posix.kill(pid, KILL));
    Posix.kill(-group, KILL);
  }
}
