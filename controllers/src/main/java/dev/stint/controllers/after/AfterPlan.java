package dev.stint.controllers.after;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.index.IndexSet;
import dev.stint.model.job.JobStatus;
import dev.stint.model.job.after.After;
import dev.stint.model.job.after.After.Predecessor;
import dev.stint.model.job.after.After.Until;
import dev.stint.model.job.after.AfterProgress;
import dev.stint.model.job.after.PredecessorEnd;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Decides what is done for one Job that starts after others. */
final class AfterPlan {
  /** The longest text of indexes; all annotations of an object together may have 256 KiB. */
  private static final int LONGEST_TEXT = 100_000;

  /**
   * The longest text of the completed indexes of all ended predecessors together, as the indexes
   * that may start are in the same annotations. An index that is cut off does not start once its
   * predecessor is gone.
   */
  static final int LONGEST_ENDS = 50_000;

  private final KubeObject job;
  private final After after;
  private final Function<String, ObservedJob> predecessors;
  private final AfterProgress progress;

  /** All indexes of the Job. */
  private final IndexSet all;

  /** The indexes that have neither succeeded nor failed. */
  private final IndexSet unended;

  private final Set<String> met;
  private final Map<String, PredecessorEnd> ended;

  private AfterPlan(KubeObject job, After after, Function<String, ObservedJob> predecessors) {
    this.job = job;
    this.after = after;
    this.predecessors = predecessors;
    this.progress = AfterProgress.of(job);
    Integer completions = Json.integer(job.spec(), "completions");
    this.all =
        completions == null || completions == 0
            ? IndexSet.EMPTY
            : IndexSet.range(0, completions - 1);
    JobStatus status = JobStatus.read(job.status());
    this.unended =
        all.minus(status.completedIndexes())
            .minus(Objects.requireNonNullElse(status.failedIndexes(), IndexSet.EMPTY));
    this.met = new TreeSet<>(progress.met());
    for (Predecessor each : after.predecessors()) {
      if (isMet(each)) {
        met.add(each.name());
      } else {
        met.remove(each.name());
      }
    }
    this.ended = ended();
  }

  /** Returns the ends of the predecessors that never complete all indexes of the Job. */
  private Map<String, PredecessorEnd> ended() {
    List<Predecessor> found =
        after.predecessors().stream()
            .filter(each ->
                each.until() == Until.INDEX && !met.contains(each.name()) && fault(each) != null)
            .toList();
    Map<String, PredecessorEnd> ends = new TreeMap<>();
    for (Predecessor each : found) {
      IndexSet completed = Objects.requireNonNullElse(completed(each), IndexSet.EMPTY);
      ends.put(
          each.name(),
          new PredecessorEnd(
              state(each) == PredecessorState.COMPLETE,
              shortened(completed, LONGEST_ENDS / found.size())));
    }
    return ends;
  }

  /**
   * True if a predecessor need not be waited for. One that is waited for index by index has to have
   * all indexes of the Job, even once it is Complete: it may succeed without some of them.
   */
  private boolean isMet(Predecessor each) {
    boolean wasMet = progress.met().contains(each.name());
    if (each.until() != Until.INDEX) {
      return wasMet || state(each).meets(each.until());
    }
    IndexSet completed = completed(each);
    return completed == null ? wasMet : completed.containsAll(all);
  }

  /**
   * Returns the next step for an unfinished Job.
   *
   * @param predecessors returns the Job of a name; with its completed indexes if it is waited for
   *     index by index
   */
  static AfterStep decide(KubeObject job, After after, Function<String, ObservedJob> predecessors) {
    AfterPlan plan = new AfterPlan(job, after, predecessors);
    return plan.isStarted() ? plan.goOn() : plan.begin();
  }

  private boolean isStarted() {
    return !Boolean.TRUE.equals(Json.bool(job.spec(), "suspend")) || progress.isStarted(after);
  }

  private PredecessorState state(Predecessor predecessor) {
    return observed(predecessor).state();
  }

