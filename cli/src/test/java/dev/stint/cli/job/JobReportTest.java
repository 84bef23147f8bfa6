package dev.stint.cli.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cli.Recorded;
import dev.stint.cli.output.ReportPrinter;
import dev.stint.covers.Covers;
import dev.stint.harness.JobBuilder;
import dev.stint.jobs.JobSummary;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class JobReportTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  private static KubeObject object(String text) {
    return KubeObject.of(Json.parse(text.replace('\'', '"')));
  }

  private static List<String> report(String managedBy) {
    KubeObject job =
        JobBuilder.named("j").uid("u").parallelism(1).completions(1).spec(managedBy).build();
    KubeObject event =
        object(
            "{'apiVersion':'v1','kind':'Event','metadata':{'name':'e','namespace':'default'},"
                + "'type':'Normal','reason':'Queued','message':'it waits','count':1,"
                + "'lastTimestamp':'2026-01-01T00:00:00Z','involvedObject':{'uid':'u'}}");
    Recorded recorded = Recorded.plain();
    return JobReport.of(
            job, List.of(), List.of(event), _ -> List.of(), true, "", JobSummary.of(job, NOW))
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
  void noControllerIsNamedForOtherJobs() {
    assertThat(report("")).noneMatch(line -> line.contains("custom controller"));
    assertThat(report("'managedBy':'kubernetes.io/job-controller'"))
        .noneMatch(line -> line.contains("custom controller"));
  }
}
