package dev.stint.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.DeleteOptions;
import dev.stint.jobs.ApiCalls;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CronJobRowsTest {
  private static final String NIGHTLY =
      """
      {"apiVersion":"batch/v1","kind":"CronJob","metadata":{"name":"nightly","namespace":"default"},
       "spec":{"schedule":"0 3 * * *","jobTemplate":{"spec":{"template":{"spec":{"restartPolicy":"Never",
         "containers":[{"name":"main","image":"busybox"}]}}}}}}
      """;

  @TempDir private Path directory;
  private ConsoleTestBed bed;

  @BeforeEach
  void open() {
    bed = new ConsoleTestBed(directory);
  }

  @AfterEach
  void close() {
    bed.close();
  }

  @Test
  void allAreToldFirstAndAgainAfterEachChange() throws Exception {
    KubeObject made = ApiCalls.await(bed.cluster().create(KubeObject.of(Json.parse(NIGHTLY))));
    AtomicInteger changes = new AtomicInteger();
    try (CronJobRows rows = new CronJobRows(bed.options(bed.logs()), changes::incrementAndGet)) {
      rows.start();
      assertThat(rows.take())
          .singleElement()
          .satisfies(frame -> {
            assertThat(frame.event()).isEqualTo("cronjobs");
            assertThat(frame.data().at("/cronJobs/0/name").stringValue()).isEqualTo("nightly");
            assertThat(frame.data().at("/cronJobs/0/schedule").stringValue())
                .isEqualTo("0 3 * * *");
          });
      assertThat(rows.take()).isEqualTo(List.of());
      int before = changes.get();
      ApiCalls.await(bed.cluster().delete(made.ref(), DeleteOptions.now(made.uid())));
      bed.settle();
      assertThat(changes.get()).isGreaterThan(before);
      assertThat(rows.take().getFirst().data().get("cronJobs")).isEmpty();
    }
  }

  @Test
  void activeJobsAndLastTimesAreCopied() {
    KubeObject cronJob =
        KubeObject.of(
            Json.parse(
                NIGHTLY.replaceFirst(
                    "\\}\\s*$",
                    ",\"status\":{\"active\":[{\"name\":\"nightly-1\"}],"
                        + "\"lastScheduleTime\":\"2026-01-01T03:00:00Z\"}}")));
    assertThat(CronJobRows.row(cronJob).tree())
        .asString()
        .contains("\"active\":[\"nightly-1\"]", "\"lastScheduleTime\":\"2026-01-01T03:00:00Z\"");
  }
}
