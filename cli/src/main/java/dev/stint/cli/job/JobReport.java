package dev.stint.cli.job;

import dev.stint.cli.flag.DurationConverter;
import dev.stint.cli.output.Console;
import dev.stint.cli.output.ReportPrinter;
import dev.stint.cli.report.Progress;
import dev.stint.cli.report.ProgressBar;
import dev.stint.jobs.DisplayText;
import dev.stint.jobs.JobConditions;
import dev.stint.jobs.JobCounts;
import dev.stint.jobs.JobEvent;
import dev.stint.jobs.JobExplanation;
import dev.stint.jobs.JobState;
import dev.stint.jobs.JobSummary;
import dev.stint.jobs.RerunOrigin;
import dev.stint.jobs.attempts.ContainerAttemptView;
import dev.stint.jobs.attempts.LastFailures;
import dev.stint.jobs.attempts.Sidecars;
import dev.stint.model.ExponentialBackoff;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import dev.stint.model.Timestamps;
import dev.stint.model.index.IndexSet;
import dev.stint.model.job.JobCondition;
import dev.stint.model.job.JobStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The report of {@code stint show} about a Job.
 *
 * @param kept the successes that it has taken over from an earlier Job
 * @param why the reasons for its state, in words
 * @param next commands that the user may run next
 * @param lineage the earlier Job that it reruns, in words; empty if there is none
 * @param manager the controller that the Job is left to; "" for the built-in one
 */
