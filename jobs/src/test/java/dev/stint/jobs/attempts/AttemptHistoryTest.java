package dev.stint.jobs.attempts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.harness.JobBuilder;
import dev.stint.harness.PodBuilder;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.index.IndexSet;
import dev.stint.runner.log.LogTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AttemptHistoryTest {
  @Test
  void aFailureBeforeASuccessIsNoLastFailure() throws IOException {
    record("u", 1, "hello-1-a", 0, 143, "01");
    record("u", 1, "hello-1-b", 0, 0, "02");
    record("u", 2, "hello-2-b", 0, 3, "04");
    List<ContainerAttemptView> all =
        AttemptHistory.find("default", "hello", job("u"), List.of(), logs(), false);
    assertThat(LastFailures.of(all, IndexSet.of(1), null, Set.of(), 9))
        .extracting(ContainerAttemptView::pod)
        .containsExactly("hello-2-b");
  }

  @Test
  void anAttemptStoppedFromOutsideHasNotFailed() throws IOException {
    record(
        """
        {'pod':'hello-0-a','uid':'a','index':0,'jobUid':'u','container':'main','attempt':0,'exitCode':143,'reason':'Error','stopped':true}
        """);
    List<ContainerAttemptView> all =
        AttemptHistory.find("default", "hello", job("u"), List.of(), logs(), false);
    assertThat(all)
        .extracting(ContainerAttemptView::state)
        .containsExactly(ContainerAttemptView.State.STOPPED);
    assertThat(all.getFirst().hasEnded()).isTrue();
    assertThat(LastFailures.of(all, IndexSet.of(), null, Set.of(), 9)).isEmpty();
  }

  @Test
  void anAttemptThatFailedWithItsPodHasNotSucceeded() throws IOException {
    record(
        """
        {'pod':'hello-0-a','uid':'a','index':0,'jobUid':'u','container':'main','attempt':0,'exitCode':0,'reason':'Evicted','failedWithPod':true}
        """);
    assertThat(AttemptHistory.find("default", "hello", job("u"), List.of(), logs(), false))
        .extracting(ContainerAttemptView::state)
        .containsExactly(ContainerAttemptView.State.FAILED);
  }

  @Test
  void anEndThatACrashRecordedTwiceIsOneAttempt() throws IOException {
    record("u", 1, "hello-1-a", 0, 3, "01");
    record("u", 1, "hello-1-a", 0, 3, "01");
    record("u", 1, "hello-1-a", 1, 0, "02");
    assertThat(AttemptHistory.endedByPod(logs(), job("u")).get("u-hello-1-a"))
        .extracting(ContainerAttemptView::exitCode)
        .containsExactly(3, 0);
  }

  @TempDir private Path root = Path.of("");

  private LogTree logs() {
    return new LogTree(root);
  }

  private void record(String line) throws IOException {
    Path dir = Files.createDirectories(root.resolve("default/hello"));
    Files.writeString(
        dir.resolve("_attempts.jsonl"),
        line.replace('\'', '"'),
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }

  private void record(String job, int index, String pod, int run, int code, String second)
      throws IOException {
    record(
        """
        {'pod':'%s','uid':'u-%s','index':%d,'jobUid':'%s','container':'main','attempt':%d,'exitCode':%d,'reason':'Error','startedAt':'2026-01-01T00:00:%sZ','finishedAt':'2026-01-01T00:01:00Z'}
        """
            .formatted(pod, pod, index, job, run, code, second));
  }

  private static KubeObject job(String uid) {
    return JobBuilder.named("hello")
        .uid(uid)
        .metadata("'creationTimestamp':'2026-01-01T00:00:00Z'")
        .build();
  }

  private static KubeObject pod(String name, String uid, int index, String phase, String statuses) {
    return PodBuilder.of(job(uid), name)
        .uid("p")
        .index(index)
        .phase(phase)
        .status("'containerStatuses':[" + statuses + "]")
        .build();
  }

  private List<ContainerAttemptView> find(
      @Nullable KubeObject job, List<KubeObject> pods, boolean all) throws IOException {
    return AttemptHistory.find("default", "hello", job, pods, logs(), all);
  }

  @Test
  void attemptsOfAnIndexAreNumberedInTheOrderOfTheirStarts() throws Exception {
    record("one", 7, "hello-7-later", 0, 0, "30");
    record("one", 7, "hello-7-first", 0, 1, "10");
    record("one", 7, "hello-7-first", 1, 2, "12");
    record("one", 3, "hello-3-a", 0, 0, "20");
    assertThat(find(job("one"), List.of(), false))
        .extracting(each -> each.index() + "#" + each.number() + " " + each.exitCode())
        .containsExactly("3#1 0", "7#1 1", "7#2 2", "7#3 0");
  }

  @Test
  void earlierJobsOfTheNameAreLeftOutUnlessAskedFor() throws Exception {
    record("old", 0, "hello-0-old", 0, 1, "10");
    record("new", 0, "hello-0-new", 0, 0, "20");
    assertThat(find(job("new"), List.of(), false))
        .extracting(ContainerAttemptView::pod)
        .containsExactly("hello-0-new");
    assertThat(find(job("new"), List.of(), true))
        .extracting(ContainerAttemptView::pod)
        .containsExactly("hello-0-old", "hello-0-new");
  }

  @Test
  void aDeletedJobMeansTheLastOneOfItsName() throws Exception {
    record("old", 0, "hello-0-old", 0, 1, "10");
    record("new", 0, "hello-0-new", 0, 0, "20");
    assertThat(find(null, List.of(), false))
        .extracting(ContainerAttemptView::pod)
        .containsExactly("hello-0-new");
  }

  @Test
  void aTruncatedRecordIsSkipped() throws Exception {
    record("one", 0, "hello-0-a", 0, 0, "10");
    record("{'pod':'hello-0-b','cont");
    assertThat(find(job("one"), List.of(), false)).hasSize(1);
  }

  @Test
  void podsProvideRunningAndWaitingAttempts() throws Exception {
    record("one", 0, "hello-0-a", 0, 1, "10");
    KubeObject ended = pod("hello-0-a", "one", 0, "Running", running("process://p/main/1", 1));
    KubeObject waiting =
        pod(
            "hello-1-a",
            "one",
            1,
            "Pending",
            "{\"name\":\"main\",\"state\":{\"waiting\":{\"reason\":\"X\"}}}");
    KubeObject foreign = pod("hello-2-a", "two", 2, "Running", running("process://p/main/0", 0));
    assertThat(find(job("one"), List.of(ended, waiting, foreign), false))
        .extracting(each -> each.index() + "#" + each.number() + " " + each.state() + each.reason())
        .containsExactly("0#1 FAILEDError", "0#2 RUNNING", "1#1 WAITINGX");
  }

  @Test
  void aPodThatNoNodeTakesSaysWhy() throws Exception {
    KubeObject pod =
        PodBuilder.of(job("one"), "hello-a")
            .uid("p")
            .phase("Pending")
            .status(
                "'conditions':[{'type':'PodScheduled','status':'False','reason':'Unschedulable',"
                    + "'message':'0/1 nodes are available: 1 Insufficient cpu.'}]")
            .build();
    assertThat(find(job("one"), List.of(pod), false))
        .extracting(ContainerAttemptView::explanation)
        .containsExactly("Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.");
  }

  private static String running(String id, int restarts) {
    return """
    {"name":"main","containerID":"%s","restartCount":%d,"state":{"running":{"startedAt":"2026-01-01T00:00:40Z"}}}\
    """
        .formatted(id, restarts);
  }

  @Test
  void aPodThatNeverStartedFailedForItsOwnReason() throws Exception {
    KubeObject pod =
        KubeObject.of(
            Json.parse(
                """
                {"metadata":{"name":"hello-x","ownerReferences":[{"uid":"one","controller":true}]},
                 "spec":{"containers":[{"name":"main"}]},
                 "status":{"phase":"Failed","reason":"OutOfcpu","message":"too large"}}
                """));
    assertThat(find(job("one"), List.of(pod), false))
        .singleElement()
        .satisfies(each -> {
          assertThat(each.state()).isEqualTo(ContainerAttemptView.State.FAILED);
          assertThat(each.exitCode()).isNull();
          assertThat(each.reason()).isEqualTo("OutOfcpu");
        });
  }

  @Test
  void aPodThatFailedAsAWholeSaysMoreThanTheRecordOfItsContainer() throws Exception {
    record("u", 3, "hello-3-p", 0, 0, "01");
    KubeObject pod =
        PodBuilder.of(job("u"), "hello-3-p")
            .index(3)
            .phase("Failed")
            .status(
                "'reason':'Evicted','message':'too much','containerStatuses':[{'name':'main',"
                    + "'restartCount':0,'state':{'terminated':{'exitCode':0,'reason':'Completed',"
                    + "'finishedAt':'2026-01-01T00:01:00Z'}}}]")
            .build();
    assertThat(find(job("u"), List.of(), false))
        .extracting(ContainerAttemptView::stateName)
        .containsExactly("succeeded");
    assertThat(find(job("u"), List.of(pod), false))
        .extracting(each -> each.stateName() + " " + each.explanation())
        .containsExactly("failed Evicted: too much");
  }

  @Test
  void theRecordOfAFailureSaysMoreThanThePod() throws Exception {
    record(
        """
        {'pod':'hello-3-p','uid':'p','index':3,'jobUid':'u','container':'main','attempt':0,'exitCode':3,'reason':'Error','message':'no file'}
        """);
    KubeObject pod =
        pod(
            "hello-3-p",
            "u",
            3,
            "Failed",
            "{'name':'main','restartCount':0,'state':{'terminated':{'exitCode':3,'reason':'Error'}}}");
    assertThat(find(job("u"), List.of(pod), false))
        .extracting(ContainerAttemptView::message)
        .containsExactly("no file");
  }

  @Test
  void logsProvideAttemptsWithoutARecord() throws Exception {
    Path pod = Files.createDirectories(root.resolve("default/hello/hello-12-abcde"));
    Files.writeString(pod.resolve("main.0.stdout"), "12345");
    Files.writeString(pod.resolve("main.0.stderr"), "678");
    assertThat(find(null, List.of(), false))
        .singleElement()
        .satisfies(each -> {
          assertThat(each.index()).isEqualTo(12);
          assertThat(each.state()).isEqualTo(ContainerAttemptView.State.UNKNOWN);
          assertThat(each.logBytes()).isEqualTo(8);
        });
  }

  @Test
  void aSilentAttemptHasAnEmptyLogWithoutAFile() throws Exception {
    record("one", 0, "hello-0-abcde", 0, 0, "01");
    String line = Files.readString(root.resolve("default/hello/_attempts.jsonl"));
    record(line.strip().replace("}", ",\"silent\":true}").replace("abcde", "fghij"));
    assertThat(find(job("one"), List.of(), false))
        .extracting(ContainerAttemptView::logBytes)
        .containsExactly(null, 0L);
  }

  @Test
  void aJobWithoutRecordsHasNoAttempts() throws Exception {
    assertThat(find(null, List.of(), true)).isEmpty();
  }
}
