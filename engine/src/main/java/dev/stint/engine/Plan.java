package dev.stint.engine;

import dev.stint.engine.pod.PodView;
import dev.stint.model.job.JobStatus;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The next actions for one Job, in this order: create; write the status; and only if that write
 * succeeded (or there is nothing to write), untrack, release, end, and record the events.
 *
 * @param create pods to create, most wanted first
 * @param status the status to write; null if the stored one needs no change
 * @param untrack finished pods that the status accounts for: their finalizer comes off
 * @param release pods that are no longer wanted: their finalizer comes off, then they are deleted,
 *     and their end is not a failure (KEP-2307, Deleted Pods); and counted ones that are not kept
 * @param overdue pods that did not start in time or restart too often: they are ended, and have
 *     failed
 * @param events the events to record with the status
 * @param again when to decide again even if nothing changes; null if only a change matters
 * @param urgency how soon the status is to be written
 */
public record Plan(
    List<PodPlan> create,
    @Nullable JobStatus status,
    List<PodView> untrack,
    List<PodView> release,
    List<PodView> overdue,
    List<Event> events,
    @Nullable Instant again,
    Urgency urgency) {

  /** The urgency of a status. */
  public enum Urgency {
    /** The outcome of the Job, or its next step, depends on the status. */
    NOW,
    /** The status only counts pods: nothing but its readers wait for it. */
    COUNTS,
    /**
     * The status only counts failures during a back-off, or only reports that a new Job is
     * suspended: not even readers wait for it.
     */
    LATER
  }

  /** An event about the Job. */
  public record Event(boolean warning, String reason, String message) {}

  public Plan {
    create = List.copyOf(create);
    untrack = List.copyOf(untrack);
    release = List.copyOf(release);
    overdue = List.copyOf(overdue);
    events = List.copyOf(events);
  }

  /** True if there is nothing to do now. */
  public boolean isIdle() {
    return create.isEmpty()
        && status == null
        && untrack.isEmpty()
        && release.isEmpty()
        && overdue.isEmpty();
  }

  /** Returns what is to be done if the status is to be written only at a later time. */
  public Plan untilStatus(Instant due) {
    Instant next = again == null || due.isBefore(again) ? due : again;
    return new Plan(create, null, List.of(), List.of(), List.of(), List.of(), next, Urgency.COUNTS);
  }
}
