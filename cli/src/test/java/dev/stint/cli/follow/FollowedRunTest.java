package dev.stint.cli.follow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cli.Recorded;
import dev.stint.cli.output.OutputFormat;
import dev.stint.cli.submit.JobSubmission;
import dev.stint.cli.submit.RequestedJob;
import dev.stint.cli.submit.RunDecision;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.harness.FakeCluster;
import dev.stint.harness.JobBuilder;
import dev.stint.harness.TestTime;
import dev.stint.jobs.attempts.LogSource;
import dev.stint.model.KubeObject;
import dev.stint.model.document.Documents;
import dev.stint.runner.log.LogTree;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The report of Jobs on a cluster that does not answer as it should. */
class FollowedRunTest {
  @TempDir private Path directory;
  private final TestTime time = new TestTime();
  private final FakeCluster cluster = new FakeCluster(Runnable::run, time);
  private final Recorded recorded = Recorded.plain();
  private LogSource logs =
      (_, _, _, _, out) -> out.write("oops\n".getBytes(StandardCharsets.UTF_8));

  /** A cluster: logs are on other machines. */
  private final class Target implements RunTarget {
    @Override
    public String flags(KubeObject job) {
      return "";
    }

    @Override
    public String started(KubeObject job) {
      return "started";
    }

    @Override
    public String resumed(KubeObject job) {
      return "resumed";
    }

    @Override
    public String placeOfLogs(KubeObject job) {
      return "stint logs " + job.name();
    }

    @Override
    public LogSource logs(KubeObject job) {
      return logs;
    }

    @Override
    public boolean hasLogs() {
      return true;
    }

    @Override
    public @Nullable LogTree files() {
      return null;
    }
  }

  /** Returns a Job that has ended, or runs if the condition is empty. */
  private KubeObject job(String name, String condition) {
    JobBuilder job = JobBuilder.indexed(name).completions(1);
    return cluster.add(condition.isEmpty() ? job : job.condition(condition, "", "", Instant.EPOCH));
  }

  private void failedPod(KubeObject job) {
    cluster.add(
        """
        {"apiVersion": "v1", "kind": "Pod",
         "metadata": {"name": "%s-0", "namespace": "default",
           "annotations": {"batch.kubernetes.io/job-completion-index": "0"},
           "ownerReferences": [{"apiVersion": "batch/v1", "kind": "Job", "name": "%s",
                                "uid": "%s", "controller": true}]},
         "spec": {"containers": [{"name": "main", "image": "busybox"}]},
         "status": {"phase": "Failed", "containerStatuses": [{"name": "main", "restartCount": 0,
           "state": {"terminated": {"exitCode": 3, "startedAt": "2026-01-01T00:00:00Z",
                                    "finishedAt": "2026-01-01T00:00:01Z"}}}]}}
        """
            .formatted(job.name(), job.name(), job.uid()));
  }

  private FollowedRun run(FollowOptions options, KubeObject... jobs) {
    List<JobSubmission.Applied> applied =
        Stream.of(jobs)
            .map(job ->
                new JobSubmission.Applied(requested(job.name()), new RunDecision.Create(), job))
            .toList();
    FollowedRun run =
        new FollowedRun(
            recorded.console(),
            cluster,
            time,
            new Target(),
            applied.stream().map(JobSubmission.Applied::requested).toList(),
            options);
    run.begin(applied);
    return run;
  }

  private static RequestedJob requested(String name) {
    String text =
        "apiVersion: batch/v1\nkind: Job\nmetadata: {name: %s, namespace: default}\nspec: {}"
            .formatted(name);
    return RequestedJob.of(
        Documents.read("test", text.getBytes(StandardCharsets.UTF_8)).getFirst());
  }

  private void refusePods() {
    cluster.before(request -> {
      if (request.line().startsWith("list pods")) {
        throw new ClusterException(Reason.INTERNAL, "leader changed");
      }
    });
  }

  private FollowOptions reporting() {
    return new FollowOptions(
        null, OutputFormat.json, false, false, directory.resolve("report.xml"), true);
  }

