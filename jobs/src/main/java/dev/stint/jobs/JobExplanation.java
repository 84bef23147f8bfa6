package dev.stint.jobs;

import dev.stint.jobs.attempts.ContainerAttemptView;
import dev.stint.model.ExponentialBackoff;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import dev.stint.model.Timestamps;
import dev.stint.model.index.IndexSet;
import dev.stint.model.job.JobCondition;
import dev.stint.model.job.JobSpec;
import dev.stint.model.job.JobStatus;
import dev.stint.model.job.PodFailurePolicy;
import dev.stint.model.job.PodFailurePolicy.Action;
import dev.stint.model.job.after.After;
import dev.stint.model.job.after.AfterProgress;
import dev.stint.model.job.mirror.Mirrored;
import dev.stint.model.job.options.JobOptions;
import dev.stint.model.job.options.Linger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Explains the state of a Job, from its conditions, policies and events. */
public final class JobExplanation {
  private static final int SHOWN_INDEXES = 60;

  private JobExplanation() {}

  /** The failure reason of a Job that a user has cancelled. */
  public static final String CANCELLED = "Cancelled";

  /**
   * Returns sentences for the user, the most important first; none if there is nothing to explain.
   *
   * @param events those of the Job, in order
   */
  public static List<String> of(
      KubeObject job, List<ContainerAttemptView> attempts, List<JobEvent> events) {
    return of(job, attempts, events, RetryDelay.ASSUMED);
  }

  /**
   * Returns sentences for the user, the most important first.
   *
   * @param events those of the Job, in order
   * @param backoff the delay after which the controller replaces a failed pod; empty if it is
   *     unknown
   */
  public static List<String> of(
      KubeObject job,
      List<ContainerAttemptView> attempts,
      List<JobEvent> events,
      Optional<ExponentialBackoff> backoff) {
    return of(
        job,
        attempts,
        events,
        backoff.map(known -> new RetryDelay(known, true)).orElse(RetryDelay.ASSUMED));
  }

  private static List<String> of(
      KubeObject job,
      List<ContainerAttemptView> attempts,
      List<JobEvent> events,
      RetryDelay delay) {
    ObjectNode tree = job.spec();
    JobSpec spec = JobSpec.read(tree == null ? Json.object() : tree);
    JobStatus status = JobStatus.read(job.status());
    List<String> lines = explainDeletion(job);
    RefusedPods.explanation(job, events).ifPresent(lines::add);
    Optional<JobCondition> failure =
        condition(status, JobCondition.FAILED, JobCondition.FAILURE_TARGET)
            .map(each -> DeadlineCancellation.meant(job, each));
    Optional<JobCondition> success =
        condition(status, JobCondition.COMPLETE, JobCondition.SUCCESS_CRITERIA_MET);
    if (failure.isPresent()) {
      lines.addAll(explainFailure(failure.get(), spec, status));
    } else if (success.isPresent()) {
      lines.addAll(explainSuccess(job, success.get(), spec, status));
    } else {
      lines.addAll(explainUnfinished(job, spec, status, attempts, ofJob(job, delay)));
    }
    return lines;
  }

  /** Returns the delay that the Job asks for, or the controller's. */
  private static RetryDelay ofJob(KubeObject job, RetryDelay controllers) {
    ExponentialBackoff own = JobOptions.inForce(job).podFailureBackoff();
    return own == null ? controllers : new RetryDelay(own, true);
  }

  private static Optional<JobCondition> condition(JobStatus status, String one, String other) {
    return status.isTrue(one)
        ? status.condition(one)
        : status.condition(other).filter(JobCondition::isTrue);
  }

  private static List<String> explainFailure(JobCondition failure, JobSpec spec, JobStatus status) {
    List<String> lines = new ArrayList<>();
    lines.add(
        switch (PodFailurePolicy.withoutRule(failure.reason())) {
          case "BackoffLimitExceeded" ->
              "%s failed; its backoffLimit allows %d"
                  .formatted(
                      DisplayText.count(status.failed(), "pod", "pods"), spec.backoffLimit());
          case "DeadlineExceeded" ->
              "it was active for longer than its activeDeadlineSeconds: "
                  + spec.activeDeadlineSeconds();
          case PodFailurePolicy.REASON ->
              PodFailurePolicy.ruleOf(failure.reason())
                  + " of its podFailurePolicy ended it: "
                  + failure.message();
          case "MaxFailedIndexesExceeded" ->
              "%s failed for good; its maxFailedIndexes allows %d"
                  .formatted(failed(status), spec.maxFailedIndexes());
          case "FailedIndexes" -> failed(status) + " failed for good" + triesOfEach(spec);
          case CANCELLED -> failure.message();
          case "" -> "no reason was given";
          default ->
              failure.reason() + (failure.message().isEmpty() ? "" : ": " + failure.message());
        });
    if (failure.type().equals(JobCondition.FAILURE_TARGET)) {
      lines.add(stopping(status));
    }
    return lines;
  }

  private static String triesOfEach(JobSpec spec) {
    Integer retries = spec.backoffLimitPerIndex();
    if (retries == null) {
      return "";
    }
    PodFailurePolicy policy = spec.podFailurePolicy();
    boolean mayEndAtOnce =
        policy != null
            && policy.rules().stream().anyMatch(rule -> rule.action() == Action.FailIndex);
    return ": each may be retried "
        + DisplayText.count(retries, "time", "times")
        + " (backoffLimitPerIndex)"
        + (mayEndAtOnce ? ", unless its podFailurePolicy says FailIndex" : "");
  }

