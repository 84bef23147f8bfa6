package dev.stint.cli.job;

import dev.stint.cli.output.Console;
import dev.stint.cluster.ClusterException;
import dev.stint.jobs.ApiCalls;
import dev.stint.jobs.attempts.ContainerAttemptView;
import dev.stint.jobs.attempts.LogSource;
import dev.stint.jobs.attempts.PodAttempts;
import dev.stint.model.Kind;
import dev.stint.model.ObjectRef;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Logs of a cluster whose streams may break while they are followed, or end too soon: they are read
 * on from the last line, until the attempt has ended.
 */
final class ResumedLogs implements LogSource {
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
    LogPosition position = new LogPosition(piece -> passOn(piece, out), view.timestamps());
    boolean isWhole = read(attempt, () -> latest, view, follow, position);
    while (!isWhole) {
      position.restart();
      isWhole = read(attempt, () -> isLatest(attempt), view, follow, position);
    }
    out.finish();
  }

  private void passOn(byte[] piece, Out out) throws IOException {
    isBroken.set(false);
    out.write(piece);
  }

  /** Reads one stream, and waits after it; true if the log has been read to its end. */
  private boolean read(
      ContainerAttemptView attempt,
      BooleanSupplier latest,
      View view,
      CompletableFuture<?> follow,
      LogPosition position)
      throws IOException, InterruptedException {
    boolean isLast = follow.isDone();
    try {
      source.copy(attempt, latest.getAsBoolean(), position.rest(view), follow, position);
      return isLast || pause(follow);
    } catch (ClusterException broken) {
      if (isLast || broken.reason() != ClusterException.Reason.UNAVAILABLE) {
        throw broken;
      }
      if (isBroken.compareAndSet(false, true)) {
        console.say(broken.getMessage() + "; reading on when the cluster answers");
      }
      pause(follow);
      return false;
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
          ClusterException.Reason.NOT_FOUND,
          "the rest of this log is gone, since the container has started again twice");
    }
    return newest <= attempt.run();
  }

  /** Waits for the end of the attempt, but not for long; true if it has ended. */
  private boolean pause(CompletableFuture<?> end) throws InterruptedException {
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
    return end.isDone();
  }
}
