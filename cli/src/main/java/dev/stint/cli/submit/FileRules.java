package dev.stint.cli.submit;

import dev.stint.cli.flag.DurationConverter;
import dev.stint.jobs.DisplayText;
import dev.stint.jobs.JobCounts;
import dev.stint.jobs.JobEdit;
import dev.stint.jobs.JobInterruption;
import dev.stint.jobs.JobState;
import dev.stint.jobs.JobSummary;
import dev.stint.jobs.RunAnnotations;
import dev.stint.model.FeatureGates;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.field.FieldError;
import dev.stint.model.job.JobStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Decides what becomes of a Job of a file (decision 57). */
final class FileRules {
  private FileRules() {}

  /**
   * @param existing the Job of its name; null if there is none
   * @param gates the feature gates of this command
   */
  static RunDecision decide(
      RequestedJob requested,
      @Nullable KubeObject existing,
      ExistingJobs mode,
      FeatureGates gates,
      Instant now) {
    if (existing == null) {
      return new RunDecision.Create();
    }
    boolean finished = JobStatus.read(existing.status()).isFinished();
    if (mode == ExistingJobs.FRESH) {
      return new RunDecision.StartAnew(existing, "starts anew (--fresh); " + last(existing, now));
    }
    if (!finished) {
      return unfinished(requested, existing, mode, gates, now);
    }
    if (isSame(requested, existing) && !isReported(existing)) {
      return new RunDecision.Report(existing);
    }
    String why =
        hasOtherInputs(requested, existing)
            ? ", because ConfigMaps or Secrets of its files have changed; "
            : "; ";
    return new RunDecision.StartAnew(existing, "starts anew" + why + last(existing, now));
  }

  private static RunDecision unfinished(
      RequestedJob requested,
      KubeObject existing,
      ExistingJobs mode,
      FeatureGates gates,
      Instant now) {
    JobEdit edit = edit(requested, existing, gates);
    List<FieldError> faults = edit.faults();
    if (faults.isEmpty()) {
      return new RunDecision.Resume(edit, hasOtherInputs(requested, existing));
    }
    return mode == ExistingJobs.REPLACE
        ? new RunDecision.StartAnew(existing, "starts anew (--replace); " + last(existing, now))
        : new RunDecision.Refuse(refusal(requested, faults));
  }

  /**
   * Returns what makes an unfinished Job go on as it is requested now. A Job of the same document
   * stays as it is, since its fields may have been changed by {@code stint set}.
   */
  static JobEdit edit(RequestedJob requested, KubeObject existing, FeatureGates gates) {
    // The end of a command suspends its Jobs, and the next one resumes them without a word.
    boolean interrupted = JobInterruption.isInterrupted(existing);
    if (isSameDocument(requested, existing)) {
      return interrupted || requested.leavesSuspension()
          ? JobEdit.none(existing, gates)
          : JobEdit.ofSpec(existing, Json.object().put("suspend", false), gates);
    }
    Set<String> kept = new HashSet<>(requested.left());
    if (interrupted) {
      kept.add("suspend");
    }
    return JobEdit.towards(existing, requested.tree(), kept, gates);
  }

  /** Returns the line that names the fields which cannot change. */
  static String refusal(RequestedJob requested, List<FieldError> faults) {
    FieldError first = faults.getFirst();
    String others =
        faults.stream().skip(1).map(fault -> ", nor " + fault.path()).collect(Collectors.joining());
    String what =
        "%s%s; Job \"%s\" is unfinished: run its former document to resume it, choose another metadata.name, or replace it with --replace"
            .formatted(first.detail(), others, requested.name());
    return requested.document().describe(new FieldError(first.path(), first.type(), what));
  }

  /** True if a Job has the same document and, as far as it is known, the same inputs. */
  static boolean isSame(RequestedJob requested, KubeObject existing) {
    return isSameDocument(requested, existing) && !hasOtherInputs(requested, existing);
  }

  /** True if the inputs have changed; those of a Job that notes none are not known. */
  private static boolean hasOtherInputs(RequestedJob requested, KubeObject existing) {
    String before = existing.annotation(RunAnnotations.INPUTS);
    return before != null && requested.inputs() != null && !before.equals(requested.inputs());
  }

  static boolean isSameDocument(RequestedJob requested, KubeObject existing) {
    return requested.digest().equals(existing.annotation(RunAnnotations.DOCUMENT));
  }

  static boolean isReported(KubeObject job) {
    return job.annotation(RunAnnotations.REPORTED) != null;
  }

  /** Returns how far the existing Job came: {@code the last one Failed 3m ago, …}. */
  static String last(KubeObject job, Instant now) {
    JobState state = JobState.of(job);
    JobCounts counts = JobCounts.of(job);
    String of = counts.completions() == null ? "" : " of " + counts.completions();
    String succeeded = ", with " + counts.succeeded() + of + " succeeded";
    if (!state.isFinished()) {
      return "the last one was unfinished" + succeeded;
    }
    Instant ended = JobSummary.of(job, now).ended();
    String when = ended == null ? "" : " " + ago(Duration.between(ended, now));
    String lost =
        state == JobState.FAILED && counts.succeeded() > 0 && isIndexed(job)
            ? "; stint rerun " + job.name() + " --failed would have kept " + kept(counts)
            : "";
    return "the last one " + verb(state) + when + succeeded + lost;
  }

  private static String kept(JobCounts counts) {
    return counts.succeeded() == 1
        ? "this success"
        : "these " + DisplayText.count(counts.succeeded(), "success", "successes");
  }

  private static String verb(JobState state) {
    return state == JobState.COMPLETE ? "completed" : "failed";
  }

  private static String ago(Duration time) {
    return time.compareTo(Duration.ofSeconds(1)) < 0
        ? "just now"
        : DurationConverter.brief(time) + " ago";
  }

  private static boolean isIndexed(KubeObject job) {
    return "Indexed".equals(Json.text(job.spec(), "completionMode"));
  }
}
