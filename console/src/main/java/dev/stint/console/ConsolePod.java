package dev.stint.console;

import dev.stint.jobs.attempts.ContainerAttemptView;
import dev.stint.jobs.attempts.PodAttempts;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is kept of a pod of a Job while somebody looks at it. Small, as there may be 100,000.
 *
 * @param job the uid of the Job; empty where nobody knows
 * @param index null where the Job has none
 * @param attempts how often it was run: once, and as often as it was restarted
 * @param finished when it had ended; null where it has not, or nobody knows
 * @param told the attempt that tells why it failed or waits; null where there is none to tell of
 */
record ConsolePod(
    String uid,
    String job,
    String name,
    @Nullable Integer index,
    IndexCell state,
    int attempts,
    @Nullable Instant finished,
    @Nullable ContainerAttemptView told) {

  /** Reads a pod; null where it is of another Job's name. */
  static @Nullable ConsolePod of(KubeObject pod, String jobName) {
    String current = pod.label(Names.JOB_NAME);
    String label = current == null ? pod.label(Names.LEGACY_JOB_NAME) : current;
    String owner = pod.controllerUid();
    if (!jobName.equals(label) || owner == null) {
      return null;
    }
    List<ContainerAttemptView> attempts = PodAttempts.of(pod);
    IndexCell state = state(pod);
    boolean over = state == IndexCell.SUCCEEDED || state == IndexCell.FAILED;
    int runs = attempts.stream().mapToInt(each -> each.run() + 1).max().orElse(1);
    return new ConsolePod(
        pod.uid(),
        owner,
        pod.name(),
        attempts.getFirst().index(),
        state,
        runs,
        over ? finished(attempts) : null,
        told(state, attempts));
  }

  private static IndexCell state(KubeObject pod) {
    String phase = Objects.requireNonNullElse(Json.text(pod.status(), "phase"), "");
    return switch (phase) {
      case "Succeeded" -> IndexCell.SUCCEEDED;
      case "Failed" -> IndexCell.FAILED;
      default ->
          pod.deletionTimestamp() != null
              ? IndexCell.STOPPED
              : phase.equals("Running") ? IndexCell.RUNNING : IndexCell.WAITING;
    };
  }

  /**
   * What is written down of a pod that is gone.
   *
   * @param attempts of its containers, one at least
   * @param sidecars containers whose end says nothing of the pod's
   */
  static ConsolePod gone(
      String uid, String job, List<ContainerAttemptView> attempts, Set<String> sidecars) {
    List<ContainerAttemptView> own =
        attempts.stream().filter(each -> !sidecars.contains(each.container())).toList();
    int last = own.stream().mapToInt(ContainerAttemptView::run).max().orElse(0);
    List<ContainerAttemptView> decisive = own.stream().filter(each -> each.run() == last).toList();
    IndexCell state =
        anyIs(ContainerAttemptView.State.FAILED, decisive)
            ? IndexCell.FAILED
            : anyIs(ContainerAttemptView.State.STOPPED, decisive)
                ? IndexCell.STOPPED
                : IndexCell.SUCCEEDED;
    ContainerAttemptView first = attempts.getFirst();
    return new ConsolePod(
        uid,
        job,
        first.pod(),
        first.index(),
        state,
        last + 1,
        finished(attempts),
        told(state, decisive));
  }

  private static boolean anyIs(
      ContainerAttemptView.State state, List<ContainerAttemptView> attempts) {
    return attempts.stream().anyMatch(each -> each.state() == state);
  }

  private static @Nullable Instant finished(List<ContainerAttemptView> attempts) {
    return attempts.stream()
        .map(ContainerAttemptView::finishedAt)
        .filter(Objects::nonNull)
        .max(Comparator.naturalOrder())
        .orElse(null);
  }

  private static @Nullable ContainerAttemptView told(
      IndexCell state, List<ContainerAttemptView> attempts) {
    return switch (state) {
      case FAILED -> last(attempts, ContainerAttemptView.State.FAILED);
      case WAITING ->
          attempts.stream()
              .filter(each ->
                  each.state() == ContainerAttemptView.State.WAITING && !each.reason().isEmpty())
              .findFirst()
              .orElse(null);
      default -> null;
    };
  }

  private static @Nullable ContainerAttemptView last(
      List<ContainerAttemptView> attempts, ContainerAttemptView.State state) {
    return attempts.stream()
        .filter(each -> each.state() == state)
        .reduce((_, last) -> last)
        .orElse(null);
  }

  /** Whether it has ended. */
  boolean over() {
    return counts() || state == IndexCell.STOPPED && finished != null;
  }

  /** Whether its end counts for something. */
  boolean counts() {
    return state == IndexCell.SUCCEEDED || state == IndexCell.FAILED;
  }
}
