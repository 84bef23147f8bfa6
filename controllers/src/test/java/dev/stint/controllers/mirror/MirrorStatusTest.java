package dev.stint.controllers.mirror;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.covers.Covers;
import dev.stint.model.FeatureGates;
import dev.stint.model.job.JobCondition;
import dev.stint.model.job.JobStatus;
import java.time.Instant;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

@Covers("MB-11")
class MirrorStatusTest {
  private static final String INDEXED = "'completions':4,'completionMode':'Indexed'";
  private static final String PLAIN = "'completions':4,'completionMode':'NonIndexed'";

  /** Returns the status for the Job, which its cluster accepts. */
  private static JobStatus mirrored(String spec, String had, String told) {
    MirrorStatus statuses = new MirrorStatus(MirrorFixtures.job(spec, had), FeatureGates.DEFAULT);
    JobStatus wanted = statuses.of(MirrorFixtures.copy(told));
    assertThat(statuses.faults(wanted)).isEmpty();
    return wanted;
  }

  private static String condition(String type) {
    return "{'type':'%s','status':'True','reason':'R','message':'M',".formatted(type)
        + "'lastTransitionTime':'2026-01-01T11:00:00Z'}";
  }

  @Test
  void uncountedPodsAreLeftToTheWorker() {
    JobStatus status =
        mirrored(
            PLAIN,
            "",
            "'startTime':'2026-01-01T10:00:00Z','active':1,'succeeded':1,"
                + "'uncountedTerminatedPods':{'succeeded':['p'],'failed':['q']}");
    assertThat(status.uncounted()).isEqualTo(JobStatus.Uncounted.NONE);
    assertThat(status.succeeded()).isEqualTo(1);
    assertThat(status.active()).isEqualTo(1);
  }

  @Test
  void theEndOnAnOldWorkerIsAnnouncedToo() {
    String start = "'startTime':'2026-01-01T10:00:00Z',";
    JobStatus complete =
        mirrored(
            PLAIN,
            "",
            start
                + "'completionTime':'2026-01-01T11:00:00Z','succeeded':4,'conditions':["
                + condition("Complete")
                + "]");
    assertThat(complete.conditions())
        .extracting(JobCondition::type)
        .containsExactly("SuccessCriteriaMet", "Complete");
    JobStatus failed = mirrored(PLAIN, "", start + "'conditions':[" + condition("Failed") + "]");
    assertThat(failed.conditions())
        .extracting(JobCondition::type)
        .containsExactly("FailureTarget", "Failed");
    assertThat(failed.condition("FailureTarget").orElseThrow().reason()).isEqualTo("R");
  }

  @Test
  void anEndWaitsForThePodsOfAnOldWorker() {
    String end = "'startTime':'2026-01-01T10:00:00Z','conditions':[" + condition("Failed") + "],";
    for (String left :
        new String[] {
          "'active':1", "'terminating':1", "'uncountedTerminatedPods':{'failed':['p']}"
        }) {
      JobStatus status = mirrored(PLAIN, "", end + left);
      assertThat(status.isFinished()).isFalse();
      assertThat(status.isTrue("FailureTarget")).isTrue();
      assertThat(status.completionTime()).isNull();
    }
  }

  @Test
  void aMissingCompletionTimeOfAnOldWorkerIsTakenFromTheCondition() {
    JobStatus status = mirrored(PLAIN, "", "'conditions':[" + condition("Complete") + "]");
    assertThat(status.completionTime()).isEqualTo("2026-01-01T11:00:00Z");
    assertThat(status.startTime()).isEqualTo("2026-01-01T10:00:00Z");
  }

  @Test
  void aStartTimeStaysUnlessTheJobIsSuspended() {
    String had = "'startTime':'2026-01-01T09:00:00Z'";
    String told = "'startTime':'2026-01-01T10:00:00Z'";
    assertThat(mirrored(PLAIN, had, told).startTime()).isEqualTo("2026-01-01T09:00:00Z");
    assertThat(mirrored(PLAIN, had, "").startTime()).isEqualTo("2026-01-01T09:00:00Z");
    assertThat(mirrored(PLAIN + ",'suspend':true", had, told).startTime())
        .isEqualTo("2026-01-01T10:00:00Z");
    assertThat(mirrored(PLAIN + ",'suspend':true", had, "").startTime()).isNull();
  }

  @Test
  void completionNeverPrecedesTheStartEvenIfClocksDiffer() {
    JobStatus status =
        mirrored(
            PLAIN,
            "'startTime':'2026-01-01T11:30:00Z'",
            "'startTime':'2026-01-01T10:00:00Z','completionTime':'2026-01-01T11:00:00Z',"
                + "'conditions':["
                + condition("SuccessCriteriaMet")
                + ","
                + condition("Complete")
                + "]");
    assertThat(status.completionTime()).isEqualTo("2026-01-01T11:30:00Z");
  }

  @Test
  void indexesBeyondTheCompletionsAreOmitted() {
    JobStatus status =
        mirrored(
            "'completions':2,'completionMode':'Indexed'",
            "'completedIndexes':'0,1','succeeded':2",
            "'completedIndexes':'0-3','succeeded':4");
    assertThat(status.completedIndexes()).hasToString("0,1");
    assertThat(status.succeeded()).isEqualTo(2);
  }

