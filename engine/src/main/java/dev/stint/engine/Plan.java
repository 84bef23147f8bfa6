package dev.stint.engine;

import dev.stint.engine.pod.PodView;
import dev.stint.model.job.JobStatus;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What to do next for one Job, in this order: create; write the status; and only if that write held
 * (or there is nothing to write), untrack, release, and tell the events.
 *
 * @param create pods to create, most wanted first
 * @param status the status to write; null where the stored one says it all
 * @param untrack finished pods that the status accounts for: their finalizer comes off
 * @param release pods that are no longer wanted: their finalizer comes off, then they are deleted,
 *     and their end is not a failure (KEP-2307, Deleted Pods)
 * @param events what became true with the status
 * @param again when to look again even if nothing changes; null where only a change matters
 * @param mayWait whether the plan only counts what failed while a back-off holds the Job back, or
 *     only says that a new Job is suspended, so that a moment later will do as well
 */
public record Plan(
    List<PodPlan> create,
    @Nullable JobStatus status,
    List<PodView> untrack,
    List<PodView> release,
    List<Event> events,
    @Nullable Instant again,
    boolean mayWait) {

  /** An event about the Job. */
  public record Event(boolean warning, String reason, String message) {}

  public Plan {
    create = List.copyOf(create);
    untrack = List.copyOf(untrack);
    release = List.copyOf(release);
    events = List.copyOf(events);
  }

  /** Whether there is nothing to do now. */
  public boolean idle() {
    return create.isEmpty() && status == null && untrack.isEmpty() && release.isEmpty();
  }
}
