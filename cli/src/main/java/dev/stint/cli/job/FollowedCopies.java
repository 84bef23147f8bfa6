package dev.stint.cli.job;

import dev.stint.cli.location.CopyFinder;
import dev.stint.cli.location.CopyOptions;
import dev.stint.cli.location.JobsTarget;
import dev.stint.cli.output.Console;
import dev.stint.cli.output.UserException;
import dev.stint.cluster.ClusterException;
import dev.stint.jobs.Follower;
import dev.stint.model.KubeObject;
import dev.stint.model.job.JobStatus;
import dev.stint.model.job.mirror.CopyLocation;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Follows the logs of a mirrored Job where its copy is. Waits until it has one, and until a worker
 * that does not answer is back. Goes on with the next copy if the Job moves to another worker.
 */
final class FollowedCopies implements Follower.Listener<KubeObject> {
  private static final Duration RETRY = Duration.ofSeconds(5);

  private final Console console;
  private final InstantSource clock;
  private final CopyOptions workers;
  private final Reader reader;

  /** The newest state of the Job. */
  private KubeObject job;

  private boolean isGone;
  private @Nullable ClusterException failure;

  /** The logs that are followed now, and the copy that they are of. */
  private @Nullable Round round;

  private String said = "";
  private String lastCopy = "";
  private @Nullable Instant broken;
  private boolean isIncomplete;

  private record Round(CopyLocation.Recorded copy, FollowedLogs logs) {}

  /** Makes and follows the logs of one copy. */
  interface Reader {
    /**
     * Prepares to follow the logs.
     *
     * @param since leaves out what was written before this time; null for nothing
     */
    FollowedLogs prepare(JobsTarget worker, @Nullable Instant since);

    /** Follows them to the copy's end. */
    void follow(JobsTarget worker, FollowedLogs logs) throws IOException, InterruptedException;
  }

  FollowedCopies(
      Console console, InstantSource clock, CopyOptions workers, KubeObject job, Reader reader) {
    this.console = console;
    this.clock = clock;
    this.workers = workers;
    this.job = job;
    this.reader = reader;
  }

  /**
   * Follows the logs until the Job, or its last copy, has ended.
   *
   * @param manager the place of the Job
   * @return false if another controller than a mirror took the Job, so that it has no copies
   */
  boolean follow(JobsTarget manager) throws IOException, InterruptedException {
    try (Follower<KubeObject> jobs =
        Follower.ofObject(manager.cluster(), job.ref(), manager.timers(), manager.random(), this)) {
      jobs.expect(job);
      jobs.start();
      jobs.failure().thenAccept(this::onFailure);
      CopyLocation.Recorded copy = awaitCopy();
      while (copy != null) {
        KubeObject seen = job();
        boolean hasEnded = follow(copy);
        if (hasEnded && !hasMovedFrom(copy)) {
          return true;
        }
        if (!hasEnded) {
          awaitNews(seen);
        }
        copy = awaitCopy();
      }
    }
    return isGone() || !(CopyLocation.of(job()) instanceof CopyLocation.NotMirrored);
  }

  /** True if a log could not be read to its end. */
  boolean isIncomplete() {
    return isIncomplete;
  }

  /** Follows the logs of one copy; false if its worker does not answer. */
  private boolean follow(CopyLocation.Recorded copy) throws IOException, InterruptedException {
    CopyFinder finder = workers.finder(job(), copy);
    try (@Nullable JobsTarget worker = finder.find().orElse(null)) {
      if (worker == null) {
        return waitFor(copy, finder);
      }
      if (!copy.uid().equals(lastCopy)) {
        sayNewCopy(copy);
        broken = null;
      }
      FollowedLogs logs = reader.prepare(worker, broken);
      logs.endWhenBroken();
      begin(new Round(copy, logs));
      try {
        reader.follow(worker, logs);
        return true;
      } catch (ClusterException fault) {
        return breakOff(copy, fault);
      } finally {
        end();
        isIncomplete |= logs.isIncomplete();
      }
    }
  }

