package dev.stint.controllers;

import dev.stint.controllers.metrics.JobMetrics;
import dev.stint.engine.JobView;
import dev.stint.engine.Ledger;
import dev.stint.engine.pod.PodView;
import dev.stint.model.KubeObject;
import dev.stint.model.index.IndexSet;
import dev.stint.model.job.JobCondition;
import dev.stint.model.job.JobStatus;
import dev.stint.model.job.PodFailurePolicy.Action;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * One Job that a controller works on: what is known of it, and what is under way. Confined to the
 * controller's executor.
 */
final class JobWork {
  private KubeObject object;
  private JobView view;
  private JobStatus status;
  private @Nullable PodFactory factory;
  private final JobMetrics metrics;
  final Ledger ledger;

  /** Uids of pods that are gone, and that the watch may yet show as they were. */
  private final Set<String> buried = new HashSet<>();

  /** Whether something changed since the last decision. */
  boolean dirty;

  /** Since when. */
  Instant dirtySince = Instant.MIN;

  /** Whether a plan is being carried out. */
  boolean busy;

  /** How many pods are becoming the Job's, or are being let go: nothing is decided meanwhile. */
  int changingHands;

  /** Whether the Job's object is gone, so that its pods only have to be let go. */
  boolean gone;

  /** Cancels the timer that would look at the Job again. */
  Runnable cancelTimer = () -> {};

  /** After a failure, no decision before this. */
  Instant notBefore = Instant.MIN;

  /** How often in a row carrying out a plan failed. */
  int failures;

  /** Until when a plan that may wait does; null where none has waited yet. */
  @Nullable Instant waitsUntil;

  /** Pods whose creation had no clear answer, by name, with their indexes. */
  final Map<String, Integer> unanswered = new HashMap<>();

  final PodNames names = new PodNames();

  final PodCreator.NamesToTry namesToTry = new PodCreator.NamesToTry();

  /** How many pods may be created at once; doubles while creations succeed. */
  int createBatch = 1;

  JobWork(KubeObject object, Ledger ledger, JobMetrics metrics) {
    this.metrics = metrics;
    this.object = object;
    this.view = JobView.of(object);
    this.status = JobStatus.read(object.status());
    this.ledger = ledger;
  }

  KubeObject object() {
    return object;
  }

  /** The Job as the engine sees it; one whose object is gone is as good as being deleted. */
  JobView view() {
    return gone && !view.deleting()
        ? new JobView(view.uid(), view.namespace(), view.name(), true, view.spec())
        : view;
  }

  JobStatus status() {
    return status;
  }

  /** Takes note of the object's new state. */
  void update(KubeObject changed) {
    boolean sameSpec = changed.generation() == object.generation();
    object = changed;
    seen(JobStatus.read(changed.status()));
    if (!sameSpec || changed.deletionTimestamp() != null) {
      view = JobView.of(changed);
      factory = null;
    }
  }

  /** Takes note of a status that was just written, which need not be read back from the object. */
  void updateStatus(KubeObject changed, JobStatus written) {
    object = changed;
    seen(written);
  }

  /**
   * Tells what came with a status, once, whether it is known from the answer to our own write or,
   * where that was lost, from the watch.
   */
  private void seen(JobStatus after) {
    JobStatus before = status;
    status = after;
    boolean indexed = view.spec().indexed();
    metrics.podsFinished(
        indexed, after.succeeded() - before.succeeded(), after.failed() - before.failed());
    if (indexed) {
      metrics.indexesFinished(
          ledger.perIndex(),
          after.completedIndexes().size() - before.completedIndexes().size(),
          size(after.failedIndexes()) - size(before.failedIndexes()));
    }
    if (after.finished() && !before.finished()) {
      String type =
          after.isTrue(JobCondition.COMPLETE) ? JobCondition.COMPLETE : JobCondition.FAILED;
      after.condition(type).ifPresent(end -> ended(indexed, end));
    }
  }

  private void ended(boolean indexed, JobCondition end) {
    JobController.about(Level.INFO, object)
        .addKeyValue("reason", end.reason())
        .log("the Job has ended: {}", end.type());
    metrics.finished(indexed, end.type().equals(JobCondition.COMPLETE), end.reason());
  }

  private static int size(@Nullable IndexSet indexes) {
    return indexes == null ? 0 : indexes.size();
  }

  PodFactory factory() {
    if (factory == null) {
      factory = new PodFactory(object, view.spec());
    }
    return factory;
  }

  /** Takes note of a pod as it is now, unless that is old news of one that is gone. */
  void put(PodView pod) {
    if (buried.contains(pod.uid())) {
      return;
    }
    PodView before = ledger.pod(pod.uid());
    Action handled = before == null ? null : ledger.handled(before);
    ledger.put(pod);
    names.put(pod.name());
    tell(before, pod);
    if (handled != null && !pod.tracked()) {
      metrics.failureHandled(handled.name());
    }
  }

  /** Takes note that a pod is gone. */
  void remove(String podUid) {
    buried.remove(podUid);
    PodView known = ledger.pod(podUid);
    tell(known, null);
    ledger.remove(podUid);
    if (known != null) {
      names.remove(known.name());
    }
  }

  /** Takes note that a pod is gone of which the watch has yet to tell that. */
  void bury(String podUid) {
    if (ledger.pod(podUid) != null) {
      remove(podUid);
      buried.add(podUid);
    }
  }

  private void tell(@Nullable PodView before, @Nullable PodView after) {
    if (heldBack(before) != heldBack(after)) {
      metrics.terminatedPod(
          heldBack(after) ? JobMetrics.FinalizerEvent.add : JobMetrics.FinalizerEvent.delete);
    }
  }

  private static boolean heldBack(@Nullable PodView pod) {
    return pod != null && pod.stopped() && pod.tracked();
  }

  /** Takes note that a pod is being deleted because we asked for it. */
  void markDeleting(PodView pod) {
    PodView known = ledger.pod(pod.uid());
    if (known != null && !known.deleting()) {
      put(known.asDeleting());
    }
  }
}
