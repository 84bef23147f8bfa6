package dev.stint.jobs;

import dev.stint.jobs.attempts.ContainerAttemptView;
import dev.stint.jobs.attempts.ContainerAttemptView.State;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Explains why pods wait if their status has no message. A container that waits for a volume
 * reports only {@code ContainerCreating}; an event names what is missing.
 */
public final class WaitingPods {
  private static final String FAILED_MOUNT = "FailedMount";

  private WaitingPods() {}

  /**
   * Returns the attempts; each one that waits without a message gets the message of the pod's last
   * such event.
   *
   * @param events the events of the namespace; read only if such an attempt exists
   */
  public static List<ContainerAttemptView> explained(
      List<ContainerAttemptView> attempts, Supplier<List<KubeObject>> events) {
    if (attempts.stream().noneMatch(WaitingPods::isUnexplained)) {
      return attempts;
    }
    Map<String, JobEvent> last = new HashMap<>();
    for (KubeObject each : events.get()) {
      JobEvent event = JobEvent.of(each);
      if (event.warning() && event.reason().equals(FAILED_MOUNT)) {
        pod(each).ifPresent(pod -> last.merge(pod, event, WaitingPods::later));
      }
    }
    return attempts.stream().map(each -> explained(each, last)).toList();
  }

  private static ContainerAttemptView explained(
      ContainerAttemptView attempt, Map<String, JobEvent> last) {
    JobEvent event = isUnexplained(attempt) ? last.get(attempt.pod()) : null;
    return event == null ? attempt : attempt.withMessage(event.message());
  }

  private static boolean isUnexplained(ContainerAttemptView attempt) {
    return attempt.state() == State.WAITING && attempt.message().isEmpty();
  }

  private static JobEvent later(JobEvent one, JobEvent other) {
    return JobEvent.IN_ORDER.compare(one, other) > 0 ? one : other;
  }

  private static Optional<String> pod(KubeObject event) {
    return Optional.ofNullable(Json.objectAt(event.tree(), "involvedObject"))
        .filter(about -> "Pod".equals(Json.text(about, "kind")))
        .map(about -> Json.text(about, "name"));
  }
}
