package dev.stint.simulation;

import dev.stint.engine.pod.PodView;
import dev.stint.model.KubeObject;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The law that a pod is ended for not having started only if its Job asks for it, the pod does not
 * run, and its time is over. (That each such pod is ended, Jobs show whose pods never start.)
 */
final class StartupLaws {
  static final String REASON = "StartupDeadlineExceeded";

  private final InstantSource clock;

  StartupLaws(InstantSource clock) {
    this.clock = clock;
  }

  /**
   * @param job the pod's; null if there is none
   */
  void changed(History.@Nullable Job job, KubeObject before, KubeObject after) {
    if (!isEnded(after) || isEnded(before)) {
      return;
    }
    Optional<Duration> limit = job == null ? Optional.empty() : Oracle.startupDeadline(job.object);
    require(limit.isPresent(), after, "is ended, though it may start at any time");
    require(
        Objects.requireNonNullElse(before.statusText("phase"), "Pending").equals("Pending"),
        after,
        "is ended as not started, though it was");
    require(before.deletionTimestamp() == null, after, "is ended though it is being deleted");
    Instant due =
        Objects.requireNonNull(after.creationTimestamp()).plus(limit.orElse(Duration.ZERO));
    require(!clock.instant().isBefore(due), after, "is ended before its startup deadline");
    if (job != null) {
      job.endedLate = true;
    }
  }

  private static boolean isEnded(KubeObject pod) {
    return REASON.equals(pod.statusText("reason"));
  }

  private static void require(boolean holds, KubeObject pod, String otherwise) {
    PodLaws.require(holds, PodView.of(pod), otherwise);
  }
}