record JobReport(
    JobSummary summary,
    JobCounts kept,
    List<String> why,
    List<String> next,
    List<String> lineage,
    List<String> policies,
    List<JobCondition> conditions,
    String failedIndexes,
    List<Failure> failures,
    String manager,
    List<JobEvent> events) {
  private static final int MOST_FAILURES = 5;
  private static final int MOST_EVENTS = 10;
  private static final int SHOWN_INDEXES = 100;
  private static final int LONGEST_ITEM = 60;

  /**
   * The last failed attempt of an index.
   *
   * @param tail the last lines of its log
   */
  record Failure(ContainerAttemptView attempt, List<String> tail) {}

  /** Reads the tail of an attempt's log. */
  @FunctionalInterface
  interface Tail {
    List<String> of(ContainerAttemptView attempt);
  }

  static JobReport of(
      KubeObject job,
      List<ContainerAttemptView> attempts,
      List<KubeObject> events,
      Tail tail,
      List<String> next,
      JobSummary summary,
      Optional<ExponentialBackoff> backoff) {
    JobStatus status = JobStatus.read(job.status());
    IndexSet failed = status.failedIndexes();
    return new JobReport(
        summary,
        RerunOrigin.keptCounts(job),
        why(job, attempts, events, summary, backoff),
        next,
        RerunOrigin.of(job).map(RerunOrigin::description).stream().toList(),
        JobExplanation.policies(job),
        status.conditions(),
        failed == null ? "" : failed.toString(),
        LastFailures.of(
                attempts, status.completedIndexes(), failed, Sidecars.of(job), MOST_FAILURES)
            .stream()
            .map(attempt -> new Failure(attempt, tail.of(attempt)))
            .toList(),
        manager(job),
        JobEvent.last(MOST_EVENTS, job, events));
  }

  /** Returns this report with more reasons for the Job's state. */
  JobReport withReasons(List<String> more) {
    return new JobReport(
        summary,
        kept,
        Stream.concat(why.stream(), more.stream()).toList(),
        next,
        lineage,
        policies,
        conditions,
        failedIndexes,
        failures,
        manager,
        events);
  }

  private static List<String> why(
      KubeObject job,
      List<ContainerAttemptView> attempts,
      List<KubeObject> events,
      JobSummary summary,
      Optional<ExponentialBackoff> backoff) {
    List<String> why = new ArrayList<>();
    if (summary.state() == JobState.INTERRUPTED) {
      why.add(
          summary.counts().active() == 0
              ? "it was interrupted: its pods are stopped, and its successes are kept"
              : "it was interrupted: pods may still run, and the next start adopts them");
    }
    why.addAll(JobExplanation.of(job, attempts, JobEvent.of(job, events), backoff));
    return why;
  }

  /** Returns the controller that a Job is left to; "" for the built-in one (KEP-4368). */
  private static String manager(KubeObject job) {
    String manager = Json.text(job.spec(), "managedBy");
    return manager == null || manager.equals(Names.BUILT_IN_CONTROLLER) ? "" : manager;
  }

  /** Returns the report as lines of text. */
  List<String> text(ReportPrinter printer, Console console, Instant now) {
    List<String> lines = new ArrayList<>();
    String reason = summary.reason().isEmpty() ? "" : " (" + summary.reason() + ")";
    lines.add(
        printer.bold(summary.name())
            + " in "
            + summary.namespace()
            + ": "
            + printer.state(summary.state(), summary.state().displayName() + reason));
    lines.add(progress(console, now));
    why.forEach(line -> lines.add("  why: " + line));
    next.forEach(line -> lines.add("  next: " + line));
    lineage.forEach(line -> lines.add("  from: " + line));
    lines.add("  policies: " + String.join(", ", policies));
    if (!failedIndexes.isEmpty()) {
      lines.add("  failed indexes: " + DisplayText.indexes(failedIndexes, SHOWN_INDEXES));
    }
    section(lines, printer, "conditions", conditions.stream().map(JobReport::line).toList());
    failures(lines, printer, now);
    if (!manager.isEmpty()) {
      lines.add("");
      lines.add("This Job is synchronized by a custom controller: " + manager);
    }
    section(lines, printer, "events", events.stream().map(event -> line(printer, event)).toList());
    return lines;
  }

  private String progress(Console console, Instant now) {
    Instant start = summary.started();
    Instant from = start == null ? now : start;
    Instant until = summary.ended() == null ? now : summary.ended();
    if (console.outTerminal() && !summary.state().isFinished()) {
      return new Progress(" ", kept, from)
          .bar(summary.counts(), until, console.columns(), ProgressBar.ofOut(console));
    }
    Progress progress = new Progress("  progress", kept, from);
    return summary.left() == null
        ? progress.lastLine(summary.counts(), until)
        : progress.line(summary.counts(), until);
  }

  private static void section(
      List<String> lines, ReportPrinter printer, String title, List<String> content) {
    if (!content.isEmpty()) {
      lines.add("");
      lines.add(printer.bold(title));
      content.forEach(line -> lines.add("  " + line));
    }
  }

  private static String line(JobCondition condition) {
    String at =
        condition.transition() == null ? "" : Timestamps.format(condition.transition()) + "  ";
    return at
        + condition.type()
        + (condition.isTrue() ? "" : " is " + condition.status())
        + (condition.reason().isEmpty() ? "" : "  " + condition.reason())
        + (condition.message().isEmpty() ? "" : ": " + condition.message());
  }

  private static String line(ReportPrinter printer, JobEvent event) {
    Instant at = event.at();
    String times = event.count() > 1 ? " (" + event.count() + " times)" : "";
    String reason = event.warning() ? printer.odd(event.reason()) : event.reason();
    return (at == null ? "" : Timestamps.format(at) + "  ")
        + reason
        + ": "
        + event.message()
        + times;
  }

  private void failures(List<String> lines, ReportPrinter printer, Instant now) {
    for (Failure failure : failures) {
      ContainerAttemptView attempt = failure.attempt();
      Duration took = attempt.duration(now);
      String who =
          attempt.index() == null
              ? "pod " + attempt.pod()
              : "index " + attempt.index() + item(attempt) + ", attempt " + attempt.number();
      String code = attempt.exitCode() == null ? "failed" : "exit code " + attempt.exitCode();
      String why = attempt.explanation();
      lines.add("");
      lines.add(
          printer.bold("last failure of " + who)
              + ": "
              + printer.bad(code)
              + (took == null ? "" : " after " + DurationConverter.took(took))
              + (why.isEmpty() ? "" : ", " + why));
      failure.tail().forEach(line -> lines.add("  | " + line));
    }
  }

  private static String item(ContainerAttemptView attempt) {
    String item = attempt.item();
    return item == null ? "" : " (" + DisplayText.cut(item, LONGEST_ITEM) + ")";
  }

  /** Returns the report as JSON. */
  ObjectNode json(Instant now) {
    ObjectNode tree = summary.json();
    texts(tree, "why", why);
    texts(tree, "next", next);
    texts(tree, "lineage", lineage);
    if (!failedIndexes.isEmpty()) {
      tree.put("failedIndexList", failedIndexes);
    }
    tree.set("conditions", JobConditions.json(conditions));
    ArrayNode ends = tree.putArray("failures");
    failures.forEach(failure -> {
      ObjectNode each = failure.attempt().json(now);
      texts(each, "logTail", failure.tail());
      ends.add(each);
    });
    ArrayNode all = tree.putArray("events");
    events.forEach(event -> all.add(event.json()));
    return tree;
  }

  private static void texts(ObjectNode tree, String member, List<String> texts) {
    ArrayNode list = tree.putArray(member);
    texts.forEach(list::add);
  }
}
