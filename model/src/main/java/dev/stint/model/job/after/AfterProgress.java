package dev.stint.model.job.after;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.index.IndexSet;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a Job that starts after others, as its annotations record it.
 *
 * @param met the predecessors that are no longer waited for, even if they are gone
 * @param ready the indexes that may start; null if none may yet
 * @param ended how predecessors ended, by their names, that were waited for index by index and have
 *     not completed all of them
 */
public record AfterProgress(
    Set<String> met, @Nullable IndexSet ready, Map<String, PredecessorEnd> ended) {
  /** The annotation with the predecessors that are no longer waited for. */
  public static final String MET = "stint.dev/after-met";

  /** The annotation with the indexes that may start. */
  public static final String READY = "stint.dev/ready-indexes";

  /** The annotation with the ends of predecessors, which may be gone. */
  public static final String ENDED = "stint.dev/after-ended";

  /** All annotations that record progress. */
  public static final Set<String> ANNOTATIONS = Set.of(MET, READY, ENDED);

  /** Reads the annotations of a Job. */
  public static AfterProgress of(KubeObject job) {
    String met = Objects.requireNonNullElse(job.annotation(MET), "");
    Set<String> names =
        Arrays.stream(met.split(",", -1))
            .map(String::strip)
            .filter(name -> !name.isEmpty())
            .collect(Collectors.toSet());
    return new AfterProgress(
        names, ready(job::annotation), PredecessorEnd.parse(job.annotation(ENDED)));
  }

  private static @Nullable IndexSet ready(Function<String, @Nullable String> annotations) {
    String text = annotations.apply(READY);
    return text == null ? null : IndexSet.salvage(text);
  }

  /**
   * Returns the indexes to which new pods of a Job are restricted; null if they are not.
   *
   * @param annotations returns the value of an annotation; null if there is none
   */
  public static @Nullable IndexSet startable(
      @Nullable After after, Function<String, @Nullable String> annotations) {
    return after == null || !after.isByIndex()
        ? null
        : Objects.requireNonNullElse(ready(annotations), IndexSet.EMPTY);
  }

  /** True if a Job was started after its predecessors: who suspends it later resumes it. */
  public boolean isStarted(After after) {
    return met.containsAll(after.wholeJobs()) && (!after.isByIndex() || ready != null);
  }

  /** True if a Job is suspended because it waits for others. */
  public static boolean isWaiting(KubeObject job) {
    After after = After.of(job);
    return after != null
        && Boolean.TRUE.equals(Json.bool(job.spec(), "suspend"))
        && !of(job).isStarted(after);
  }

  /** Returns the text of a set of names for the annotation. */
  public static String text(Set<String> names) {
    return String.join(",", new TreeSet<>(names));
  }
}
