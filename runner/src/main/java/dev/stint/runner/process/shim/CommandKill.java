package dev.stint.runner.process.shim;

import dev.stint.runner.proc.ProcessTable;
import dev.stint.runner.process.command.AttemptDir;
import dev.stint.runner.process.command.Posix;
import dev.stint.runner.runtime.Attempt;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Signals the main processes of commands, and kills commands with all processes that they started,
 * even those that left their process groups. The shim of a command stays: orphaned processes become
 * its children, so it ends what was started meanwhile, and it records the outcome.
 *
 * <p>For the watcher's thread. Signals and kills that are requested together share one scan of all
 * processes.
 */
public final class CommandKill {
  private static final int KILL = Attempt.Signal.KILL.number();
  private static final int SIGCONT = 18;

  /**
   * A signal for the main process of a command.
   *
   * @param container null if the command has no process namespace of its own
   */
  private record Told(int group, int signal, @Nullable Container container) {}

  /**
   * What a group runs in a process namespace.
   *
   * @param missed called instead of a signal that comes too early
   */
  private record Container(AttemptDir attempt, Runnable missed) {
    /**
     * Returns the main process: a child of the namespace's first one, which ignores signals. Empty
     * if there is no command yet, but only the programs that arrange the container, which would
     * fail by a signal.
     */
    Optional<Integer> main(int group, ProcessTable table) {
      return first(table, group)
          .flatMap(waiting -> first(table, waiting))
          .flatMap(init ->
              table.childrenByAge(init).stream()
                  .filter(pid -> !attempt.isArrangedBy(pid) && !ProcessTable.hasEnded(pid))
                  .findFirst());
    }
  }

  private final Executor watcher;
  private final List<Told> told = new ArrayList<>();
  private final Set<Integer> doomed = new LinkedHashSet<>();
  private boolean scheduled;

  /**
   * Creates an instance without work.
   *
   * @param watcher runs tasks on the watcher's thread, after those that are there
   */
  public CommandKill(Executor watcher) {
    this.watcher = watcher;
  }

  /**
   * Signals the main process of a command, as a kubelet does: the others are told by the main
   * process, which may need them to save its work. The shim is told, too, so that it does not wait
   * to be (decision 58).
   *
   * @param group the process group that the shim leads
   */
  public void signal(int group, int signal) {
    told.add(new Told(group, signal, null));
    schedule();
  }

  /**
   * Signals the main process of a command that has a process namespace of its own: its shim has
   * started a program that waits for the first process of the namespace, which is the parent of the
   * main process. Neither must end before that.
   *
   * @param attempt what the group runs
   * @param missed called instead, later, if the container is still being arranged: nothing in it
   *     would end by the signal as its command does
   */
  public void signal(int group, int signal, AttemptDir attempt, Runnable missed) {
    told.add(new Told(group, signal, new Container(attempt, missed)));
    schedule();
  }

  /** Kills the command of a shim, which leads the process group. */
  public void kill(int group) {
    doomed.add(group);
    schedule();
  }

  /** Forgets a group that has ended, whose number may have another process soon. */
  public void forget(int group) {
    told.removeIf(signal -> signal.group() == group);
    doomed.remove(group);
  }

  private void schedule() {
    if (!scheduled) {
      scheduled = true;
      watcher.execute(this::carryOut);
    }
  }

  private void carryOut() {
    scheduled = false;
    List<Told> signals = List.copyOf(told);
    List<Integer> groups = List.copyOf(doomed);
    told.clear();
    doomed.clear();
    if (!signals.isEmpty() || !groups.isEmpty()) {
      ProcessTable table = ProcessTable.read();
      signals.forEach(each -> signal(each, table));
      groups.forEach(group -> kill(group, table));
    }
  }

  private static void signal(Told told, ProcessTable table) {
    int group = told.group();
    Container container = told.container();
    Optional<Integer> main = container == null ? first(table, group) : container.main(group, table);
    if (container != null && main.isEmpty()) {
      container.missed().run();
      return;
    }
    Posix.kill(group, told.signal());
    // It has ended, or could not be found for want of descriptors: then all of its group are told.
    Posix.kill(main.orElse(-group), told.signal());
  }

  private static Optional<Integer> first(ProcessTable table, int parent) {
    return table.childrenByAge(parent).stream().findFirst();
  }

  private static void kill(int group, ProcessTable table) {
    boolean refused = false;
    for (int pid : table.startedBy(group)) {
      refused |= Posix.kill(pid, KILL) == -Posix.EPERM;
    }
    // The command may have stopped its shim; and a shim waits for a command that cannot be killed.
    Posix.kill(refused ? -group : group, refused ? KILL : SIGCONT);
  }

  /** Kills the whole group of a shim, and all that descends from it. */
  public static void killWithShim(int group) {
    List<Integer> started = ProcessTable.read().startedBy(group);
    started.forEach(pid -> Posix.kill(pid, KILL));
    Posix.kill(-group, KILL);
  }
}
