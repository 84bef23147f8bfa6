package dev.stint.simulation;

import static dev.stint.model.job.JobCondition.COMPLETE;
import static dev.stint.model.job.JobCondition.FAILED;
import static dev.stint.model.job.JobCondition.FAILURE_TARGET;
import static dev.stint.model.job.JobCondition.SUCCESS_CRITERIA_MET;

import dev.stint.controllers.job.JobControllerOptions;
import dev.stint.engine.pod.PodView;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.job.JobStatus;
import dev.stint.store.Entry;
import dev.stint.store.StoreEvent;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Checks every durable change against the laws of Jobs; throws if one is broken. */
final class Laws implements Consumer<StoreEvent> {
  final History history;
  final WatchLaws watches = new WatchLaws();
  private final InstantSource clock;
  private final EventTrace trace;
  private final PodLaws podLaws;
  private final OwnershipLaws ownership;
  private final RestLaws restLaws;
  private final StatusLaws statusLaws;
  private final Neighbours neighbours;
  private final Map<String, KubeObject> latest = new HashMap<>();
  private @Nullable AssertionError broken;

  Laws(JobControllerOptions options, InstantSource clock, EventTrace trace) {
    this(options, clock, trace, Neighbours.NONE);
  }

  /**
   * @param neighbours check each change by their laws, too
   */
  Laws(JobControllerOptions options, InstantSource clock, EventTrace trace, Neighbours neighbours) {
    this.neighbours = neighbours;
    this.clock = clock;
    this.trace = trace;
    this.history = new History(options.gates());
    RetryLaws retries = new RetryLaws(history, options.engine().backoff(), clock);
    this.podLaws = new PodLaws(history, retries, new StartupLaws(clock));
    this.restLaws = new RestLaws(history, retries);
    this.ownership = new OwnershipLaws(history);
    this.statusLaws = new StatusLaws(history, options.engine().maxUncountedPods());
  }

  @Override
  public void accept(StoreEvent event) {
    try {
      check(event);
    } catch (AssertionError violation) {
      // The writer takes every failure for a disk failure, so it has to be thrown elsewhere.
      broken = broken == null ? violation : broken;
    }
  }

  /** Throws the violation that was found, if there is one. */
  void hold() {
    if (broken != null) {
      throw broken;
    }
    watches.hold();
  }

  private void check(StoreEvent event) {
    KubeObject before = latest.remove(event.key());
    KubeObject after = object(event.after());
    if (after != null) {
      latest.put(event.key(), after);
    }
    KubeObject any = after == null ? before : after;
    if (any == null) {
      throw new AssertionError("an event without an object");
    }
    trace.add(any, after == null);
    watches.changed(any, event.revision(), after == null);
    neighbours.stored(any, event.revision(), after == null);
    neighbours.changed(before, after);
    switch (any.kindName()) {
      case "Job" -> {
        job(before, after);
        noteDeletion(any, after, event.revision());
      }
      case "Pod" -> pod(before, after);
      case "Event" -> event(any);
      default -> {}
    }
  }

  private static @Nullable KubeObject object(@Nullable Entry entry) {
    return entry == null ? null : KubeObject.of(entry.value(), Long.toString(entry.revision()));
  }

  private void job(@Nullable KubeObject before, @Nullable KubeObject after) {
    if (before != null && (after == null || after.deletionTimestamp() != null)) {
      deleted(known(before));
    }
    if (after == null) {
      if (before != null) {
        known(before).gone = true;
      }
      return;
    }
    if (before == null) {
      history.jobs.put(after.uid(), new History.Job(after));
      return;
    }
    History.Job job = known(before);
    JobStatus status = JobStatus.read(after.status());
    if (!status.equals(job.status)) {
      statusLaws.check(job, after, status);
      noteDecision(job, after, status);
    }
    job.update(after, status);
  }

