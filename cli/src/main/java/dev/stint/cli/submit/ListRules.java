package dev.stint.cli.submit;

import dev.stint.cli.list.ListComparison;
import dev.stint.cli.list.RequestedList;
import dev.stint.jobs.DisplayText;
import dev.stint.jobs.JobCounts;
import dev.stint.jobs.JobEdit;
import dev.stint.jobs.JobState;
import dev.stint.jobs.Rerun;
import dev.stint.jobs.RunAnnotations;
import dev.stint.model.FeatureGates;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.index.IndexSet;
import dev.stint.model.job.JobStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Decides what becomes of a Job of a list (decision 57). A line that has succeeded does not run
 * again, in this Job or in an earlier one.
 */
final class ListRules {
  private final RequestedJob requested;
  private final RequestedList list;
  private final List<KubeObject> related;
  private final @Nullable KubeObject existing;
  private final Earlier earlier;
  private final FeatureGates gates;
  private final Instant now;

  /** The knowledge about earlier Jobs. */
  interface Earlier {
    /** True if nobody runs a Job of another name. */
    boolean isIdle(KubeObject job);

    /** Returns the indexes of a Job that have succeeded, whether they are counted or not. */
    IndexSet succeeded(KubeObject job);

    /** Compares the list with that of a Job, some indexes of which have succeeded. */
    ListComparison compare(KubeObject job, IndexSet succeeded);
  }

  /**
   * @param related the Jobs that may have run lines of the list
   * @param gates the feature gates of this command
   */
  ListRules(
      RequestedJob requested,
      RequestedList list,
      List<KubeObject> related,
      Earlier earlier,
      FeatureGates gates,
      Instant now) {
    this.requested = requested;
    this.list = list;
    this.related = related;
    this.existing =
        related.stream()
            .filter(job -> job.name().equals(requested.name()))
            .findFirst()
            .orElse(null);
    this.earlier = earlier;
    this.gates = gates;
    this.now = now;
  }

  /**
   * @param noted successes that a command kept which died before it had created its Job; null for
   *     none
   */
  RunDecision decide(ExistingJobs mode, @Nullable IndexSet noted) {
    KubeObject job = existing;
    if (mode == ExistingJobs.FRESH) {
      return job == null
          ? new RunDecision.Create()
          : new RunDecision.StartAnew(
              job, "runs all " + lines(size()) + " (--fresh); " + FileRules.last(job, now));
    }
    if (job != null && !list.isSameCommand(job)) {
      return another(job, mode);
    }
    IndexSet done = noted == null ? succeeded() : succeeded().union(noted);
    KubeObject newest = newest();
    if (newest != null && !list.isSameList(newest)) {
      return changed(newest, done);
    }
    if (noted == null && job != null) {
      return same(job, done);
    }
    return noted == null && newest == null ? new RunDecision.Create() : continued(done, newest, "");
  }

  /** The Job runs another command. */
  private RunDecision another(KubeObject job, ExistingJobs mode) {
    boolean finished = JobStatus.read(job.status()).isFinished();
    return finished || mode == ExistingJobs.REPLACE
        ? new RunDecision.StartAnew(
            job,
            "runs all %s, because the last command was another one; %s"
                .formatted(lines(size()), last(job)))
        : new RunDecision.Refuse(
            "--name %s: this Job is unfinished and runs another command; run that one to resume it, choose another --name, or replace the Job with --replace"
                .formatted(requested.name()));
  }

  private String last(KubeObject job) {
    JobCounts counts = JobCounts.of(job);
    return "it succeeded for %d of %s".formatted(counts.succeeded(), lines(orZero(counts)));
  }

  private static long orZero(JobCounts counts) {
    Long completions = counts.completions();
    return completions == null ? 0 : completions;
  }