  private @Nullable IndexSet completed(Predecessor predecessor) {
    return observed(predecessor).completed();
  }

  private ObservedJob observed(Predecessor predecessor) {
    ObservedJob seen = predecessors.apply(predecessor.name());
    return predecessor.until() == Until.INDEX
        ? seen.orRecorded(progress.ended().get(predecessor.name()))
        : seen;
  }

  private AfterProgress with(@Nullable IndexSet ready) {
    return new AfterProgress(met, ready, ended);
  }

  private AfterStep begin() {
    String failed = failed(Until.COMPLETE);
    if (failed != null) {
      return new AfterStep.Fail(failed);
    }
    boolean wholeJobsMet =
        after.predecessors().stream()
            .allMatch(each -> each.until() == Until.INDEX || met.contains(each.name()));
    if (!wholeJobsMet) {
      return rest();
    }
    return after.isByIndex() ? beginIndexes() : new AfterStep.Start(with(null));
  }

  private AfterStep beginIndexes() {
    IndexSet left = unended.intersection(completedBefore());
    if (!left.isEmpty()) {
      return new AfterStep.Start(with(shortened(left, LONGEST_TEXT)));
    }
    return failUnlessMoreFollows();
  }

  private AfterStep goOn() {
    if (!after.isByIndex()) {
      return rest();
    }
    IndexSet known = Objects.requireNonNullElse(progress.ready(), IndexSet.EMPTY);
    IndexSet left = unended.intersection(completedBefore().union(known));
    if (left.isEmpty()) {
      return failUnlessMoreFollows();
    }
    IndexSet shown = shortened(left, LONGEST_TEXT);
    return known.containsAll(shown) ? rest() : new AfterStep.Extend(with(shown));
  }

  /** Fails the Job if a predecessor has ended, so that no further index becomes ready. */
  private AfterStep failUnlessMoreFollows() {
    String failed = unended.isEmpty() ? null : failed(Until.INDEX);
    return failed == null ? rest() : new AfterStep.Fail(failed);
  }

  /** Returns what is wrong with a predecessor that will never be met; null if there is none. */
  private @Nullable String failed(Until until) {
    return after.predecessors().stream()
        .filter(each -> each.until() == until && !met.contains(each.name()))
        .flatMap(each -> Stream.ofNullable(fault(each)))
        .findFirst()
        .orElse(null);
  }

  private @Nullable String fault(Predecessor each) {
    if (state(each) == PredecessorState.FAILED) {
      return "Job " + each.name() + " has failed";
    }
    return state(each) == PredecessorState.COMPLETE && completed(each) != null
        ? "Job " + each.name() + " is Complete without all indexes of this Job"
        : null;
  }

  /** Returns the indexes that all predecessors by index have completed. */
  private IndexSet completedBefore() {
    IndexSet common = all;
    for (Predecessor each : after.predecessors()) {
      if (each.until() == Until.INDEX && !met.contains(each.name())) {
        common = common.intersection(Objects.requireNonNullElse(completed(each), IndexSet.EMPTY));
      }
    }
    return common;
  }

  private AfterStep rest() {
    if (!met.equals(progress.met()) || !ended.equals(progress.ended())) {
      return new AfterStep.Note(with(progress.ready()));
    }
    Set<String> missing = new TreeSet<>();
    after.predecessors().stream()
        .filter(each -> !met.contains(each.name()) && isMissing(each))
        .forEach(each -> missing.add(each.name()));
    return new AfterStep.Wait(missing);
  }

  private boolean isMissing(Predecessor each) {
    return state(each) == PredecessorState.MISSING
        || each.until() == Until.INDEX && completed(each) == null;
  }

  /** Returns as many of the lowest indexes as fit into a text. */
  private static IndexSet shortened(IndexSet indexes, int longest) {
    String text = indexes.toString();
    return text.length() <= longest
        ? indexes
        : IndexSet.salvage(text.substring(0, text.lastIndexOf(',', longest)));
  }
}