  @Test
  void indexesOfACopyAreIgnoredByANonIndexedJob() {
    assertThat(mirrored(PLAIN, "", "'completedIndexes':'0-3'").completedIndexes().isEmpty())
        .isTrue();
    assertThat(mirrored(INDEXED, "", "'failedIndexes':'1'").failedIndexes()).isNull();
    assertThat(
            mirrored(INDEXED + ",'backoffLimitPerIndex':1", "", "'failedIndexes':'1'")
                .failedIndexes())
        .hasToString("1");
  }

  @Test
  void countersNeverFallIfTheManagerRefusesThat() {
    JobStatus status = mirrored(PLAIN, "'succeeded':3,'failed':2", "'succeeded':1,'failed':1");
    assertThat(status.succeeded()).isEqualTo(3);
    assertThat(status.failed()).isEqualTo(2);
  }

  @Test
  void readyPodsAreActive() {
    assertThat(mirrored(PLAIN, "", "'active':1,'ready':2").ready()).isEqualTo(1);
  }

  @Test
  void aConditionOfTheMirrorOnTheCopyIsNotTheJobs() {
    JobStatus status =
        mirrored(PLAIN, "", "'conditions':[" + condition("stint.dev/Mirrored") + "]");
    assertThat(status.conditions()).isEmpty();
  }

  @Test
  void aJobThatLostItsCopyFailsOnceThePodsAreGone() {
    MirrorStatus statuses =
        new MirrorStatus(
            MirrorFixtures.job(PLAIN, "'active':2,'ready':1,'succeeded':1"), FeatureGates.DEFAULT);
    JobStatus failing = statuses.ofLostCopy(2, MirrorFixtures.NOW);
    assertThat(statuses.faults(failing)).isEmpty();
    assertThat(failing.isTrue("FailureTarget")).isTrue();
    assertThat(failing.isFinished()).isFalse();
    assertThat(failing.terminating()).isEqualTo(2);
    JobStatus failed = statuses.ofLostCopy(0, MirrorFixtures.NOW);
    assertThat(statuses.faults(failed)).isEmpty();
    assertThat(failed.condition("Failed").orElseThrow().reason()).isEqualTo("MirrorCopyDeleted");
    assertThat(failed.succeeded()).isEqualTo(1);
  }

  @Test
  void aJobKnownToSucceedCompletesEvenWithoutItsCopy() {
    MirrorStatus statuses =
        new MirrorStatus(
            MirrorFixtures.job(
                PLAIN,
                "'startTime':'2026-01-01T09:00:00Z','conditions':["
                    + condition("SuccessCriteriaMet")
                    + "]"),
            FeatureGates.DEFAULT);
    JobStatus complete = statuses.ofLostCopy(0, MirrorFixtures.NOW);
    assertThat(statuses.faults(complete)).isEmpty();
    assertThat(complete.isTrue("Complete")).isTrue();
    assertThat(complete.completionTime()).isEqualTo(MirrorFixtures.NOW);
  }

  @Test
  void aConditionThatSaysTheSameKeepsItsTime() {
    MirrorStatus statuses =
        new MirrorStatus(
            MirrorFixtures.job(PLAIN, "'conditions':[" + condition("stint.dev/Mirrored") + "]"),
            FeatureGates.DEFAULT);
    JobStatus well = statuses.withCondition(statuses.stored(), null, "M", MirrorFixtures.NOW);
    assertThat(well.condition("stint.dev/Mirrored").orElseThrow().transition())
        .isEqualTo(Instant.parse("2026-01-01T11:00:00Z"));
    JobStatus ill =
        statuses.withCondition(
            statuses.stored(),
            MirrorProblem.unreachable("the worker cluster"),
            "M",
            MirrorFixtures.NOW);
    assertThat(ill.condition("stint.dev/Mirrored").orElseThrow().transition())
        .isEqualTo(MirrorFixtures.NOW);
  }

  @Test
  void conditionsOfAWorkerHaveALimitedSize() {
    String longest = "x".repeat(100_000);
    String others =
        IntStream.range(0, 100)
            .mapToObj(i -> condition("example.com/" + i) + ",")
            .collect(Collectors.joining());
    JobStatus status =
        mirrored(
            PLAIN,
            "",
            "'startTime':'2026-01-01T10:00:00Z','conditions':["
                + condition("example.com/" + longest)
                + ","
                + others
                + condition("Suspended")
                + ","
                + condition("Suspended")
                + ","
                + condition("Failed")
                    .replace("'M'", "'" + longest + "'")
                    .replace("'R'", "'" + longest + "'")
                + "]");
    assertThat(status.write().toString()).hasSizeLessThan(20_000);
    assertThat(status.conditions()).hasSize(8 + 3);
    JobCondition failed = status.condition("Failed").orElseThrow();
    assertThat(failed.message()).hasSize(4 * 1024).endsWith("x…");
    assertThat(failed.reason()).hasSize(1024);
  }

  @Test
  void whatAWorkerSaysOfAProblemIsCutToo() {
    MirrorStatus statuses = new MirrorStatus(MirrorFixtures.job(PLAIN, ""), FeatureGates.DEFAULT);
    MirrorProblem problem =
        new MirrorProblem(MirrorProblem.Reason.CopyRefused, "\uD83D\uDE00".repeat(100_000));
    JobStatus status = statuses.withCondition(statuses.stored(), problem, "", Instant.EPOCH);
    String message = status.condition(MirrorNames.CONDITION).orElseThrow().message();
    assertThat(message).hasSizeLessThanOrEqualTo(4 * 1024).endsWith("\uDE00…");
  }
}
