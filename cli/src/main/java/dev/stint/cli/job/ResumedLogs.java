package dev.stint.cli.job;

import dev.stint.cli.output.Console;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.jobs.ApiCalls;
import dev.stint.jobs.attempts.ContainerAttemptView;
import dev.stint.jobs.attempts.LogSource;
import dev.stint.jobs.attempts.PodAttempts;
import dev.stint.model.Kind;
import dev.stint.model.ObjectRef;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Logs of a cluster whose streams may break while they are followed, or end too soon: they are read
 * on from the last line, and a last time once the attempt has ended.
 */
final class ResumedLogs implements LogSource {
  /** The times that an API which is away is asked for a log whose attempt has ended. */
  static final int LAST_TRIES = 5;

  /**
   * How the API answers for a log that went with its pod, its container or its node. What was read
   * before is all of it then, unless a stream broke.
   */
  private static final Set<Reason> MAY_BE_GONE =
      Set.of(Reason.NOT_FOUND, Reason.BAD_REQUEST, Reason.INTERNAL);

  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

  /** Streams that broke together are read on at different times. */
  private static final int JITTER_MS = 2500;

  private final LogSource source;
  private final FollowedLogs.JobLocation place;
  private final Console console;

  /** True after a stream has broken, until one of them brings something. */
  private final AtomicBoolean isBroken = new AtomicBoolean();

  ResumedLogs(LogSource source, FollowedLogs.JobLocation place, Console console) {
    this.source = source;
    this.place = place;
    this.console = console;
  }

  @Override
  public void copy(
      ContainerAttemptView attempt,
      boolean latest,
      View view,
      @Nullable CompletableFuture<?> follow,
      Out out)
      throws IOException, InterruptedException {
    if (follow == null) {
      source.copy(attempt, latest, view, null, out);
      return;
    }
    Reading reading =
        new Reading(
            attempt, view, follow, new LogPosition(piece -> passOn(piece, out), view.timestamps()));
    boolean isWhole = reading.next(() -> latest);
    while (!isWhole) {
      reading.position.restart();
      isWhole = reading.next(() -> isLatest(attempt));
    }
    out.finish();
  }

  private void passOn(byte[] piece, Out out) throws IOException {
    isBroken.set(false);
    out.write(piece);
  }

  /** The streams of one log, one after the other. */
  private final class Reading {
    private final ContainerAttemptView attempt;
    private final View view;
    private final CompletableFuture<?> follow;
    private final LogPosition position;

    /** True if the last stream before the end of the attempt ended without a fault. */
    private boolean endedWell;

    private int lastTries = LAST_TRIES;

    Reading(
        ContainerAttemptView attempt,
        View view,
        CompletableFuture<?> follow,
        LogPosition position) {
      this.attempt = attempt;
      this.view = view;
      this.follow = follow;
      this.position = position;
    }

    /**
     * Reads one stream; true if the log has been read to its end. Only a stream that begins after
     * the end of the attempt tells: an earlier one may end before it, and lines come in between.
     */
    boolean next(BooleanSupplier latest) throws IOException, InterruptedException {
      boolean isLast = follow.isDone();
      try {
        source.copy(attempt, latest.getAsBoolean(), position.rest(view), follow, position);
        if (isLast) {
          return true;
        }
        endedWell = true;
        pause(follow);
      } catch (ClusterException fault) {
        if (isLast && endedWell && MAY_BE_GONE.contains(fault.reason())) {
          return true;
        }
        onFault(fault, isLast);
      }
      return false;
    }

    private void onFault(ClusterException fault, boolean isLast) throws InterruptedException {
      if (fault.reason() != Reason.UNAVAILABLE || isLast && --lastTries == 0) {
        throw fault;
      }
      tellBroken(fault);
      if (!isLast) {
        endedWell = false;
      }
      pause(isLast ? new CompletableFuture<>() : follow);
    }
  }

  private void tellBroken(ClusterException fault) {
    if (isBroken.compareAndSet(false, true)) {
      console.say(fault.getMessage() + "; reading on when the cluster answers");
    }
  }

  /** True if the container has not been started again since; a cluster keeps two runs' logs. */
  private boolean isLatest(ContainerAttemptView attempt) {
    ObjectRef pod = new ObjectRef(Kind.POD, place.namespace(), attempt.pod());
    int newest =
        PodAttempts.of(ApiCalls.await(place.cluster().get().get(pod))).stream()
            .filter(other -> other.container().equals(attempt.container()))
            .mapToInt(ContainerAttemptView::run)
            .max()
            .orElse(attempt.run());
    if (newest > attempt.run() + 1) {
      throw new ClusterException(
          Reason.NOT_FOUND,
          "the rest of this log is gone, since the container has started again twice");
    }
    return newest <= attempt.run();
  }

  /** Waits for the end of the attempt, but not for long. */
  private void pause(CompletableFuture<?> end) throws InterruptedException {
    CompletableFuture<@Nullable Void> due = new CompletableFuture<>();
    Duration most = LONGEST_PAUSE.minusMillis(place.randoms().get().nextInt(JITTER_MS));
    Runnable cancel = place.timers().after(most, () -> due.complete(null));
    try {
      CompletableFuture.anyOf(end, due).get();
    } catch (ExecutionException unreachable) {
      throw new IllegalStateException(unreachable);
    } finally {
      cancel.run();
    }
  }
}
