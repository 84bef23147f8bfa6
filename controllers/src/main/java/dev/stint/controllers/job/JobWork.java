package dev.stint.controllers.job;

import dev.stint.cluster.Cluster;
import dev.stint.controllers.metrics.JobMetrics;
import dev.stint.engine.Decision;
import dev.stint.engine.JobView;
import dev.stint.engine.Ledger;
import dev.stint.engine.pod.PodView;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.index.IndexSet;
import dev.stint.model.job.JobCondition;
import dev.stint.model.job.JobStatus;
import dev.stint.model.job.PodFailurePolicy;
import dev.stint.model.job.PodFailurePolicy.Action;
import dev.stint.model.job.options.JobOptions;
import dev.stint.model.pod.PodPhase;
import dev.stint.reconcile.ClusterRequests;
import dev.stint.reconcile.EventAggregator;
import dev.stint.reconcile.FencedCluster;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;
import tools.jackson.databind.node.ObjectNode;

/**
 * A controller's working state of one Job: its known state, and the writes in flight. Used on the
 * controller's event loop only.
 */
final class JobWork {
  private KubeObject object;
  private JobView view;
  private JobStatus status;
  private @Nullable PodFactory factory;

  /** The size of the pod template as JSON; 0 if it is not known yet. */
  private int templateBytes;

  private final JobMetrics metrics;

  /** The API, which takes writes for as long as this process may decide the Job. */
  final FencedCluster api;

  final Ledger ledger;

  /** Uids of pods that do not exist any more, and that the watch may still report as they were. */
  private final Set<String> removedEarly = new HashSet<>();

  /** The number of pods that are being adopted or released. */
  private int ownershipChanges;

  private CompletableFuture<@Nullable Void> ownershipSettled = ClusterRequests.NOTHING;

  private boolean deleted;

  private boolean ended;

  private boolean statusUnanswered;

  private final CompletableFuture<@Nullable Void> read;

  final StatusWait statusWait = new StatusWait();

  final PodCreations creations = new PodCreations();

  /**
   * @param api sends the writes about the Job
   * @param read completes when the Job and its pods have been read
   */
  JobWork(
      KubeObject object,
      Ledger ledger,
      Cluster api,
      CompletableFuture<@Nullable Void> read,
      JobMetrics metrics) {
    this.api = new FencedCluster(api, () -> true);
    this.read = read;
    this.metrics = metrics;
    this.object = object;
    this.view = JobView.of(object);
    this.status = JobStatus.read(object.status());
    this.ledger = ledger;
  }

  KubeObject object() {
    return object;
  }

  /**
   * Returns the Job as the engine sees it; a Job that does not exist any more counts as being
   * deleted.
   */
  JobView view() {
    return deleted && !view.deleting() ? view.asDeleting() : view;
  }

  JobStatus status() {
    return status;
  }

  /** Completes when the Job and its pods have been read: nothing is decided before. */
  CompletableFuture<@Nullable Void> read() {
    return read;
  }

  /** Writes nothing more about the Job; completes when the writes in flight are answered. */
  CompletableFuture<@Nullable Void> end() {
    ended = true;
    return api.drain();
  }

  /** True if this work writes nothing more about the Job. */
  boolean hasEnded() {
    return ended;
  }

  /** Has events forget the Job once more, if they were told of it after the end of this work. */
  void forgetIfEnded(EventAggregator events) {
    if (ended) {
      events.forget(object.uid());
    }
  }

  /** True if the Job is the controller of a pod. */
  boolean owns(KubeObject pod) {
    return object.uid().equals(pod.controllerUid());
  }

  /** Records that the Job does not exist any more. */
  void markDeleted() {
    deleted = true;
  }

  /** True if the Job does not exist any more, so that only its pods remain to be released. */
  boolean isDeleted() {
    return deleted;
  }

  /** Records that the adoption or release of a pod has begun. */
  void beginOwnershipChange() {
    if (ownershipChanges++ == 0) {
      ownershipSettled = new CompletableFuture<>();
    }
  }

  /** Records that the adoption or release of a pod was answered. */
  void endOwnershipChange() {
    if (--ownershipChanges == 0) {
      ownershipSettled.complete(null);
    }
  }

  /** Completes, on the event loop, when no pod is being adopted or released. */
  CompletableFuture<@Nullable Void> ownershipSettled() {
    return ownershipSettled;
  }

  /** Records a new state of the Job. */
  void update(KubeObject changed) {
    boolean same =
        changed.generation() == object.generation() && JobOptions.areSame(changed, object);
    object = sharingSpec(changed);
    onStatus(JobStatus.read(changed.status()));
    if (!same || changed.deletionTimestamp() != null) {
      view = JobView.of(object);
      factory = null;
      templateBytes = 0;
    }
  }

  /** Records a status that was just written, without parsing it from the object. */
  void updateStatus(KubeObject changed, JobStatus written) {
    object = sharingSpec(changed);
    onStatus(written);
  }

