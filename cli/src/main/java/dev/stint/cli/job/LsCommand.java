package dev.stint.cli.job;

import dev.stint.cli.flag.DurationConverter;
import dev.stint.cli.location.JobsTarget;
import dev.stint.cli.location.TargetCommand;
import dev.stint.cli.output.Console;
import dev.stint.cli.output.ExitCode;
import dev.stint.cli.output.ReportFormat;
import dev.stint.cli.output.ReportPrinter;
import dev.stint.cli.report.Progress;
import dev.stint.jobs.ApiCalls;
import dev.stint.jobs.DeviceUse;
import dev.stint.jobs.JobSummary;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code stint ls}: lists all Jobs, one per line. */
@Command(
    name = "ls",
    description = "List Jobs, newest first, with state, counts, rate and remaining time.",
    footer = {
      "",
      "Example:",
      "  stint ls -A -o json | jq '.jobs[] | select(.state == \"Failed\").name'"
    })
public final class LsCommand extends TargetCommand {
  @Option(
      names = {"-A", "--all-namespaces"},
      description = "List the Jobs of all namespaces.")
  boolean all;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "text|json|yaml|name",
      description = "Output format (default: text).")
  ReportFormat format = ReportFormat.text;

  public LsCommand(Console console) {
    super(console);
  }

  @Override
  public ExitCode run(JobsTarget target) {
    Instant now = clock.instant();
    @Nullable String namespace = all ? null : target.namespace();
    List<JobSummary> jobs =
        ApiCalls.await(target.cluster().list(Kind.JOB, namespace)).items().stream()
            .map(job -> JobSummaries.of(target, job, now))
            .sorted(newestFirst())
            .toList();
    if (jobs.isEmpty() && format == ReportFormat.text) {
      console.say(
          (all ? "no Jobs" : "no Jobs in namespace " + namespace)
              + target
                  .idleData()
                  .map(data -> " of " + data + " (no controller is running)")
                  .orElse(""));
      return ExitCode.OK;
    }
    if (format == ReportFormat.text) {
      target
          .idleData()
          .ifPresent(data -> console.say("Jobs in " + data + " (no controller is running)"));
    }
    ReportPrinter printer = new ReportPrinter(console);
    printer.print(
        format,
        () -> text(printer, jobs, all, now),
        () -> json(jobs),
        () -> jobs.stream().map(job -> "job.batch/" + job.name()).toList());
    if (format == ReportFormat.text && target.hasController() && target.data().isPresent()) {
      DeviceUse.of(target.cluster()).lines().forEach(console::say);
    }
    return ExitCode.OK;
  }

  private static Comparator<JobSummary> newestFirst() {
    return Comparator.comparing(
            JobSummary::created, Comparator.nullsFirst(Comparator.<Instant>naturalOrder()))
        .reversed()
        .thenComparing(JobSummary::namespace)
        .thenComparing(JobSummary::name);
  }

  static JsonNode json(List<JobSummary> jobs) {
    ObjectNode tree = Json.object();
    ArrayNode list = tree.putArray("jobs");
    jobs.forEach(job -> list.add(job.json()));
    return tree;
  }

  static List<String> text(
      ReportPrinter printer, List<JobSummary> jobs, boolean namespaces, Instant now) {
    List<List<String>> rows = new ArrayList<>();
    List<String> heading =
        List.of("NAME", "STATE", "DONE", "FAILED", "ACTIVE", "RATE", "LEFT", "TOOK", "AGE");
    rows.add(namespaces ? with("NAMESPACE", heading) : heading);
    for (JobSummary job : jobs) {
      List<String> row = row(job, now);
      rows.add(namespaces ? with(job.namespace(), row) : row);
    }
    int state = namespaces ? 2 : 1;
    return printer.table(
        rows,
        (row, column, cell) -> column == state ? printer.state(jobs.get(row).state(), cell) : cell);
  }

  private static List<String> with(String first, List<String> rest) {
    List<String> all = new ArrayList<>(List.of(first));
    all.addAll(rest);
    return all;
  }

  private static List<String> row(JobSummary job, Instant now) {
    Double rate = job.ratePerSecond();
    Duration left = job.left();
    Instant created = job.created();
    return List.of(
        job.name(),
        job.state().displayName(),
        job.done(),
        Long.toString(job.counts().failed()),
        Long.toString(job.counts().active()),
        rate == null ? "-" : Progress.rateText(rate),
        left == null ? "-" : DurationConverter.brief(left),
        job.took(now).map(DurationConverter::took).orElse("-"),
        created == null ? "-" : DurationConverter.brief(Duration.between(created, now)));
  }
}