  private static List<String> explainSuccess(
      KubeObject job, JobCondition success, JobSpec spec, JobStatus status) {
    List<String> lines = new ArrayList<>();
    Integer completions = spec.completions();
    boolean early = completions != null && status.succeeded() < completions;
    if (success.reason().equals("FailedIndexesAllowed")) {
      lines.add("it is complete in spite of failed indexes: " + success.message());
    } else if (early && spec.successPolicy() != null) {
      lines.add("its successPolicy was met before all indexes had succeeded: " + success.message());
    } else if (early && JobOptions.inForce(job).success().hasGoal()) {
      lines.add("enough had succeeded before all had: " + success.message());
    }
    if (success.type().equals(JobCondition.SUCCESS_CRITERIA_MET)) {
      boolean mayGoOn = JobOptions.inForce(job).success().linger() != Linger.Terminate;
      Optional<JobCondition> ended =
          status.condition(JobCondition.LINGERING_ENDED).filter(JobCondition::isTrue);
      ended.ifPresent(end -> lines.add("its pods no longer go on: " + end.message()));
      lines.add(
          mayGoOn && ended.isEmpty() && status.active() > 0
              ? DisplayText.count(status.active(), "pod goes on", "pods go on")
                  + " after the success ("
                  + JobOptions.LINGER
                  + ")"
              : stopping(status));
    }
    return lines;
  }

  private static String stopping(JobStatus status) {
    Integer terminating = status.terminating();
    int pods = status.active() + (terminating == null ? 0 : terminating);
    return "waiting for " + DisplayText.count(pods, "pod", "pods") + " to stop";
  }

  private static String failed(JobStatus status) {
    IndexSet failed = status.failedIndexes();
    return DisplayText.namedIndexes(failed == null ? IndexSet.EMPTY : failed, SHOWN_INDEXES);
  }

  private static List<String> explainDeletion(KubeObject job) {
    List<String> lines = new ArrayList<>();
    if (job.deletionTimestamp() != null) {
      lines.add(
          "it is being deleted; it waits for its finalizers: "
              + String.join(", ", job.finalizers()));
      lines.addAll(mirrorProblem(job));
    }
    return lines;
  }

  private static List<String> mirrorProblem(KubeObject job) {
    return Mirrored.of(job).filter(mirrored -> !mirrored.problem().isEmpty()).stream()
        .map(mirrored ->
            mirrored.problem()
                + (mirrored.since() == null
                    ? ""
                    : " (not mirrored since " + Timestamps.format(mirrored.since()) + ")"))
        .toList();
  }

  private static List<String> explainUnfinished(
      KubeObject job,
      JobSpec spec,
      JobStatus status,
      List<ContainerAttemptView> attempts,
      RetryDelay delay) {
    List<String> lines = new ArrayList<>();
    String manager = spec.managedBy();
    if (manager != null && !manager.equals(Names.BUILT_IN_CONTROLLER)) {
      lines.add("its spec.managedBy assigns it to " + manager);
    }
    if (job.deletionTimestamp() == null) {
      lines.addAll(mirrorProblem(job));
    }
    if (AfterProgress.isWaiting(job)) {
      lines.add("it waits for other Jobs: " + job.annotation(After.ANNOTATION));
    } else if (spec.suspend()) {
      lines.add("it is suspended: no pods run until it is resumed");
    } else if (spec.parallelism() == 0) {
      lines.add("its parallelism is 0: no pods run");
    }
    attempts.stream()
        .filter(
            each -> each.state() == ContainerAttemptView.State.WAITING && !each.reason().isEmpty())
        .map(ContainerAttemptView::explanation)
        .distinct()
        .limit(3)
        .forEach(reason -> lines.add("pods are waiting: " + reason));
    if (job.deletionTimestamp() == null) {
      delay.explanation(spec, status, attempts).ifPresent(lines::add);
    }
    if (status.failed() > 0) {
      lines.add(retries(spec, status));
    }
    return lines;
  }

  private static String retries(JobSpec spec, JobStatus status) {
    String failed = DisplayText.count(status.failed(), "pod has failed", "pods have failed");
    return spec.backoffLimitPerIndex() == null
        ? failed + "; more than " + spec.backoffLimit() + " (backoffLimit) would fail the Job"
        : failed
            + "; each index may be retried "
            + DisplayText.count(spec.backoffLimitPerIndex(), "time", "times")
            + " (backoffLimitPerIndex)";
  }

  /** Describes the policies that decide the Job's outcome. */
  public static List<String> policies(KubeObject job) {
    ObjectNode spec = job.spec();
    List<String> policies = new ArrayList<>();
    for (String field :
        List.of(
            "completionMode",
            "completions",
            "parallelism",
            "backoffLimit",
            "backoffLimitPerIndex",
            "maxFailedIndexes",
            "activeDeadlineSeconds",
            "ttlSecondsAfterFinished",
            "podReplacementPolicy",
            "managedBy")) {
      JsonNode value = spec == null ? null : spec.get(field);
      boolean unlimited = value != null && value.isInt() && value.intValue() == Integer.MAX_VALUE;
      if (value != null && !unlimited) {
        policies.add(field + " " + (value.isString() ? value.stringValue() : value.toString()));
      }
    }
    JobOptions options = JobOptions.inForce(job);
    JobOptions.NAMES.stream()
        .filter(name -> options != JobOptions.NONE || name.equals(After.ANNOTATION))
        .filter(name -> job.annotation(name) != null)
        .filter(name -> !options.complaints().containsKey(name))
        .forEach(name -> policies.add(name + " " + job.annotation(name)));
    for (String policy : List.of("successPolicy", "podFailurePolicy")) {
      JsonNode rules = Json.arrayAt(Json.objectAt(spec, policy), "rules");
      if (rules != null) {
        policies.add(policy + " with " + DisplayText.count(rules.size(), "rule", "rules"));
      }
    }
    return policies;
  }
}
