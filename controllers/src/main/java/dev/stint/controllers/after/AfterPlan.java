package dev.stint.controllers.after;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.index.IndexSet;
import dev.stint.model.job.JobStatus;
import dev.stint.model.job.after.After;
import dev.stint.model.job.after.After.Predecessor;
import dev.stint.model.job.after.After.Until;
import dev.stint.model.job.after.AfterProgress;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Decides what is done for one Job that starts after others. */
final class AfterPlan {
  /** The longest text of indexes; all annotations of an object together may have 256 KiB. */
  private static final int LONGEST_TEXT = 100_000;

  private final KubeObject job;
  private final After after;
  private final Predecessors predecessors;
  private final AfterProgress progress;
  private final Set<String> met;

  /** The Jobs of the namespace. */
  interface Predecessors {
    PredecessorState state(String name);

    /** Returns the completed indexes of a Job that is waited for index by index. */
    IndexSet completed(String name);
  }

  private AfterPlan(KubeObject job, After after, Predecessors predecessors) {
    this.job = job;
    this.after = after;
    this.predecessors = predecessors;
    this.progress = AfterProgress.of(job);
    this.met = new TreeSet<>(progress.met());
    after.predecessors().stream()
        .filter(each -> state(each).meets(each.until()))
        .forEach(each -> met.add(each.name()));
  }

  /** Returns the next step for an unfinished Job. */
  static AfterStep decide(KubeObject job, After after, Predecessors predecessors) {
    AfterPlan plan = new AfterPlan(job, after, predecessors);
    return plan.isStarted() ? plan.goOn() : plan.begin();
  }

  private boolean isStarted() {
    return !Boolean.TRUE.equals(Json.bool(job.spec(), "suspend")) || progress.isStarted(after);
  }

  private PredecessorState state(Predecessor predecessor) {
    return predecessors.state(predecessor.name());
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
    return after.isByIndex() ? beginIndexes() : new AfterStep.Start(met, null);
  }

  private AfterStep beginIndexes() {
    IndexSet left = left();
    if (!left.isEmpty()) {
      return new AfterStep.Start(met, shortened(left));
    }
    return failUnlessMoreFollows();
  }

  private AfterStep goOn() {
    if (!after.isByIndex()) {
      return rest();
    }
    IndexSet known = Objects.requireNonNullElse(progress.ready(), IndexSet.EMPTY);
    IndexSet left = left();
    if (left.isEmpty()) {
      return failUnlessMoreFollows();
    }
    IndexSet shown = shortened(left);
    return known.containsAll(shown) ? rest() : new AfterStep.Extend(met, shown);
  }

  /** Fails the Job if a predecessor has failed, so that no further index becomes ready. */
  private AfterStep failUnlessMoreFollows() {
    String failed = failed(Until.INDEX);
    return failed == null ? rest() : new AfterStep.Fail(failed);
  }

  private @Nullable String failed(Until until) {
    return after.predecessors().stream()
        .filter(each -> each.until() == until && !met.contains(each.name()))
        .filter(each -> state(each) == PredecessorState.FAILED)
        .map(Predecessor::name)
        .findFirst()
        .orElse(null);
  }

  /** Returns the indexes that may start or have started, and have not ended. */
  private IndexSet left() {
    Integer completions = Json.integer(job.spec(), "completions");
    IndexSet left =
        completions == null || completions == 0
            ? IndexSet.EMPTY
            : IndexSet.range(0, completions - 1);
    for (Predecessor each : after.predecessors()) {
      if (each.until() == Until.INDEX && !met.contains(each.name())) {
        left = left.intersection(predecessors.completed(each.name()));
      }
    }
    JobStatus status = JobStatus.read(job.status());
    IndexSet failed = status.failedIndexes();
    IndexSet unsuccessful = left.minus(status.completedIndexes());
    return failed == null ? unsuccessful : unsuccessful.minus(failed);
  }

  private AfterStep rest() {
    if (!met.equals(progress.met())) {
      return new AfterStep.Note(met);
    }
    Set<String> missing = new TreeSet<>();
    after.predecessors().stream()
        .filter(each -> !met.contains(each.name()) && state(each) == PredecessorState.MISSING)
        .forEach(each -> missing.add(each.name()));
    return new AfterStep.Wait(missing);
  }

  /** Returns the lowest of the indexes, as many as the text of an annotation holds. */
  private static IndexSet shortened(IndexSet indexes) {
    String text = indexes.toString();
    return text.length() <= LONGEST_TEXT
        ? indexes
        : IndexSet.salvage(text.substring(0, text.lastIndexOf(',', LONGEST_TEXT)));
  }
}
