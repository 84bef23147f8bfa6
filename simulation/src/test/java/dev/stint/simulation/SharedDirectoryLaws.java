package dev.stint.simulation;

import dev.stint.embedded.share.JobClaim;
import dev.stint.jobs.JobInterruption;
import dev.stint.jobs.RunAnnotations;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A Job is worked on only while a command has claimed it, or while it is to end. A command that
 * ends suspends its own Jobs, and nobody else's.
 */
final class SharedDirectoryLaws {
  /** The time in which a holder that knows of a loss still writes what was under way. */
  private static final Duration UNDER_WAY = Duration.ofSeconds(5);

  private final Supplier<Instant> clock;

  /** True for a pod that may be ended, whoever has claimed its Job. */
  private final Predicate<KubeObject> isToEnd;

  /** When each Job was last seen to be claimed, or worked on by right. */
  private final Map<String, Instant> claimed = new HashMap<>();

  /** The Jobs whose command was told to end, or has gone from an {@code up}. */
  private final Set<String> mayBeInterrupted = new HashSet<>();

  /** The Jobs that were marked as they were suspended; users leave the mark as it is. */
  private final Set<String> interrupted = new HashSet<>();

  private @Nullable AssertionError broken;

  /**
   * @param isToEnd true for a pod that may be ended, whoever has claimed its Job
   */
  SharedDirectoryLaws(Supplier<Instant> clock, Predicate<KubeObject> isToEnd) {
    this.clock = clock;
    this.isToEnd = isToEnd;
  }

  /** Throws the violation that was found, if there is one. */
  void hold() {
    if (broken != null) {
      throw broken;
    }
  }

  /** Records that a command has claimed a Job, or that a holder works on all. */
  void isClaimed(String key) {
    claimed.put(key, clock.get());
  }

  /** Records that a Job may be interrupted from now on. */
  void mayBeInterrupted(String key) {
    mayBeInterrupted.add(key);
  }

  /** True if a Job was interrupted by a command or an {@code up}, and nobody has resumed it. */
  boolean isInterrupted(KubeObject job) {
    return interrupted.contains(JobClaim.key(job.namespace(), job.name()));
  }

  /** Records a durable change, whenever it was made. */
  void note(@Nullable KubeObject before, @Nullable KubeObject after) {
    if (after == null || !after.kindName().equals("Job")) {
      return;
    }
    String key = JobClaim.key(after.namespace(), after.name());
    if (!JobInterruption.isInterrupted(after)) {
      interrupted.remove(key);
    } else if (isMarked(before, after)) {
      interrupted.add(key);
    }
  }

  private static boolean isMarked(@Nullable KubeObject before, KubeObject after) {
    return after.annotation(RunAnnotations.INTERRUPTED) != null
        && (before == null || before.annotation(RunAnnotations.INTERRUPTED) == null);
  }

  /** Checks a durable change. */
  void changed(@Nullable KubeObject before, @Nullable KubeObject after) {
    if (after != null && after.kindName().equals("Pod")) {
      onPod(before, after);
    } else if (after != null && before != null && after.kindName().equals("Job")) {
      onJob(before, after);
    }
  }

  private void onPod(@Nullable KubeObject before, KubeObject pod) {
    String start = startTime(pod);
    if (before == null) {
      // A holder that stands still may write later.
      requireClaim(pod, "is created", Objects.requireNonNull(pod.creationTimestamp()));
    } else if (start != null && startTime(before) == null && pod.deletionTimestamp() == null) {
      requireClaim(pod, "is started", Instant.parse(start));
    } else if (before.deletionTimestamp() == null
        && pod.deletionTimestamp() != null
        && !isToEnd.test(pod)) {
      requireClaim(pod, "is ended", clock.get());
    }
  }

  private static @Nullable String startTime(KubeObject pod) {
    return Json.text(pod.status(), "startTime");
  }

  private void requireClaim(KubeObject pod, String what, Instant then) {
    Instant last = claimed.getOrDefault(JobClaim.keyOfPod(pod), Instant.MIN);
    if (last.isBefore(then.minus(UNDER_WAY))) {
      fail("a pod " + what + ", though no command has claimed its Job: " + pod);
    }
  }

  private void onJob(KubeObject before, KubeObject after) {
    if (isMarked(before, after)
        && !mayBeInterrupted.contains(JobClaim.key(after.namespace(), after.name()))) {
      fail("a Job is interrupted, though its command was not told to end: " + after);
    }
  }

  private void fail(String what) {
    if (broken == null) {
      broken = new AssertionError(what);
    }
  }
}