  /** The Job has the same command and the same list. */
  private RunDecision same(KubeObject job, IndexSet done) {
    JobState state = JobState.of(job);
    if (state.isFinished()) {
      if (FileRules.isSame(requested, job) && !FileRules.isReported(job)) {
        return new RunDecision.Report(job);
      }
      return state == JobState.COMPLETE && done.size() >= enough()
          ? new RunDecision.Done(job, done(done))
          : continued(done, job, "");
    }
    JobEdit edit = FileRules.edit(requested, job, gates);
    return edit.faults().isEmpty()
        ? new RunDecision.Resume(edit, false)
        : continued(done, job, "; " + String.join(", ", edit.words()));
  }

  /** The list has changed since the Job was created. */
  private RunDecision changed(KubeObject job, IndexSet done) {
    ListComparison comparison = earlier.compare(job, succeeded(other -> hasListOf(other, job)));
    IndexSet kept = comparison.kept().union(done);
    List<String> changes = new ArrayList<>();
    if (comparison.added() > 0) {
      changes.add(DisplayText.count(comparison.added(), "line is", "lines are") + " new");
    }
    if (comparison.removed() > 0) {
      changes.add(
          DisplayText.count(comparison.removed(), "line is", "lines are") + " not in the list now");
    }
    if (list.positional()) {
      changes.add("lines that have moved run again, because the command uses their position");
    }
    String change = changes.isEmpty() ? "its order" : String.join(", ", changes);
    return continued(kept, job, "; the list has changed: " + change);
  }

  private RunDecision continued(IndexSet kept, @Nullable KubeObject from, String note) {
    long rest = size() - kept.size();
    String how = (rest == 0 ? done(kept) : rest(kept, rest)) + note;
    String twins =
        replaced().stream()
            .map(KubeObject::name)
            .filter(name -> !name.equals(requested.name()))
            .map(name -> "; replaces the unfinished " + name)
            .collect(Collectors.joining());
    return new RunDecision.Continue(kept, rest, from, replaced(), how + twins);
  }

  private String rest(IndexSet kept, long rest) {
    return kept.isEmpty()
        ? "none of %s succeeded before; runs all".formatted(lines(size()))
        : "%d of %s succeeded before; runs the other %s (--fresh runs all)"
            .formatted(kept.size(), lines(size()), rest == 1 ? "one" : rest);
  }

  private String done(IndexSet kept) {
    return kept.size() == size()
        ? "all %s succeeded before; --fresh runs them again".formatted(lines(size()))
        : "%d of %s succeeded before, which is enough (--success); --fresh runs all"
            .formatted(kept.size(), lines(size()));
  }

  /** Returns the Job of the same name, and unfinished ones that would run the same lines. */
  private List<KubeObject> replaced() {
    return related.stream()
        .filter(job -> job.name().equals(requested.name()) || isInterruptedTwin(job))
        .toList();
  }

  private boolean isInterruptedTwin(KubeObject job) {
    return !JobStatus.read(job.status()).isFinished()
        && list.isSameList(job)
        && earlier.isIdle(job)
        && !Rerun.isNameOfRerun(job.name());
  }

  /** Returns the indexes that have succeeded in any Job of the same list. */
  private IndexSet succeeded() {
    return succeeded(list::isSameList).below((int) size());
  }

  private IndexSet succeeded(Predicate<KubeObject> which) {
    return related.stream()
        .filter(which)
        .map(earlier::succeeded)
        .reduce(IndexSet.EMPTY, IndexSet::union);
  }

  private static boolean hasListOf(KubeObject one, KubeObject other) {
    return Objects.equals(
        one.annotation(RunAnnotations.EACH), other.annotation(RunAnnotations.EACH));
  }

  private @Nullable KubeObject newest() {
    return existing == null && !related.isEmpty() ? related.getLast() : existing;
  }

  private long size() {
    return list.items().size();
  }

  /** Returns the number of successes that the requested Job needs. */
  private long enough() {
    Integer count =
        Json.integer(requested.tree().at("/spec/successPolicy/rules/0"), "succeededCount");
    return count == null ? size() : count;
  }

  private static String lines(long count) {
    return DisplayText.count(count, "line", "lines");
  }
}
