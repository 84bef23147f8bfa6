package dev.stint.simulation;

import dev.stint.engine.pod.PodView;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The laws of which pods become a Job's own, and which cease to be. Users change owners as they
 * like; they mark what they do. All other changes are the controller's, or the garbage collector's
 * when a Job is deleted.
 */
final class OwnershipLaws {
  /** The annotation by which users mark their changes, each with another value. */
  static final String MARK = "example.com/changed-by";

  private final History history;

  OwnershipLaws(History history) {
    this.history = history;
  }

  /**
   * @param before null if the pod is new
   */
  static boolean isByUser(@Nullable KubeObject before, KubeObject after) {
    String mark = after.annotation(MARK);
    return mark != null && (before == null || !mark.equals(before.annotation(MARK)));
  }

  /**
   * @param after null if the pod was removed
   */
  void changed(KubeObject before, @Nullable KubeObject after) {
    if (isOfAnother(before)) {
      anothers(before, after);
    }
    if (after == null || isByUser(before, after)) {
      return;
    }
    String former = before.controllerUid();
    String owner = after.controllerUid();
    if (Objects.equals(former, owner)) {
      return;
    }
    require(former == null || owner == null, before, "passes from one controller to another");
    if (owner != null) {
      adopted(job(owner, after), before, after);
    } else if (history.jobs.containsKey(former) || !history.collectsGarbage) {
      released(job(former, before), before, after);
    }
  }

  /** True if the pod is neither a Job's nor without a controller. */
  private boolean isOfAnother(KubeObject pod) {
    return pod.controllerUid() != null && history.jobOf(pod) == null;
  }

  private void anothers(KubeObject before, @Nullable KubeObject after) {
    boolean deleted = after == null || after.deletionTimestamp() != null;
    require(
        !deleted
            || history.collectsGarbage
            || before.deletionTimestamp() != null
            || history.deletedByOthers.contains(before.uid()),
        before,
        "is another controller's and is deleted");
    require(
        after == null
            || isByUser(before, after)
            || after.finalizers().equals(before.finalizers())
                && (history.collectsGarbage || owners(after).equals(owners(before))),
        before,
        "is another controller's and is changed");
  }

  private History.Job job(@Nullable String uid, KubeObject pod) {
    History.Job job = history.jobs.get(Objects.requireNonNullElse(uid, ""));
    require(job != null, pod, "has a controller that is no Job");
    return Objects.requireNonNull(job);
  }

  /** The patch names the state that was decided on, and the Job is read in between. */
  private void adopted(History.Job job, KubeObject before, KubeObject after) {
    require(before.deletionTimestamp() == null, before, "is being deleted and is adopted");
    require(Selectors.matches(job.object, before), before, "is adopted, but does not match");
    require(!history.foreign(job), before, "is adopted by another's Job");
    require(revision(before) < job.deletedAt, before, "is adopted by a Job that is being deleted");
    require(after.finalizers().contains(Names.TRACKING_FINALIZER), before, "is adopted untracked");
    require(
        plus(before.finalizers(), Names.TRACKING_FINALIZER).equals(after.finalizers()),
        before,
        "loses a finalizer as it is adopted");
    require(
        plus(owners(before), job.object.uid()).equals(owners(after)),
        before,
        "loses an owner as it is adopted");
  }

  private void released(History.Job job, KubeObject before, KubeObject after) {
    boolean orphaned = job.deletedAt < Long.MAX_VALUE;
    if (orphaned) {
      return;
    }
    require(!Selectors.matches(job.object, before), before, "matches and is let go");
    require(before.deletionTimestamp() == null, before, "is being deleted and is let go");
    require(
        minus(before.finalizers(), Names.TRACKING_FINALIZER).equals(after.finalizers()),
        before,
        "is let go with other finalizers than its own");
    require(
        minus(owners(before), job.object.uid()).equals(owners(after)),
        before,
        "is let go with other owners than its own");
  }

  /** At rest no pod waits for its adoption or its release. */
  void checkRest() {
    for (History.Job job : history.jobs.values()) {
      boolean adopts =
          job.deletedAt == Long.MAX_VALUE && !job.status.isFinished() && !history.foreign(job);
      if (adopts) {
        history.pods.values().stream()
            .filter(pod -> pod.deletionTimestamp() == null)
            .forEach(pod -> rests(job, pod));
      }
    }
    untracked();
  }

  private static void rests(History.Job job, KubeObject pod) {
    boolean matches = Selectors.matches(job.object, pod);
    boolean ended =
        PodView.of(pod).hasStopped() && job.object.uid().equals(pod.label(Names.CONTROLLER_UID));
    boolean isOwned = pod.controllerUid() != null;
    require(isOwned || !matches || ended || job.decided(), pod, "is never adopted");
    require(!job.object.uid().equals(pod.controllerUid()) || matches, pod, "is never let go");
  }

  /** Once nothing changes any more, no pod without a controller is tracked. */
  void checkEnd() {
    untracked();
  }

  private void untracked() {
    for (KubeObject pod : history.pods.values()) {
      require(
          pod.controllerUid() != null || !pod.finalizers().contains(Names.TRACKING_FINALIZER),
          pod,
          "has no controller and keeps the finalizer");
    }
  }

  private static long revision(KubeObject pod) {
    return Long.parseLong(pod.resourceVersion());
  }

  private static List<String> owners(KubeObject pod) {
    return pod.tree()
        .at("/metadata/ownerReferences")
        .valueStream()
        .map(owner -> owner.path("uid"))
        .map(JsonNode::asString)
        .toList();
  }

  private static List<String> plus(List<String> list, String one) {
    List<String> more = new ArrayList<>(list);
    if (!list.contains(one)) {
      more.add(one);
    }
    return more;
  }

  private static List<String> minus(List<String> list, String one) {
    return list.stream().filter(each -> !each.equals(one)).toList();
  }

  private static void require(boolean holds, KubeObject pod, String otherwise) {
    if (!holds) {
      throw new AssertionError(
          "pod " + pod.name() + " " + otherwise + "\n  " + pod.metadata() + " " + pod.status());
    }
  }
}