  /** Only users delete a Job before it has ended and its time to live is over. */
  private void deleted(History.Job job) {
    Integer ttl = job.spec.ttlSecondsAfterFinished();
    Instant end =
        job.status.conditions().stream()
            .filter(condition -> condition.isTrue() && job.status.isFinished())
            .filter(c -> c.type().equals(COMPLETE) || c.type().equals(FAILED))
            .flatMap(condition -> Stream.ofNullable(condition.transition()))
            .findFirst()
            .orElse(Instant.MAX);
    boolean timeIsOver =
        ttl != null && end.isBefore(Instant.MAX) && !clock.instant().isBefore(end.plusSeconds(ttl));
    if (!timeIsOver && !history.deletedByOthers.contains(job.object.uid())) {
      throw new AssertionError(job.object + " is deleted before its time to live is over");
    }
  }

  private void noteDeletion(KubeObject job, @Nullable KubeObject after, long revision) {
    History.Job known = known(job);
    if (after == null || after.deletionTimestamp() != null) {
      known.deletedAt = Math.min(known.deletedAt, revision);
    }
  }

  private static void noteDecision(History.Job job, KubeObject after, JobStatus status) {
    boolean decided = status.isTrue(SUCCESS_CRITERIA_MET) || status.isTrue(FAILURE_TARGET);
    if (job.decidedAt == 0 && decided) {
      job.decidedAt = after.generation();
    }
  }

  private History.Job known(KubeObject job) {
    History.Job known = history.jobs.get(job.uid());
    if (known == null) {
      throw new AssertionError("a Job that was never created changes: " + job);
    }
    return known;
  }

  private void pod(@Nullable KubeObject before, @Nullable KubeObject after) {
    if (before == null && after != null) {
      podLaws.created(after);
    }
    if (before != null) {
      podLaws.changed(before, after);
      ownership.changed(before, after);
    }
    if (after != null) {
      history.put(after);
    } else if (before != null) {
      history.remove(before);
    }
  }

  /** The change that an event reports is already durable. */
  private void event(KubeObject event) {
    String uid = Json.text(Json.objectAt(event.tree(), "involvedObject"), "uid");
    History.Job job = uid == null ? null : history.jobs.get(uid);
    if (job == null) {
      return;
    }
    boolean warning = "Warning".equals(Json.text(event.tree(), "type"));
    String reason = Json.text(event.tree(), "reason");
    if ("Completed".equals(reason) && !job.status.isTrue(COMPLETE)) {
      throw new AssertionError("an event tells of a completion that is not stored");
    }
    if (StartupLaws.REASON.equals(reason)) {
      if (!job.endedLate) {
        throw new AssertionError("an event tells of a pod that was not ended");
      }
    } else if (RestartLaws.REASON.equals(reason)) {
      if (!job.endedByRestarts) {
        throw new AssertionError("an event tells of a pod that was not ended");
      }
    } else if ("InvalidAnnotation".equals(reason)) {
      String message = String.valueOf(Json.text(event.tree(), "message"));
      if (job.object.annotation(message.split(" ")[0]) == null) {
        throw new AssertionError("an event tells of an annotation that does not exist: " + message);
      }
    } else if (warning && !"FailedCreate".equals(reason) && !job.status.isTrue(FAILED)) {
      throw new AssertionError("an event tells of a failure that is not stored: " + reason);
    }
  }

  /**
   * Checks what must hold while everybody waits for a pod or for a time.
   *
   * @param until the time up to which nothing happens
   */
  void checkRest(Instant until) {
    hold();
    restLaws.check(until);
    ownership.checkRest();
  }

  /**
   * Checks what must hold once nothing changes any more.
   *
   * @param housekeeping true if Jobs are deleted once their time to live is over
   */
  void checkEnd(boolean housekeeping) {
    hold();
    watches.checkEnd();
    ownership.checkEnd();
    for (History.Job job : history.jobs.values()) {
      if (job.spec.managedBy() == null && history.podsOf(job).anyMatch(PodView::tracked)) {
        throw new AssertionError(
            "pods of " + job.object + " keep their finalizer: " + history.podsOf(job).toList());
      }
      if (!job.gone && !history.foreign(job)) {
        statusLaws.checkEnd(job);
        podLaws.checkEnd(job);
        if (housekeeping && job.spec.ttlSecondsAfterFinished() != null) {
          throw new AssertionError(job.object + " outlives its time to live");
        }
      }
    }
  }
}
