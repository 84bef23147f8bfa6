package dev.stint.engine;

import dev.stint.engine.pod.PodView;
import dev.stint.engine.pod.StartupDeadline;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The pods that did not start in time. Costs the number of active pods, but only for a Job that has
 * a startup deadline.
 *
 * @param overdue the pods to end
 * @param next the deadline of the next one; null if there is none
 */
record LateStarts(List<PodView> overdue, @Nullable Instant next) {
  private static final LateStarts NONE = new LateStarts(List.of(), null);

  /**
   * Finds the pods among the active ones.
   *
   * @param limit the time that a pod has to start; null for any
   * @param most the number of pods that are ended at once
   */
  static LateStarts among(
      Collection<PodView> active, @Nullable Duration limit, int most, Instant now) {
    if (limit == null) {
      return NONE;
    }
    List<PodView> overdue =
        active.stream()
            .filter(pod -> StartupDeadline.isPast(limit, pod, now))
            .sorted(Comparator.comparing(PodView::created).thenComparing(PodView::name))
            .limit(most)
            .toList();
    Instant next =
        active.stream()
            .flatMap(pod -> Stream.ofNullable(StartupDeadline.of(limit, pod)))
            .filter(now::isBefore)
            .min(Comparator.naturalOrder())
            .orElse(null);
    return new LateStarts(overdue, next);
  }
}