  /**
   * Returns a state with the spec of the one before, if it is the same by its generation: there may
   * be thousands of Jobs, and most of a Job is its spec.
   */
  private KubeObject sharingSpec(KubeObject changed) {
    ObjectNode known = object.spec();
    if (known == null || known == changed.spec() || changed.generation() != object.generation()) {
      return changed;
    }
    ObjectNode tree = Json.copyOf(changed.tree());
    tree.set("spec", known);
    return KubeObject.of(tree);
  }

  /** Records that the last status may have been written, though there was no answer. */
  void markStatusUnanswered() {
    statusUnanswered = true;
  }

  /** Records that the stored status is known again. */
  void markStatusAnswered() {
    statusUnanswered = false;
  }

  /** True if a newer status than the known one may be stored. */
  boolean isStatusUnanswered() {
    return statusUnanswered;
  }

  /**
   * Reports a new status to metrics and log: once, whether it arrives with the answer to our own
   * write or, if that was lost, by the watch.
   */
  private void onStatus(JobStatus after) {
    JobStatus before = status;
    status = after;
    boolean indexed = view.spec().isIndexed();
    metrics.onPodsFinished(
        indexed, after.succeeded() - before.succeeded(), after.failed() - before.failed());
    if (indexed) {
      metrics.onIndexesFinished(
          ledger.isPerIndex(),
          after.completedIndexes().size() - before.completedIndexes().size(),
          size(after.failedIndexes()) - size(before.failedIndexes()));
    }
    if (after.isFinished() && !before.isFinished()) {
      factory = null;
      String type =
          after.isTrue(JobCondition.COMPLETE) ? JobCondition.COMPLETE : JobCondition.FAILED;
      after.condition(type).ifPresent(end -> reportEnd(indexed, end));
    }
  }

  private void reportEnd(boolean indexed, JobCondition end) {
    JobLog.about(Level.INFO, object)
        .addKeyValue("reason", end.reason())
        .log("The Job has ended: {}", end.type());
    boolean complete = end.type().equals(JobCondition.COMPLETE);
    metrics.onJobFinished(
        indexed,
        complete,
        complete
            ? Decision.countedReason(end.reason())
            : PodFailurePolicy.withoutRule(end.reason()));
  }

  private static int size(@Nullable IndexSet indexes) {
    return indexes == null ? 0 : indexes.size();
  }

  /** True if the pod is counted and the Job is over: there may be a million of them. */
  boolean isSettled(KubeObject pod) {
    return status.isFinished() && PodPhase.of(pod).isTerminal() && !OrphanPods.isTracked(pod);
  }

  PodFactory factory() {
    if (factory == null) {
      factory = new PodFactory(object, view.spec());
    }
    return factory;
  }

  /** Returns how many of the Job's pods are about this large together; one at least. */
  int podsWithin(int bytes) {
    if (templateBytes == 0) {
      templateBytes = Json.bytes(view.spec().template()).length;
    }
    return Math.max(1, bytes / templateBytes);
  }

  /**
   * Records the state of a pod, unless it is a late report of a pod that does not exist any more.
   */
  void put(PodView pod) {
    if (removedEarly.contains(pod.uid())) {
      return;
    }
    PodView before = ledger.pod(pod.uid());
    Action handled = before == null ? null : ledger.handled(before);
    ledger.put(pod);
    creations.markTaken(pod.name());
    countTerminated(before, pod);
    if (handled != null && !pod.tracked()) {
      metrics.onFailureHandled(handled.name());
    }
  }

  /** Records that a pod does not exist any more. */
  void remove(String podUid) {
    removedEarly.remove(podUid);
    PodView known = ledger.pod(podUid);
    countTerminated(known, null);
    ledger.remove(podUid);
    if (known != null) {
      creations.markFree(known.name());
    }
  }

  /** Records that a pod is not the Job's any more. It counts anew if it is adopted again. */
  void lose(String podUid) {
    ledger.forgetEnd(podUid);
    remove(podUid);
  }

  /** Records a deletion that the watch has not reported yet. */
  void removeEarly(String podUid) {
    if (ledger.pod(podUid) != null) {
      remove(podUid);
      removedEarly.add(podUid);
    }
  }

  private void countTerminated(@Nullable PodView before, @Nullable PodView after) {
    if (isHeld(before) != isHeld(after)) {
      metrics.onTerminatedPod(
          isHeld(after) ? JobMetrics.FinalizerEvent.add : JobMetrics.FinalizerEvent.delete);
    }
  }

  private static boolean isHeld(@Nullable PodView pod) {
    return pod != null && pod.hasStopped() && pod.tracked();
  }

  /** Records that a pod is being deleted because we asked for it. */
  void markDeleting(PodView pod) {
    PodView known = ledger.seen(pod.uid());
    if (known != null && !known.deleting()) {
      put(known.asDeleting());
    }
  }

  /** Returns namespace and name, for the log. */
  @Override
  public String toString() {
    return object.namespace() + "/" + object.name();
  }
}
