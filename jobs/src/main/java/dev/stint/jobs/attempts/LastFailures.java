package dev.stint.jobs.attempts;

import dev.stint.model.index.IndexSet;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Selects the failed attempts of a Job that explain most. */
public final class LastFailures {
  private LastFailures() {}

  /**
   * Returns the last failed attempt of each index: indexes that failed for good first, the newest
   * first.
   *
   * @param done indexes that have succeeded; their failures are past
   * @param forGood indexes that failed for good; null if none can
   */
  public static List<ContainerAttemptView> of(
      List<ContainerAttemptView> attempts,
      IndexSet done,
      @Nullable IndexSet forGood,
      Set<String> sidecars,
      int most) {
    List<ContainerAttemptView> failed =
        new ArrayList<>(
            attempts.stream()
                .filter(each -> each.state() == ContainerAttemptView.State.FAILED)
                .filter(each -> !sidecars.contains(each.container()))
                .filter(each -> each.index() == null || !done.contains(each.index()))
                .toList());
    failed.sort(
        Comparator.comparing((ContainerAttemptView each) ->
                forGood == null || each.index() == null || !forGood.contains(each.index()))
            .thenComparing(
                (ContainerAttemptView each) ->
                    Objects.requireNonNullElse(each.finishedAt(), Instant.MIN),
                Comparator.reverseOrder())
            .thenComparing(ContainerAttemptView::number, Comparator.reverseOrder()));
    Set<String> seen = new HashSet<>();
    return failed.stream()
        .filter(each -> seen.add(each.index() == null ? each.pod() : "#" + each.index()))
        .limit(most)
        .toList();
  }
}