  @Test
  void aFailedJobIsReportedThoughItsPodsCannotBeRead() {
    refusePods();
    try (FollowedRun run = run(FollowOptions.of(OutputFormat.json), job("bad", "Failed"))) {
      RunEnd.Reason why = run.await();
      run.report();
      assertThat(run.status(why)).isEqualTo(1);
    }
    assertThat(recorded.err())
        .anyMatch(line -> line.startsWith("stint: bad: Failed"))
        .contains("stint:   its pods cannot be read: leader changed");
    assertThat(recorded.out()).anyMatch(line -> line.contains("\"name\" : \"bad\""));
  }

  /** Its node is away: the log never comes. */
  private void neverLogs(Runnable meanwhile) {
    logs =
        (_, _, _, _, _) -> {
          meanwhile.run();
          new CountDownLatch(1).await();
        };
  }

  private KubeObject bad() {
    KubeObject bad = job("bad", "Failed");
    failedPod(bad);
    return bad;
  }

  private static final String NO_LOG =
      "stint:     | (cannot read the log: it has not come in time)";

  @Test
  @Timeout(60)
  void theVerdictDoesNotWaitForALog() {
    List<String> before = new ArrayList<>();
    neverLogs(() -> {
      before.addAll(recorded.err());
      time.advanceOnceArmed(LogAllowance.MOST);
    });
    try (FollowedRun run = run(FollowOptions.of(OutputFormat.text), bad())) {
      RunEnd.Reason why = run.await();
      run.report();
      assertThat(run.status(why)).isEqualTo(1);
    }
    assertThat(before).anyMatch(line -> line.startsWith("stint: bad: Failed"));
    assertThat(recorded.err()).contains(NO_LOG);
  }

  @Test
  @Timeout(60)
  void aSignalEndsTheWaitForALog() {
    try (FollowedRun run = run(FollowOptions.of(OutputFormat.text), bad())) {
      neverLogs(run::hurry);
      RunEnd.Reason why = run.await();
      run.report();
      assertThat(run.status(why)).isEqualTo(1);
    }
    assertThat(recorded.err()).contains(NO_LOG);
  }

  @Test
  void noLogIsReadAfterASignal() {
    neverLogs(() -> {
      throw new AssertionError("a log is read");
    });
    try (FollowedRun run = run(FollowOptions.of(OutputFormat.text), bad(), job("other", ""))) {
      run.end().set(new RunEnd.Reason.Signalled("TERM"));
      RunEnd.Reason why = run.await();
      run.reportEarly(job -> job.name() + ": goes on");
      assertThat(run.status(why)).isEqualTo(143);
    }
    assertThat(recorded.err())
        .contains("stint:     | (cannot read the log: it was not waited for any more)");
  }

  @Test
  @Timeout(60)
  void otherJobsAreStoppedBeforeALogIsRead() {
    List<String> stopped = new ArrayList<>();
    List<String> before = new ArrayList<>();
    neverLogs(() -> {
      before.addAll(stopped);
      time.advance(LogAllowance.MOST);
    });
    FollowOptions failFast = new FollowOptions(null, OutputFormat.text, false, true, null, true);
    try (FollowedRun run = run(failFast, bad(), job("other", ""))) {
      RunEnd.Reason why = run.await();
      run.reportEarly(job -> {
        stopped.add(job.name());
        return job.name() + ": stopped";
      });
      assertThat(run.status(why)).isEqualTo(1);
    }
    assertThat(before).containsExactly("other");
    assertThat(recorded.err())
        .containsSubsequence(NO_LOG, "stint: other: stopped")
        .doesNotHaveDuplicates();
  }

  @Test
  void onlyTheReportIsLostIfPodsCannotBeRead() {
    refusePods();
    try (FollowedRun run = run(reporting(), job("good", "Complete"))) {
      RunEnd.Reason why = run.await();
      run.report();
      run.markReported();
      assertThat(run.status(why)).isEqualTo(2);
    }
    Path report = directory.resolve("report.xml");
    assertThat(recorded.err())
        .anyMatch(line -> line.startsWith("stint: good: Complete"))
        .contains(
            "stint: --report %s: not written: the pods of good cannot be read: leader changed; the same command tries again"
                .formatted(report));
    assertThat(recorded.out()).anyMatch(line -> line.contains("\"name\" : \"good\""));
    assertThat(report).doesNotExist();
    assertThat(cluster.requests).as("the same command reports it again").isEmpty();
  }
}
