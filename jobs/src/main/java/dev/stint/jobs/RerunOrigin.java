package dev.stint.jobs;

import dev.stint.model.KubeObject;
import dev.stint.model.index.IndexSet;
import java.util.Map;
import java.util.Optional;

/**
 * The earlier Job that a Job reruns some indexes of.
 *
 * @param name the earlier Job's name
 * @param uid the earlier Job's uid
 * @param indexes the indexes that run again
 */
public record RerunOrigin(String name, String uid, IndexSet indexes) {
  /** Annotation: the name of the earlier Job. */
  static final String OF = "stint.dev/rerun-of";

  /** Annotation: the earlier Job's uid. */
  static final String UID = "stint.dev/rerun-of-uid";

  /** Annotation: the indexes that run again; the other indexes keep their successes. */
  static final String INDEXES = "stint.dev/rerun-indexes";

  /** Reads the origin from a Job's annotations; empty if it has none. */
  public static Optional<RerunOrigin> of(KubeObject job) {
    Map<String, String> annotations = job.annotations();
    return Optional.ofNullable(annotations.get(OF))
        .map(name ->
            new RerunOrigin(
                name,
                annotations.getOrDefault(UID, ""),
                IndexSet.salvage(annotations.getOrDefault(INDEXES, ""))));
  }

  /** Counts the successes that a Job has taken over, so that it does not seem fast. */
  public static JobCounts keptCounts(KubeObject job) {
    JobCounts none = JobCounts.NONE;
    Long completions = JobCounts.of(job).completions();
    long again = of(job).map(origin -> origin.indexes().size()).orElse(0);
    return completions == null || again == 0
        ? none
        : new JobCounts(0L, 0, 0, completions - again, 0, 0, 0);
  }

  /** Returns {@code hello with index 3; the other successes are kept}. */
  public String description() {
    return indexes.isEmpty()
        ? name + "; its successes are kept"
        : "%s with %s; the other successes are kept"
            .formatted(name, DisplayText.namedIndexes(indexes, 60));
  }
}
