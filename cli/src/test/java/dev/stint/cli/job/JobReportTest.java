package dev.stint.cli.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cli.Recorded;
import dev.stint.cli.output.ReportPrinter;
import dev.stint.covers.Covers;
import dev.stint.harness.JobBuilder;
import dev.stint.jobs.JobState;
import dev.stint.jobs.JobSummary;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JobReportTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  private static KubeObject object(String text) {
    return KubeObject.of(Json.parse(text.replace('\'', '"')));
  }

  private static KubeObject event(String reason, String message) {
    return object(
        ("{'apiVersion':'v1','kind':'Event','metadata':{'name':'e','namespace':'default'},"
                + "'type':'Normal','reason':'%s','message':'%s','count':1,"
                + "'lastTimestamp':'2026-01-01T00:00:00Z','involvedObject':{'uid':'u'}}")
            .formatted(reason, message));
  }

  private static List<String> report(String managedBy) {
    return report(managedBy, event("Queued", "it waits"));
  }

  private static List<String> report(String managedBy, KubeObject event) {
    KubeObject job =
        JobBuilder.named("j").uid("u").parallelism(1).completions(1).spec(managedBy).build();
    Recorded recorded = Recorded.plain();
    return JobReport.of(
            job,
            List.of(),
            List.of(event),
            _ -> List.of(),
            List.of(),
            JobSummary.of(job, NOW),
            Optional.empty())
        .text(new ReportPrinter(recorded.console()), recorded.console(), NOW);
  }

  @Test
  @Covers({"MB-42", "MB-43"})
  void aCustomControllerIsNamedRightBeforeTheEvents() {
    List<String> lines = report("'managedBy':'example.com/queue'");
    int events = lines.indexOf("events");
    assertThat(lines.subList(events - 2, events + 2))
        .containsExactly(
            "This Job is synchronized by a custom controller: example.com/queue",
            "",
            "events",
            "  2026-01-01T00:00:00Z  Queued: it waits");
  }

  @Test
  void anEventSaysWhyNoPodIsCreated() {
    assertThat(report("", event("FailedCreate", "Error creating: over quota")))
        .contains("  why: no pods are created: over quota");
  }

  @Test
  void theRateOfARerunCountsOnlyWhatItRan() {
    KubeObject job =
        JobBuilder.indexed("j-rerun-1")
            .completions(10)
            .annotation("stint.dev/rerun-of", "j")
            .annotation("stint.dev/rerun-indexes", "3")
            .status("'startTime':'2025-12-31T23:59:50Z','succeeded':10,'completedIndexes':'0-9'")
            .condition("Complete", "CompletionsReached", "", NOW)
            .build();
    Recorded recorded = Recorded.plain();
    assertThat(
            JobReport.of(
                    job,
                    List.of(),
                    List.of(),
                    _ -> List.of(),
                    List.of(),
                    JobSummary.of(job, NOW),
                    Optional.empty())
                .text(new ReportPrinter(recorded.console()), recorded.console(), NOW))
        .contains("  progress: 10 of 10 succeeded (10s, 0.1/s)");
  }

  @Test
  void aJobThatNobodyWorksOnIsInterrupted() {
    KubeObject job =
        JobBuilder.named("j")
            .completions(4)
            .status("'startTime':'2025-12-31T23:59:50Z','active':4,'ready':4")
            .build();
    JobSummary summary = JobSummary.of(job, NOW);
    assertThat(summary.withoutController(true).state()).isEqualTo(JobState.INTERRUPTED);
    assertThat(summary.withoutController(true).counts().active()).isZero();
    assertThat(summary.withoutController(false).counts().active()).isEqualTo(4);
    KubeObject untouched = JobBuilder.named("j").completions(4).build();
    assertThat(JobSummary.of(untouched, NOW).withoutController(true).state())
        .isEqualTo(JobState.WAITING);
  }

  @Test
  void noControllerIsNamedForOtherJobs() {
    assertThat(report("")).noneMatch(line -> line.contains("custom controller"));
    assertThat(report("'managedBy':'kubernetes.io/job-controller'"))
        .noneMatch(line -> line.contains("custom controller"));
  }
}
