package dev.stint.embedded.benchmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.embedded.ControlPlane;
import dev.stint.embedded.ControlPlaneOptions;
import dev.stint.embedded.ThreadTimers;
import dev.stint.store.engine.SimulatedEngine;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobRunTest {
  @TempDir Path directory;

  @Test
  void everyIndexRunsOnceAndIsMeasured() throws Exception {
    JobRunReport report = JobRun.run(new JobRunOptions(30, 7, 2, false, false), directory);
    assertThat(report.pods()).isEqualTo(60);
    assertThat(report.wallSeconds()).isPositive();
    assertThat(report.createToStart().p50()).isPositive();
    assertThat(report.finishToStatus().p99()).isPositive();
    assertThat(report.lastEndToComplete().p50()).isPositive();
    assertThat(report.storeBytes().orElseThrow()).isPositive();
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void everyIndexRunsTwiceIfFirstPodsFail() throws Exception {
    JobRunReport report = JobRun.run(new JobRunOptions(20, 20, 1, true, true), directory);
    assertThat(report.pods()).isEqualTo(40);
  }

  @Test
  void jobsAreCreatedAtARate() throws Exception {
    JobRunOptions options = new JobRunOptions(2, 2, 3, false, false, false, null, 100);
    JobRunReport report = JobRun.run(options, directory);
    assertThat(report.pods()).isEqualTo(6);
    assertThat(report.text()).contains("parallelism 2, 100 Jobs a second: 6 pods");
    assertThat(report.json().path("jobsPerSecond").asInt()).isEqualTo(100);
  }

  @Test
  void processesAreComparedWithXargs() throws Exception {
    JobRunReport report =
        JobRun.run(new JobRunOptions(20, 4, 1, false, false, true, null, 0), directory);
    assertThat(report.pods()).isEqualTo(20);
    assertThat(report.createToStart().p50()).isPositive();
    assertThat(report.finishToStatus().p99()).isPositive();
    assertThat(report.xargsPerSecond().orElseThrow()).isPositive();
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void aClusterWithoutAJobControllerIsGivenUp() throws Exception {
    try (ControlPlane plane = new ControlPlane(new SimulatedEngine(), ControlPlaneOptions.DEFAULT);
        ThreadTimers timers = new ThreadTimers()) {
      JobRunOptions options = new JobRunOptions(1, 1, 1, false, false, false, "acme.io/batch", 0);
      List<String> told = Collections.synchronizedList(new ArrayList<>());
      String message =
          "nothing has happened for 0 s: no pods exist; is a Job controller running in the cluster"
              + " that takes Jobs of --managed-by acme.io/batch?";
      assertThatThrownBy(
              () -> JobRun.on(plane.cluster(), timers, options, Duration.ofMillis(300), told::add))
          .cause()
          .isInstanceOf(StalledException.class)
          .hasMessage(message);
      assertThat(told).as("once, unless something happened meanwhile").containsOnly(message);
    }
  }

  @Test
  void aReportReadsTheSameAsTextAndAsJson() {
    JobRunReport report =
        new JobRunReport(
            JobRunOptions.of(10_000),
            10_000,
            2,
            3.5,
            new JobRunReport.Percentiles(1.25, 9),
            new JobRunReport.Percentiles(2, 8),
            new JobRunReport.Percentiles(3, 7),
            OptionalLong.of(5_000_000),
            7_000_000,
            OptionalDouble.of(10_000));
    assertThat(report.text())
        .contains("1 x 10000 completions, parallelism 1000: 10000 pods")
        .contains("2.00 s   (5000 pods per second)")
        .contains("1.3 ms  (median; 99th percentile 9.0 ms)")
        .contains("50 %   (which runs 10000 commands per second)");
    assertThat(report.json().toString())
        .contains("\"podsPerSecond\":5000.0")
        .contains("\"createToStartMillis\":{\"p50\":1.25,\"p99\":9.0}")
        .contains("\"lastEndToCompleteMillis\":{\"p50\":3.0,\"p99\":7.0}")
        .contains("\"storeBytes\":5000000")
        .contains("\"ratioToXargs\":0.5");
  }

  @Test
  void invalidOptionsAreRefused() {
    assertThatThrownBy(() -> new JobRunOptions(0, 1, 1, false, false))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("completions must be at least 1, not 0");
  }
}
