package dev.stint.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.controllers.job.JobController;
import dev.stint.covers.Covers;
import dev.stint.model.FeatureGates;
import dev.stint.model.FeatureGates.Gate;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.job.JobCondition;
import dev.stint.model.job.JobStatus;
import dev.stint.model.pod.PodPhase;
import dev.stint.simulation.RecordingCluster.Call;
import dev.stint.simulation.RecordingCluster.Verb;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.slf4j.LoggerFactory;

/**
 * Success policies while the store is unreachable or full, their costs, and how they are reported.
 */
class SuccessPolicyUnderFaultsTest {
  private static final String INDEXED =
      "'completionMode':'Indexed','completions':3,'parallelism':3";
  private static final String LEADER =
      INDEXED + ",'successPolicy':{'rules':[{'succeededIndexes':'0'}]}";
  private static final String FINISHED = "job_controller_jobs_finished";

  private final Testbed bed = new Testbed();

  private static boolean writesStatus(Call call) {
    return call.of(Verb.STATUS, Kind.JOB);
  }

  private static @Nullable ClusterException away(Call call) {
    return writesStatus(call) ? new ClusterException(Reason.UNAVAILABLE, "away") : null;
  }

  /** The answer of a store that has no room for indexes. */
  private static @Nullable ClusterException full(Call call) {
    return writesStatus(call)
            && Objects.requireNonNull(call.body()).at("/status").has("completedIndexes")
        ? new ClusterException(Reason.TOO_LARGE, "the object is too large")
        : null;
  }

  @Test
  @Covers("SP-41")
  void nothingIsDecidedDuringAnOutageOfTheStore() {
    bed.create("j", LEADER);
    bed.calls.refusing = SuccessPolicyUnderFaultsTest::away;
    bed.succeed("j", 0).pass(Duration.ofSeconds(5));
    assertThat(bed.conditions("j")).isEmpty();
    assertThat(bed.status("j").completedIndexes().isEmpty()).isTrue();
    assertThat(bed.activeIndexes("j")).containsExactly(1, 2);
    bed.calls.refusing = _ -> null;
    bed.pass(Duration.ofSeconds(20));
    assertThat(bed.conditions("j")).contains("SuccessCriteriaMet");
    assertThat(bed.status("j").completedIndexes()).hasToString("0");
  }

  @Test
  @Covers("SP-40")
  void aPolicyIsNotMetByIndexesThatCannotBeStored() {
    bed.create("j", LEADER);
    bed.calls.refusing = SuccessPolicyUnderFaultsTest::full;
    bed.succeed("j", 0).pass(Duration.ofSeconds(5));
    assertThat(bed.conditions("j")).isEmpty();
    assertThat(bed.activeIndexes("j")).containsExactly(1, 2);
    bed.calls.refusing = _ -> null;
    bed.pass(Duration.ofSeconds(20));
    assertThat(bed.conditions("j")).contains("SuccessCriteriaMet");
  }

  /**
   * Without the gates that make every Job announce its end. The announcing write also records the
   * indexes, so it is no additional one.
   */
  @Test
  @Covers("SP-50")
  void aMetSuccessPolicyTakesOneStatusWriteAndOtherJobsTakeNone() {
    List<JobStatus> plain = writesToTheEnd(INDEXED);
    List<JobStatus> withPolicy =
        writesToTheEnd(INDEXED + ",'successPolicy':{'rules':[{'succeededIndexes':'0-2'}]}");
    assertThat(plain).noneMatch(status -> status.isTrue("SuccessCriteriaMet"));
    assertThat(withPolicy)
        .filteredOn(status -> status.isTrue("SuccessCriteriaMet") && !status.isTrue("Complete"))
        .hasSize(1);
    assertThat(withPolicy).hasSizeBetween(plain.size(), plain.size() + 1);
  }

  private static List<JobStatus> writesToTheEnd(String spec) {
    Testbed bed =
        new Testbed(
            Testbed.with(
                FeatureGates.DEFAULT
                    .with(Gate.JobManagedBy, false)
                    .with(Gate.JobPodReplacementPolicy, false)));
    bed.create("j", spec);
    bed.calls.sent.clear();
    bed.pods("j").forEach(pod -> bed.finishQuietly(pod, PodPhase.Succeeded, 0));
    bed.settle();
    assertThat(bed.conditions("j")).contains("Complete");
    return bed.calls.sent.stream()
        .filter(SuccessPolicyUnderFaultsTest::writesStatus)
        .map(call -> JobStatus.read(Json.objectAt(call.body(), "status")))
        .toList();
  }

  @Test
  @Covers({"SP-47", "SP-48", "SP-60"})
  void finishedJobsAreCountedOnceByTheReasonOfTheirSuccess() {
    bed.create("j", LEADER);
    bed.create("plain", INDEXED);
    bed.create("queue", "'completions':1");
    bed.succeed("j", 0).pass(Duration.ofMinutes(1));
    bed.pods("j").stream().filter(pod -> pod.deletionTimestamp() != null).forEach(bed::delete);
    for (int index = 0; index < 3; index++) {
      bed.succeed("plain", index);
    }
    bed.succeed("queue", -1).pass(Duration.ofDays(1));
    assertThat(finished("Indexed", "SuccessPolicy")).isEqualTo(1);
    assertThat(finished("Indexed", "CompletionsReached")).isEqualTo(1);
    assertThat(finished("NonIndexed", "CompletionsReached")).isEqualTo(1);
    assertThat(finished("NonIndexed", "") + finished("Indexed", "")).isZero();
  }

  private double finished(String mode, String reason) {
    return bed.counted(FINISHED, "completion_mode", mode, "result", "succeeded", "reason", reason);
  }

  @Test
  @Covers("SP-53")
  @ResourceLock("log of JobController")
  void reasonSyncsAndTraceLinesShowTheOutcomeOfAPolicy() {
    Logger logger = (Logger) LoggerFactory.getLogger(JobController.class);
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.start();
    Level before = logger.getLevel();
    logger.setLevel(Level.TRACE);
    logger.addAppender(lines);
    try {
      bed.create("j", LEADER);
      bed.succeed("j", 0);
    } finally {
      logger.detachAppender(lines);
      logger.setLevel(before);
    }
    assertThat(lines.list)
        .filteredOn(line -> line.getThreadName().equals(Thread.currentThread().getName()))
        .filteredOn(line -> line.getLevel() == Level.TRACE)
        .extracting(line -> line.getKeyValuePairs().toString())
        .anyMatch(line -> line.contains("default/j") && line.contains("Matched rules at index 0"));
    assertThat(bed.status("j").condition("SuccessCriteriaMet").map(JobCondition::reason))
        .contains("SuccessPolicy");
    assertThat(bed.syncs()).isPositive();
  }
}
