package dev.stint.cli.job;

import dev.stint.cli.output.Console;
import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.Timers;
import dev.stint.jobs.ApiCalls;
import dev.stint.jobs.Follower;
import dev.stint.jobs.JobChanges;
import dev.stint.jobs.JobItems;
import dev.stint.jobs.attempts.ContainerAttemptView;
import dev.stint.jobs.attempts.LogSource;
import dev.stint.jobs.attempts.PodAttempts;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.job.JobStatus;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Follows the logs of an unfinished Job. A thread of its own reads each attempt's log as soon as
 * its pod reports that it has started, until the Job has ended and all is read.
 */
public final class FollowedLogs {
  private static final Duration POLL_INTERVAL = Duration.ofMillis(200);

  /** The time to read what was written before a Job is left. */
  static final Duration LEAVE = Duration.ofSeconds(2);

  private final Console console;
  private final JobLocation place;
  private final LogSource source;
  private final LogSource resumed;
  private final LogSource.View view;
  private final AttemptOptions.Choice choice;
  private final Prefix prefix;
  private final CompletableFuture<@Nullable Void> done = new CompletableFuture<>();
  private final CompletableFuture<@Nullable Void> left = new CompletableFuture<>();
  private final Map<Run, CompletableFuture<Boolean>> ends = new HashMap<>();
  private final Map<@Nullable Integer, Set<Round>> rounds = new HashMap<>();
  private final List<CompletableFuture<?>> readers = new ArrayList<>();
  private boolean severalContainers;
  private volatile boolean incomplete;
  private volatile boolean endsWhenBroken;
  private final Object itemsLock = new Object();
  private Optional<JobItems> items = Optional.empty();
  private @Nullable String uid;

  private record Run(String pod, String container, int run) {}

  private record Round(String pod, int run) {}

  /**
   * The place of the Job.
   *
   * @param cluster returns its API; files are followed without one
   */
  public record JobLocation(
      Supplier<Cluster> cluster,
      String namespace,
      Timers timers,
      Supplier<RandomGenerator> randoms) {}

  /** Returns what the lines of an attempt begin with. */
  @FunctionalInterface
  public interface Prefix {
    /**
     * Returns the prefix, with a space at its end; empty for none.
     *
     * @param container true to name the container, since there are several
     */
    String of(ContainerAttemptView attempt, boolean container);
  }

  FollowedLogs(
      Console console,
      JobLocation place,
      LogSource source,
      LogSource.View view,
      AttemptOptions.Choice choice,
      Prefix prefix) {
    this.console = console;
    this.place = place;
    this.source = source;
    this.resumed = new ResumedLogs(source, place, console);
    this.view = view;
    this.choice = choice;
    this.prefix = prefix;
  }

  /**
   * Follows all logs of a Job that begins.
   *
   * @param job the name in the prefix; empty for none
   */
  public static FollowedLogs ofAll(
      Console console, JobLocation place, LogSource source, String job) {
    return new FollowedLogs(
        console,
        place,
        source,
        LogSource.View.of(false, null, null),
        AttemptOptions.Choice.ALL,
        (attempt, container) -> {
          String own = LogsCommand.prefix(attempt, container);
          return job.isEmpty() ? own : "[" + job + " " + own.substring(1);
        });
  }

  /** Leaves out the logs of attempts that have ended before. */
  public synchronized void skipEnded(List<ContainerAttemptView> attempts) {
    for (ContainerAttemptView attempt : attempts) {
      if (attempt.hasEnded()) {
        withNumber(attempt);
        ends.put(
            new Run(attempt.pod(), attempt.container(), attempt.run()),
            CompletableFuture.completedFuture(true));
      }
    }
  }

  /** Lets a stream that breaks end all, with its failure: the caller goes on from there. */
  void endWhenBroken() {
    endsWhenBroken = true;
  }

  /** Ends the logs, as if the Job had ended: what was written so far is still read. */
  public void stop() {
    done.complete(null);
  }

  /** Leaves a Job whose pods may go on: what was written so far is read, for a moment. */
  void leave() {
    Runnable _ = place.timers().after(LEAVE, () -> left.complete(null));
    done.complete(null);
  }

