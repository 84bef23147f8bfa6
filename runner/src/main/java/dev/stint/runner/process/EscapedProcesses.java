package dev.stint.runner.process;

import dev.stint.cluster.Timers;
import dev.stint.runner.log.TerminationMessage;
import dev.stint.runner.proc.ProcessMemory;
import dev.stint.runner.proc.ProcessTable;
import dev.stint.runner.process.command.Posix;
import dev.stint.runner.runtime.Attempt;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends processes that outlived their pod because no shim was left to end them: daemons after {@code
 * kill -9}, or those of exec commands. All processes of a pod inherit the variable {@code
 * STINT_TERMINATION_LOG}, which names a file of the pod; a process that clears its environment is
 * not found, nor is one whose environment cannot be read, until it can.
 */
final class EscapedProcesses {
  private static final Logger LOG = LoggerFactory.getLogger(EscapedProcesses.class);

  /** The number of searches in a row; a process that is found may start another one. */
  private static final int SEARCHES = 10;

  /** Searches take at most one part in this number of the time. */
  private static final int REST = 50;

  /**
   * The longest time between two searches. One seems to take hours if the machine sleeps meanwhile,
   * or its clock is set.
   */
  static final Duration LONGEST_REST = Duration.ofMinutes(1);

  /**
   * A process, and the uid of the pod that it names.
   *
   * @param start its start, so that no other process with its number is killed
   */
  private record Marked(int pid, long start, String pod) {}

  private final String mark;
  private final Executor watcher;
  private final ProcessMemory memory;
  private final Supplier<Stream<Integer>> pids;
  private final Predicate<String> isOver;
  private final InstantSource clock;
  private final Timers timers;

  /** The number of searches in a row that are asked for, besides the one under way. */
  private int wanted;

  /** True from the request of a search to its end. */
  private boolean searching;

  private Duration rest = Duration.ZERO;
  private Instant next = Instant.EPOCH;

  /**
   * Creates an instance that has not searched yet.
   *
   * @param watcher runs kills, so that no pod begins or ends meanwhile
   * @param memory for searches alone; they take milliseconds
   * @param pids lists the processes of this machine
   * @param isOver true if the pod with a uid is over; asked by the watcher
   */
  EscapedProcesses(
      Path podsDir,
      Executor watcher,
      ProcessMemory memory,
      Supplier<Stream<Integer>> pids,
      Predicate<String> isOver,
      InstantSource clock,
      Timers timers) {
    this.mark = TerminationMessage.VARIABLE + "=" + podsDir + "/";
    this.watcher = watcher;
    this.memory = memory;
    this.pids = pids;
    this.isOver = isOver;
    this.clock = clock;
    this.timers = timers;
  }

  /** Ends the processes of pods that are over. */
  void end() {
    end(SEARCHES);
  }

  private synchronized void end(int searches) {
    wanted = Math.max(wanted, searches);
    if (wanted > 0 && !searching) {
      searching = true;
      Duration wait = shorter(Duration.between(clock.instant(), next), rest);
      if (wait.isPositive()) {
        timers.after(wait, this::search);
      } else {
        search();
      }
    }
  }

  private synchronized void search() {
    int searches = wanted;
    wanted = 0;
    Instant begin = clock.instant();
    try {
      memory
          .look(pids, this::marked, this::end)
          .whenComplete((seen, fault) -> onSearched(begin, seen, fault, searches));
    } catch (OutOfMemoryError noThread) { // There may be memory for all but a thread.
      onSearched(begin, null, noThread, searches);
    }
  }

  private void onSearched(
      Instant begin,
      ProcessMemory.@Nullable Seen<Marked> seen,
      @Nullable Throwable fault,
      int searches) {
    if (seen == null) {
      LOG.error("Cannot search for processes that outlived their pods", fault);
    } else if (!seen.found().isEmpty()) {
      watcher.execute(() -> kill(seen.found(), searches));
    }
    rest(begin, seen != null && seen.complete());
  }

  /** Rests for long after a search that took long, but not if it waited for a process only. */
  private synchronized void rest(Instant begin, boolean complete) {
    Instant now = clock.instant();
    if (complete) {
      rest = shorter(Duration.between(begin, now).multipliedBy(REST), LONGEST_REST);
    }
    next = now.plus(rest);
    searching = false;
    end(0);
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private void kill(List<Marked> found, int searches) {
    boolean killed = false;
    for (Marked each : found) {
      if (isOver.test(each.pod()) && isThere(each)) {
        LOG.info("Ending process {}, which was left by pod {}", each.pid(), each.pod());
        killed |= Posix.kill(each.pid(), Attempt.Signal.KILL.number()) >= 0;
      }
    }
    if (killed) {
      end(searches - 1);
    }
  }

  private static boolean isThere(Marked process) {
    return ProcessTable.startTime(process.pid()).equals(OptionalLong.of(process.start()));
  }

  /**
   * Returns a process that names a pod of ours. Its start is read before its environment, lest the
   * start is that of another process that has its number by then.
   */
  private Optional<Marked> marked(int pid, ProcessMemory.Reader reader) throws IOException {
    if (pod(reader.read(pid, ProcessMemory.Part.ENVIRONMENT)).isEmpty()) {
      return Optional.empty();
    }
    OptionalLong start = ProcessTable.startTime(pid);
    return start.isEmpty()
        ? Optional.empty()
        : pod(reader.read(pid, ProcessMemory.Part.ENVIRONMENT))
            .map(pod -> new Marked(pid, start.getAsLong(), pod));
  }

  /** Returns the uid of the pod that an environment names. */
  private Optional<String> pod(String environment) {
    String variables = "\0" + environment;
    int found = variables.indexOf("\0" + mark);
    if (found < 0) {
      return Optional.empty();
    }
    int begin = found + 1 + mark.length();
    int end = variables.indexOf('\0', begin);
    String path = end < 0 ? variables.substring(begin) : variables.substring(begin, end);
    return Optional.of(path.split("/", 2)[0]);
  }
}
