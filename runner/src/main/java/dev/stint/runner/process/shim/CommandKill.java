package dev.stint.runner.process.shim;

import dev.stint.runner.proc.ProcessTable;
import dev.stint.runner.process.command.AttemptDir;
import dev.stint.runner.process.command.Posix;
import dev.stint.runner.runtime.Attempt;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;

/**
 * Kills commands with all processes that they started, even those that left their process groups.
 * The shim of a command stays: orphaned processes become its children, so it ends what was started
 * meanwhile, and it records the outcome.
 *
 * <p>For the watcher's thread. Kills that are requested together share one scan of all processes,
 * and so do signals.
 */
public final class CommandKill {
  private static final int KILL = Attempt.Signal.KILL.number();
  private static final int SIGCONT = 18;

  private final Executor watcher;
  private final Set<Integer> doomed = new LinkedHashSet<>();
  private final List<NamespaceSignal> signals = new ArrayList<>();

  /** A signal to a container with a process namespace of its own. */
  private record NamespaceSignal(int group, int number, AttemptDir attempt, Runnable missed) {
    /**
     * True if there is no command yet, only its namespace's first process, which ignores signals,
     * and the programs that it arranges the container by, which would fail by one.
     */
    boolean isTooEarly(ProcessTable table) {
      return table.startedByGrandchildren(group).stream()
          .allMatch(pid -> attempt.isArrangedBy(pid) || ProcessTable.hasEnded(pid));
    }

    void send(ProcessTable table) {
      for (int pid : table.membersBelow(group)) {
        Posix.kill(pid, number);
      }
      Posix.kill(group, SIGCONT); // So that the shim does not wait for a signal to itself.
    }
  }

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
    signals.removeIf(signal -> signal.group() == group);
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
   *
   * @param attempt what the group runs
   * @param missed called instead, later, if the container is still being arranged: nothing in it
   *     would end by the signal as its command does
   */
  public void signalNamespace(int group, int number, AttemptDir attempt, Runnable missed) {
    signals.add(new NamespaceSignal(group, number, attempt, missed));
    if (signals.size() == 1) {
      watcher.execute(this::signalAll);
    }
  }

  private void signalAll() {
    List<NamespaceSignal> all = List.copyOf(signals);
    signals.clear();
    if (!all.isEmpty()) {
      ProcessTable table = ProcessTable.read();
      for (NamespaceSignal each : all) {
        if (each.isTooEarly(table)) {
          each.missed().run();
        } else {
          each.send(table);
        }
      }
    }
  }

  /** Kills the whole group of a shim, and all that descends from it. */
  public static void killWithShim(int group) {
    List<Integer> started = ProcessTable.read().startedBy(group);
    started.forEach(pid -> Posix.kill(pid, KILL));
    Posix.kill(-group, KILL);
  }
}
