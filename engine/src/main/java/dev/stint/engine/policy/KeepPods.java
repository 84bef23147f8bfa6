package dev.stint.engine.policy;

import dev.stint.engine.pod.PodView;
import dev.stint.model.job.options.KeptPods;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Keeping pods (decision 83): a Job's annotation says which of its finished pods stay. The others
 * are deleted once they are counted.
 */
public final class KeepPods {
  private static final Comparator<PodView> NEWEST_FIRST =
      Comparator.comparing(PodView::finishTime).thenComparing(PodView::name).reversed();

  private KeepPods() {}

  /** Returns the pods that do not stay, the newest first. */
  public static List<PodView> surplus(KeptPods kept, Stream<PodView> finished) {
    List<PodView> surplus = new ArrayList<>();
    int room = kept.most();
    for (PodView pod : finished.sorted(NEWEST_FIRST).toList()) {
      if (room == 0 || kept.onlyFailed() && pod.hasSucceeded()) {
        surplus.add(pod);
      } else {
        room--;
      }
    }
    return surplus;
  }
}
