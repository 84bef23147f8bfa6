package dev.stint.cli.follow;

import dev.stint.cli.output.Console;
import dev.stint.cli.output.ExitCode;
import dev.stint.cli.report.CiMessages;
import dev.stint.cli.report.FailedPods;
import dev.stint.cli.report.JUnitReport;
import dev.stint.cli.report.JobOutcome;
import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.jobs.ApiCalls;
import dev.stint.jobs.JobChanges;
import dev.stint.jobs.JobItems;
import dev.stint.jobs.RunAnnotations;
import dev.stint.jobs.attempts.AttemptHistory;
import dev.stint.jobs.attempts.ContainerAttemptView;
import dev.stint.jobs.attempts.LogSource;
import dev.stint.jobs.attempts.LogTails;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/** Tells the outcome of each Job of a {@code run} once, and writes the report for CI. */
final class RunReport {
  private static final Logger LOG = LoggerFactory.getLogger(RunReport.class);
  private static final int LINES_OF_A_LOG = 5;
  private static final int LINES_IN_A_FILE = 20;

  private final Console console;
  private final Cluster cluster;
  private final RunTarget target;
  private final InstantSource clock;
  private final int jobs;
  private final FollowOptions options;
  private final LogAllowance allowance;
  private final CiMessages messages;
  private final Map<String, JobOutcome> told = new LinkedHashMap<>();
  private final List<JUnitReport.Suite> suites = new ArrayList<>();
  private boolean isLost;

  /**
   * @param jobs the number of Jobs of the run
   */
  RunReport(
      Console console,
      Cluster cluster,
      RunTarget target,
      InstantSource clock,
      int jobs,
      FollowOptions options,
      LogAllowance allowance) {
    this.console = console;
    this.cluster = cluster;
    this.target = target;
    this.clock = clock;
    this.jobs = jobs;
    this.options = options;
    this.allowance = allowance;
    this.messages = CiMessages.of(console.environment());
  }

  /**
   * Tells the outcome of a Job, unless it was told: the verdict first, since logs may be long in
   * coming.
   */
  void tell(KubeObject job, JobOutcome outcome, Consumer<String> say) {
    if (told.putIfAbsent(job.uid(), outcome) != null) {
      return;
    }
    messages.before(job.name(), outcome, clock.instant()).forEach(console.err()::println);
    outcome.verdictLines().forEach(say);
    List<String> lines = outcome.hasFailed() ? failures(job) : List.of();
    lines.forEach(line -> say.accept("  " + line));
    outcome
        .nextLines(target.placeOfLogs(job), target.flags(job), options.repeatable())
        .forEach(say);
    messages.after(job.name(), outcome, lines, clock.instant()).forEach(console.err()::println);
    add(job, outcome.hasFailed() ? outcome.verdict() : "");
  }

  /**
   * Adds a Job to the report for CI, if there is one: it reads all attempts. The report is lost if
   * the cluster refuses that: without a Job, it would say less than the truth.
   *
   * @param problem why it did not succeed; empty if it did
   */
  void add(KubeObject job, String problem) {
    if (options.junit() == null) {
      return;
    }
    Optional<JobItems> items = JobItems.readable(cluster, job);
    try {
      suites.add(
          JUnitReport.suite(
              job,
              AttemptHistory.find(
                  job.namespace(),
                  job.name(),
                  job,
                  JobChanges.pods(cluster, job),
                  target.files(),
                  false),
              index -> items.flatMap(known -> known.display(index)),
              attempt -> tail(job, attempt, LINES_IN_A_FILE),
              problem));
    } catch (IOException fault) {
      console.say(job.name() + ": its attempts cannot be read: " + fault.getMessage());
    } catch (ClusterException refused) {
      lose("not written: the pods of " + job.name() + " cannot be read: " + refused.getMessage());
    }
  }

  /** Returns lines about the pods that failed. The verdict holds, even if they cannot be read. */
  private List<String> failures(KubeObject job) {
    try {
      Optional<JobItems> items = JobItems.readable(cluster, job);
      return FailedPods.last(
              JobChanges.pods(cluster, job), index -> items.flatMap(known -> known.display(index)))
          .stream()
          .flatMap(failure -> lines(job, failure).stream())
          .toList();
    } catch (ClusterException refused) {
      return List.of("its pods cannot be read: " + refused.getMessage());
    }
  }

  private List<String> lines(KubeObject job, FailedPods.Failure failure) {
    List<String> lines = new ArrayList<>(failure.lines());
    failure.attempts().stream()
        .flatMap(attempt -> tail(job, attempt, LINES_OF_A_LOG).stream())
        .forEach(line -> lines.add("  | " + line));
    return lines;
  }

  private List<String> tail(KubeObject job, ContainerAttemptView attempt, long lines) {
    if (!target.hasLogs()) {
      return List.of();
    }
    LogSource logs = target.logs(job);
    return LogTails.read(target.files() == null ? allowance.limited(logs) : logs, attempt, lines);
  }

  /**
   * Records that the outcome of a Job was reported, so that the same command starts it anew. If
   * this cannot be stored, the command reports the outcome again.
   */
  void markReported(KubeObject job) {
    ObjectNode patch = Json.object();
    patch
        .putObject("metadata")
        .put("uid", job.uid())
        .putObject("annotations")
        .put(RunAnnotations.REPORTED, "true");
    try {
      ApiCalls.await(cluster.patch(job.ref(), patch));
    } catch (ClusterException refused) {
      LOG.warn(
          "Cannot mark {} as reported; the same command will report it again: {}",
          job,
          refused.getMessage());
    }
  }

  /** True if the outcome of a Job was told. */
  boolean hasTold(KubeObject job) {
    return told.containsKey(job.uid());
  }

  /** True if a Job has failed. */
  boolean hasFailed() {
    return JobOutcome.exitCode(told.values()) == ExitCode.FAILED;
  }

  /** Returns one line about several Jobs; empty if there is one. */
  Optional<String> summary() {
    List<String> failed =
        told.values().stream().filter(JobOutcome::hasFailed).map(JobOutcome::job).toList();
    return jobs == 1
        ? Optional.empty()
        : Optional.of(
            "%d Jobs: %d Complete, %d Failed%s"
                .formatted(
                    jobs,
                    told.size() - failed.size(),
                    failed.size(),
                    failed.isEmpty() ? "" : " (" + String.join(", ", failed) + ")"));
  }

  /**
   * Writes the report for CI, if there is one. A fault is told, and no exception: the outcome of
   * the Jobs matters more.
   */
  void write() {
    Path to = options.junit();
    if (to == null || isLost) {
      return;
    }
    try {
      Files.writeString(to, JUnitReport.text(suites));
    } catch (IOException fault) {
      lose("cannot be written: " + fault.getMessage());
    }
  }

  private void lose(String why) {
    isLost = true;
    console.say("--report %s: %s; the same command tries again".formatted(options.junit(), why));
  }

  /** True if the report for CI could not be written. */
  boolean isLost() {
    return isLost;
  }
}
