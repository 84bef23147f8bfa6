package dev.stint.jobs;

import dev.stint.model.KubeObject;
import dev.stint.model.index.IndexSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Where a Job that runs some indexes of an earlier one again comes from.
 *
 * @param name of the earlier Job
 * @param uid of the earlier Job
 * @param indexes which were to run again
 */
public record Lineage(String name, String uid, IndexSet indexes) {
  /** Annotation: the name of the earlier Job. */
  static final String OF = "stint.dev/rerun-of";

  /** Annotation: its uid. */
  static final String UID = "stint.dev/rerun-of-uid";

  /** Annotation: which indexes run again; the successes of the others were taken over. */
  static final String INDEXES = "stint.dev/rerun-indexes";

  /** What a Job says of where it comes from; empty where it says nothing. */
  public static Optional<Lineage> of(KubeObject job) {
    Map<String, String> annotations = job.annotations();
    return Optional.ofNullable(annotations.get(OF))
        .map(name ->
            new Lineage(
                name,
                annotations.getOrDefault(UID, ""),
                IndexSet.salvage(annotations.getOrDefault(INDEXES, ""))));
  }

  /** What a Job has taken over, so that it does not seem fast. */
  public static JobCounts kept(KubeObject job) {
    JobCounts none = JobCounts.NONE;
    Long completions = JobCounts.of(job).completions();
    long again = of(job).map(lineage -> lineage.indexes().size()).orElse(0);
    return completions == null || again == 0
        ? none
        : new JobCounts(0L, 0, 0, completions - again, 0, 0, 0);
  }

  public List<String> words() {
    return List.of(
        "%s, of which it runs %s again and keeps the other successes"
            .formatted(
                name,
                (indexes.size() == 1 ? "index " : "indexes ")
                    + PluralText.indexes(indexes.toString(), 60)));
  }
}
