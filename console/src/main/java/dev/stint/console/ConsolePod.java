package dev.stint.console;

import dev.stint.jobs.attempts.ContainerAttemptView;
import dev.stint.jobs.attempts.PodAttempts;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import dev.stint.model.pod.PodPhase;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The state of one pod of a Job, kept while a client watches the Job. It is small, because a Job
 * may have 100,000 pods.
 *
 * @param job the uid of the Job; empty if unknown
 * @param index null if the pod has none
 * @param attempts counts the first start and all restarts
 * @param finished the time at which the pod ended; null if it has not, or if that is unknown
 * @param explained the attempt that explains why the pod failed or waits; null if there is nothing
 *     to explain
 */
record ConsolePod(
    String uid,
    String job,
    String name,
    @Nullable Integer index,
    IndexCell state,
    int attempts,
    @Nullable Instant finished,
    @Nullable ContainerAttemptView explained) {

  /** Reads a pod; returns null if it belongs to a Job of another name. */
  static @Nullable ConsolePod of(KubeObject pod, String jobName) {
    String current = pod.label(Names.JOB_NAME);
    String label = current == null ? pod.label(Names.LEGACY_JOB_NAME) : current;
    String owner = pod.controllerUid();
    if (!jobName.equals(label) || owner == null) {
      return null;
    }
    List<ContainerAttemptView> attempts = PodAttempts.of(pod);
    IndexCell state = state(pod);
    boolean ended = state == IndexCell.SUCCEEDED || state == IndexCell.FAILED;
    int runs = attempts.stream().mapToInt(each -> each.run() + 1).max().orElse(1);
    return new ConsolePod(
        pod.uid(),
        owner,
        pod.name(),
        attempts.getFirst().index(),
        state,
        runs,
        ended ? finished(attempts) : null,
        explained(state, attempts));
  }

  private static IndexCell state(KubeObject pod) {
    PodPhase phase = PodPhase.of(pod);
    return switch (phase) {
      case Succeeded -> IndexCell.SUCCEEDED;
      case Failed -> IndexCell.FAILED;
      case Pending, Running, Unknown ->
          pod.deletionTimestamp() != null
              ? IndexCell.STOPPED
              : phase == PodPhase.Running ? IndexCell.RUNNING : IndexCell.WAITING;
    };
  }

  /**
   * Returns a deleted pod, read from the records of its attempts.
   *
   * @param attempts the attempts of its containers, at least one
   * @param sidecars names of containers whose exit does not decide how the pod ended
   */
  static ConsolePod ofRecords(
      String uid, String job, List<ContainerAttemptView> attempts, Set<String> sidecars) {
    List<ContainerAttemptView> own =
        attempts.stream().filter(each -> !sidecars.contains(each.container())).toList();
    int last = own.stream().mapToInt(ContainerAttemptView::run).max().orElse(0);
    List<ContainerAttemptView> decisive = own.stream().filter(each -> each.run() == last).toList();
    IndexCell state =
        hasState(ContainerAttemptView.State.FAILED, decisive)
            ? IndexCell.FAILED
            : hasState(ContainerAttemptView.State.STOPPED, decisive)
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
        explained(state, decisive));
  }

  private static boolean hasState(
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

  private static @Nullable ContainerAttemptView explained(
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

  /** True if the pod has ended. */
  boolean hasEnded() {
    return isCounted() || state == IndexCell.STOPPED && finished != null;
  }

  /** True if the pod's end counts as a success or a failure. */
  boolean isCounted() {
    return state == IndexCell.SUCCEEDED || state == IndexCell.FAILED;
  }
}
