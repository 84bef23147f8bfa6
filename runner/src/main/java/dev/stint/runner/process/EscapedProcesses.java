package dev.stint.runner.process;

import dev.stint.cluster.Timers;
import dev.stint.runner.log.TerminationMessage;
import dev.stint.runner.proc.ProcessTable;
import dev.stint.runner.process.command.Posix;
import dev.stint.runner.runtime.Attempt;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends processes that outlived their pod because no shim was left to end them: daemons after {@code
 * kill -9}, or those of exec commands. All processes of a pod inherit the variable {@code
 * STINT_TERMINATION_LOG}, which names a file of the pod; a process that clears its environment is
 * not found.
 */
final class EscapedProcesses {
  private static final Logger LOG = LoggerFactory.getLogger(EscapedProcesses.class);

  /** The number of searches in a row; a process that is found may start another one. */
  private static final int SEARCHES = 10;

  /** Searches take at most one part in this number of the time. */
  private static final int REST = 50;

  /** A process, and the uid of the pod that it names. */
  record Marked(int pid, String pod) {}

  private final String mark;
  private final Executor watcher;
  private final Executor searcher;
  private final Predicate<String> isOver;
  private final InstantSource clock;
  private final Timers timers;
  private final AtomicBoolean queued = new AtomicBoolean();
  private volatile Instant next = Instant.EPOCH;

  /**
   * Creates an instance that has not searched yet.
   *
   * @param watcher runs kills, so that no pod begins or ends meanwhile
   * @param searcher runs searches, which take milliseconds
   * @param isOver true if the pod with a uid is over; asked by the watcher
   */
  EscapedProcesses(
      Path podsDir,
      Executor watcher,
      Executor searcher,
      Predicate<String> isOver,
      InstantSource clock,
      Timers timers) {
    this.mark = TerminationMessage.VARIABLE + "=" + podsDir + "/";
    this.watcher = watcher;
    this.searcher = searcher;
    this.isOver = isOver;
    this.clock = clock;
    this.timers = timers;
  }

  /** Ends the processes of pods that are over. */
  void end() {
    end(SEARCHES);
  }

  private void end(int searches) {
    if (searches > 0 && queued.compareAndSet(false, true)) {
      Duration wait = Duration.between(clock.instant(), next);
      if (wait.isPositive()) {
        timers.after(wait, () -> start(searches));
      } else {
        start(searches);
      }
    }
  }

  private void start(int searches) {
    try {
      searcher.execute(() -> searchAndKill(searches));
    } catch (RejectedExecutionException closed) {
      LOG.debug("Leaving processes of ended pods for the next start to end");
    }
  }

  private void searchAndKill(int searches) {
    queued.set(false);
    Instant begin = clock.instant();
    List<Marked> found = search();
    next = begin.plus(Duration.between(begin, clock.instant()).multipliedBy(REST));
    if (!found.isEmpty()) {
      watcher.execute(() -> kill(found, searches));
    }
  }

  private void kill(List<Marked> found, int searches) {
    boolean killed = false;
    for (Marked each : found) {
      if (isOver.test(each.pod()) && each.equals(marked(each.pid()).orElse(null))) {
        LOG.info("Ending process {}, which was left by pod {}", each.pid(), each.pod());
        killed |= Posix.kill(each.pid(), Attempt.Signal.KILL.number()) >= 0;
      }
    }
    if (killed) {
      end(searches - 1);
    }
  }

  /** Returns the processes that name a pod of ours. */
  private List<Marked> search() {
    return ProcessTable.pids().flatMap(pid -> marked(pid).stream()).toList();
  }

  private Optional<Marked> marked(int pid) {
    try {
      byte[] variables = Files.readAllBytes(Path.of("/proc/" + pid + "/environ"));
      return pod(new String(variables, StandardCharsets.UTF_8)).map(pod -> new Marked(pid, pod));
    } catch (IOException endedOrNotOurs) {
      return Optional.empty();
    }
  }

  /** Returns the uid of the pod that an environment names. */
  private Optional<String> pod(String environment) {
    if (!environment.contains(mark)) {
      return Optional.empty();
    }
    return Stream.of(environment.split("\0"))
        .filter(variable -> variable.startsWith(mark))
        .map(variable -> variable.substring(mark.length()).split("/", 2)[0])
        .findFirst();
  }
}