  /**
   * Follows a Job to its end.
   *
   * @param known its attempts so far
   */
  public void follow(String name, List<ContainerAttemptView> known)
      throws IOException, InterruptedException {
    ObjectRef ref = new ObjectRef(Kind.JOB, place.namespace(), name);
    KubeObject job = ApiCalls.await(place.cluster().get().get(ref));
    uid = job.uid();
    synchronized (itemsLock) {
      items = JobItems.readable(place.cluster().get(), job);
    }
    severalContainers = known.stream().map(ContainerAttemptView::container).distinct().count() > 1;
    JobListener ofJob = new JobListener();
    ofJob.onUpdate(job);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        Follower<KubeObject> pods =
            Follower.of(
                place.cluster().get(),
                Kind.POD,
                place.namespace(),
                place.timers(),
                place.randoms().get(),
                new PodListener(threads));
        Follower<KubeObject> jobs =
            Follower.ofObject(
                place.cluster().get(), ref, place.timers(), place.randoms().get(), ofJob)) {
      synchronized (this) {
        known.stream().filter(ContainerAttemptView::hasEnded).forEach(each -> read(each, threads));
      }
      pods.start();
      jobs.expect(job);
      jobs.start();
      pods.failure().thenAccept(done::completeExceptionally);
      jobs.failure().thenAccept(done::completeExceptionally);
      try {
        await(done);
        readRest(job, threads);
        await(CompletableFuture.anyOf(endAll(), left));
      } finally {
        endAll();
        threads.shutdownNow();
      }
    }
  }

  /** Reads the logs of pods that the watch has not reported yet: the Job's watch was faster. */
  private void readRest(KubeObject job, ExecutorService threads) {
    List<KubeObject> pods = JobChanges.pods(place.cluster().get(), job);
    PodListener last = new PodListener(threads);
    pods.forEach(last::onUpdate);
  }

  /** True if a log could not be read. */
  boolean isIncomplete() {
    return incomplete;
  }

  /** Finds the current attempts. */
  @FunctionalInterface
  interface Finder {
    List<ContainerAttemptView> find() throws IOException;
  }

  /**
   * Follows a Job by its files, as long as a process works on it.
   *
   * @param worker completes when that process has ended
   */
  void followFiles(Finder finder, CompletableFuture<?> worker)
      throws IOException, InterruptedException {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      try {
        boolean last = false;
        while (!last && !done.isDone()) {
          last = worker.isDone();
          readFound(finder.find(), threads);
          pause(worker);
        }
        if (done.isDone()) {
          await(done);
        }
        await(endAll());
      } finally {
        endAll();
        threads.shutdownNow();
      }
    }
  }

  /** Waits before the next look: nothing announces new files. */
  private static void pause(CompletableFuture<?> worker) throws InterruptedException {
    try {
      worker.get(POLL_INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException due) {
      // Time to look again.
    }
  }

  private synchronized void readFound(List<ContainerAttemptView> found, ExecutorService threads) {
    severalContainers = found.stream().map(ContainerAttemptView::container).distinct().count() > 1;
    found.stream()
        .map(ContainerAttemptView::runningIfUnknown)
        .filter(each -> each.state() != ContainerAttemptView.State.WAITING)
        .forEach(each -> read(each, threads));
  }

  /** Ends all logs: no attempt's end is reported any more. Completes when they are read. */
  @SuppressWarnings("FutureReturnValueIgnored") // One caller does not wait.
  private synchronized CompletableFuture<?> endAll() {
    ends.values().forEach(end -> end.complete(true));
    return CompletableFuture.allOf(readers.toArray(CompletableFuture[]::new));
  }

  private void await(CompletableFuture<?> future) throws IOException, InterruptedException {
    try {
      future.get();
    } catch (ExecutionException fault) {
      switch (fault.getCause()) {
        case IOException gone -> throw gone;
        case ClusterException refused -> throw refused;
        case null, default -> throw new IllegalStateException(fault.getCause());
      }
    }
  }

  private final class PodListener implements Follower.Listener<KubeObject> {
    private final ExecutorService threads;

    PodListener(ExecutorService threads) {
      this.threads = threads;
    }

    @Override
    public void onUpdate(KubeObject pod) {
      if (Objects.equals(uid, pod.controllerUid())) {
        synchronized (FollowedLogs.this) {
          PodAttempts.of(pod).stream()
              .filter(each -> each.state() != ContainerAttemptView.State.WAITING)
              .forEach(each -> read(each, threads));
        }
      }
    }

    @Override
    public void onDelete(KubeObject last) {
      onUpdate(last);
      synchronized (FollowedLogs.this) {
        ends.forEach((run, end) -> {
          if (run.pod().equals(last.name())) {
            end.complete(true);
          }
        });
      }
    }
  }

  private final class JobListener implements Follower.Listener<KubeObject> {
    @Override
    public void onUpdate(KubeObject job) {
      if (job.uid().equals(uid) && JobStatus.read(job.status()).isFinished()) {
        done.complete(null);
      }
    }

    @Override
    public void onDelete(KubeObject last) {
      if (last.uid().equals(uid)) {
        done.complete(null);
      }
    }
  }

  /** Starts to read an attempt's log, unless it is being read already, and notes its end. */
  private void read(ContainerAttemptView attempt, ExecutorService threads) {
    Run run = new Run(attempt.pod(), attempt.container(), attempt.run());
    CompletableFuture<Boolean> known = ends.get(run);
    if (known != null) {
      completeIfEnded(known, attempt);
      return;
    }
    CompletableFuture<Boolean> end = new CompletableFuture<>();
    ends.put(run, end);
    completeIfEnded(end, attempt);
    ContainerAttemptView numbered = withNumber(attempt);
    if (choice.of(List.of(numbered), Set.of()).isEmpty()) {
      return;
    }
    boolean containers = severalContainers;
    CompletableFuture<?> reader = new CompletableFuture<>();
    readers.add(reader);
    threads.execute(() -> {
      String start = prefix.of(named(numbered), containers);
      copy(numbered, end, new LinePrefixer(console.out(), start), reader);
    });
  }

  /** Adds what the index of an attempt works on; waits for the API. */
  private ContainerAttemptView named(ContainerAttemptView attempt) {
    synchronized (itemsLock) {
      return JobItems.named(attempt, items);
    }
  }

  private void copy(
      ContainerAttemptView attempt,
      CompletableFuture<Boolean> end,
      LinePrefixer out,
      CompletableFuture<?> reader) {
    try {
      boolean isResumed = source.mayBreakOff() && !endsWhenBroken;
      (isResumed ? resumed : source).copy(attempt, true, view, end, out);
      reader.complete(null);
    } catch (LinePrefixer.ReaderGone nobody) {
      done.completeExceptionally(nobody);
      reader.completeExceptionally(nobody);
    } catch (IOException | RuntimeException fault) {
      if (!left.isDone()) {
        onFault(attempt, fault);
      }
      reader.complete(null);
    } catch (InterruptedException interrupted) {
      reader.complete(null);
      Thread.currentThread().interrupt();
    }
  }

  private void onFault(ContainerAttemptView attempt, Exception fault) {
    if (endsWhenBroken && isBroken(fault)) {
      done.completeExceptionally(fault);
    } else {
      incomplete = true;
    }
    if (!done.isCompletedExceptionally()) {
      console.say(LogsCommand.prefix(attempt, false).strip() + " " + fault.getMessage());
    }
  }

  private static boolean isBroken(Exception fault) {
    return fault instanceof ClusterException broken
        && broken.reason() == ClusterException.Reason.UNAVAILABLE;
  }

  private static void completeIfEnded(
      CompletableFuture<Boolean> end, ContainerAttemptView attempt) {
    if (attempt.hasEnded()) {
      end.complete(true);
    }
  }

  private ContainerAttemptView withNumber(ContainerAttemptView attempt) {
    if (attempt.number() > 0) {
      rounds(attempt).add(new Round(attempt.pod(), attempt.run()));
      return attempt;
    }
    Set<Round> ofIndex = rounds(attempt);
    Round round = new Round(attempt.pod(), attempt.run());
    int number = ofIndex.add(round) ? ofIndex.size() : new ArrayList<>(ofIndex).indexOf(round) + 1;
    return attempt.withNumber(number);
  }

  private Set<Round> rounds(ContainerAttemptView attempt) {
    return rounds.computeIfAbsent(attempt.index(), _ -> new LinkedHashSet<>());
  }
}