  private boolean waitFor(CopyLocation.Recorded copy, CopyFinder finder) {
    if (!finder.isAnySilent() || isFinishedWith(copy)) {
      throw new UserException(finder.failure());
    }
    say(finder.failure() + "; waiting until it answers, or the Job moves to another worker");
    return false;
  }

  private void sayNewCopy(CopyLocation.Recorded copy) {
    if (!lastCopy.isEmpty()) {
      say("%s moved to %s, where it starts anew".formatted(job().name(), CopyFinder.title(copy)));
    }
    lastCopy = copy.uid();
  }

  /** Puts off what is left of the logs until the worker answers. */
  private boolean breakOff(CopyLocation.Recorded copy, ClusterException fault) {
    if (!fault.isTransient() || isFinishedWith(copy)) {
      throw fault;
    }
    broken = clock.instant();
    say("%s: %s; going on when it answers".formatted(CopyFinder.title(copy), fault.getMessage()));
    return false;
  }

  /** Waits for a copy; null if there will be none. */
  private synchronized CopyLocation.@Nullable Recorded awaitCopy() throws InterruptedException {
    while (true) {
      if (failure != null) {
        throw failure;
      }
      CopyLocation location = CopyLocation.of(job);
      if (isGone) {
        say(job.name() + " was deleted");
        return null;
      }
      if (location instanceof CopyLocation.Recorded copy) {
        return copy;
      }
      if (location instanceof CopyLocation.NotMirrored) {
        return null;
      }
      if (isFinished()) {
        throw new UserException(CopyOptions.noCopy(job, location));
      }
      say(CopyOptions.noCopy(job, location) + "; waiting");
      wait();
    }
  }

  /** Waits until the Job has changed, but not for long: its worker may be back. */
  private synchronized void awaitNews(KubeObject seen) throws InterruptedException {
    long end = System.nanoTime() + RETRY.toNanos();
    long left = RETRY.toMillis();
    while (left > 0 && job.equals(seen) && !isGone) {
      wait(left);
      left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
    }
  }

  private synchronized boolean isGone() {
    return isGone;
  }

  private synchronized KubeObject job() {
    return job;
  }

  private synchronized boolean isFinished() {
    return JobStatus.read(job.status()).isFinished();
  }

  /** True if the Job has ended with this copy, so that no other one follows. */
  private synchronized boolean isFinishedWith(CopyLocation.Recorded copy) {
    return isFinished() && isOf(job, copy);
  }

  private synchronized boolean hasMovedFrom(CopyLocation.Recorded copy) {
    return !isGone && !isOf(job, copy);
  }

  private static boolean isOf(KubeObject job, CopyLocation.Recorded copy) {
    return CopyLocation.of(job) instanceof CopyLocation.Recorded now
        && now.uid().equals(copy.uid());
  }

  private synchronized void begin(Round begun) {
    round = begun;
    stopIfMoved();
  }

  private synchronized void end() {
    round = null;
  }

  private void stopIfMoved() {
    Round now = round;
    if (now != null && (isGone || !isOf(job, now.copy()))) {
      now.logs().leave();
    }
  }

  @Override
  public synchronized void onUpdate(KubeObject update) {
    if (update.uid().equals(job.uid())) {
      job = update;
      stopIfMoved();
      notifyAll();
    }
  }

  @Override
  public synchronized void onDelete(KubeObject last) {
    if (last.uid().equals(job.uid())) {
      isGone = true;
      stopIfMoved();
      notifyAll();
    }
  }

  private synchronized void onFailure(ClusterException refused) {
    failure = refused;
    notifyAll();
  }

  /** Prints a line, unless it is the last one. */
  private void say(String line) {
    if (!line.equals(said)) {
      said = line;
      console.say(line);
    }
  }
}
