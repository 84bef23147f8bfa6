package dev.stint.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.covers.Covers;
import dev.stint.model.FeatureGates;
import dev.stint.model.FeatureGates.Gate;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.runner.runtime.SimulatedRuntime.Outcome;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** The manual upgrade tests of the proposals: a gate is turned on, off and on again. */
class ManualUpgradeTest {
  private static final FeatureGates ON = FeatureGates.DEFAULT;

  private final Testbed bed = new Testbed();

  private static Outcome byIndex(KubeObject pod) {
    Map<String, Duration> durations =
        Map.of("0", Duration.ZERO, "1", Duration.ofMinutes(5), "2", Duration.ofHours(1));
    String index = pod.labels().get("batch.kubernetes.io/job-completion-index");
    return new Outcome(durations.getOrDefault(index, Duration.ZERO), 0);
  }

  @Test
  @Covers({"SP-65", "SP-66"})
  void aSuccessPolicyIsSetAsideWithItsGateAndMetOnceItIsBack() {
    bed.node((pod, random) -> byIndex(pod));
    bed.create(
        "j",
        "'completionMode':'Indexed','completions':3,'parallelism':3,"
            + "'successPolicy':{'rules':[{'succeededIndexes':'0-2','succeededCount':2}]}");
    bed.pass(Duration.ofSeconds(60));
    assertThat(bed.status("j").completedIndexes()).hasToString("0");
    assertThat(bed.conditions("j")).isEmpty();
    assertThat(env(bed.pod("j", 2))).contains("JOB_COMPLETION_INDEX");

    bed.restart(ON.with(Gate.JobSuccessPolicy, false));
    bed.succeed("j", 1).pass(Duration.ofSeconds(60));
    assertThat(bed.status("j").completedIndexes()).hasToString("0,1");
    assertThat(bed.activeIndexes("j")).containsExactly(2);
    assertThat(bed.conditions("j")).isEmpty();

    bed.restart(ON);
    assertThat(bed.conditions("j")).containsExactly("SuccessCriteriaMet");
    assertThat(bed.activeIndexes("j")).isEmpty();
    bed.pods("j").stream().filter(pod -> pod.deletionTimestamp() != null).forEach(bed::delete);
    assertThat(bed.conditions("j")).containsExactly("SuccessCriteriaMet", "Complete");
  }

  private static String env(KubeObject pod) {
    return pod.tree().path("spec").path("containers").toString();
  }

  @Test
  @Covers({"MB-57", "MB-58"})
  void aDelegatedJobIsTakenWithTheGateOffAndLeftAgainWithItOn() {
    bed.create("job-managed", "'managedBy':'example.com/other','completions':2,'parallelism':1");
    bed.create("job-regular", "'completions':4,'parallelism':1");
    edit("failed", 2);
    bed.succeed("job-regular", -1).pass(Duration.ofHours(1));
    assertThat(bed.status("job-managed").failed()).isEqualTo(2);
    assertThat(bed.pods("job-managed")).isEmpty();
    assertThat(bed.status("job-regular").succeeded()).isEqualTo(1);

    edit("active", 2);
    bed.restart(ON.with(Gate.JobManagedBy, false));
    assertThat(bed.pods("job-managed")).hasSize(1);
    assertThat(bed.status("job-managed").active()).as("is set to what is").isEqualTo(1);
    bed.succeed("job-regular", -1);
    assertThat(bed.status("job-regular").succeeded()).isEqualTo(2);

    bed.restart(ON);
    edit("active", 7);
    bed.pass(Duration.ofHours(1));
    assertThat(bed.status("job-managed").active()).isEqualTo(7);
    bed.succeed("job-regular", -1).succeed("job-regular", -1);
    assertThat(bed.conditions("job-regular")).contains("Complete");
  }

  private void edit(String counter, int value) {
    ObjectNode patch = Json.object();
    patch.putObject("status").put("startTime", "2026-01-01T00:00:00Z").put(counter, value);
    bed.answer(bed.api.patchStatus(Testbed.job("job-managed"), patch));
    bed.settle();
  }

  @Test
  @Covers({"BI-71", "BI-72", "BI-24"})
  void deletingThePodOfAnIndexTwiceFailsItWhileTheGateIsOn() {
    bed.create(
        "j", "'completionMode':'Indexed','completions':3,'parallelism':3,'backoffLimitPerIndex':1");
    deleteAndAwaitReplacement(0);
    assertThat(bed.status("j").failedIndexes()).hasToString("");
    bed.delete(bed.pod("j", 0)).pass(Duration.ofSeconds(30));
    assertThat(bed.status("j").failedIndexes()).hasToString("0");
    assertThat(bed.status("j").active()).isEqualTo(2);

    bed.restart(ON.with(Gate.JobBackoffLimitPerIndex, false)).pass(Duration.ofMinutes(1));
    assertThat(bed.activeIndexes("j")).containsExactly(0, 1, 2);
    for (int index = 0; index < 3; index++) {
      bed.run("j", index);
    }
    bed.pass(Duration.ofSeconds(2));
    assertThat(bed.status("j").active()).isEqualTo(3);
    assertThat(bed.status("j").ready()).isEqualTo(3);
    assertThat(bed.status("j").failed()).isEqualTo(2);
    assertThat(bed.status("j").failedIndexes()).isNull();

    bed.restart(ON);
    deleteAndAwaitReplacement(1);
    bed.delete(bed.pod("j", 1)).pass(Duration.ofSeconds(30));
    assertThat(bed.status("j").failedIndexes()).hasToString("1");
    assertThat(bed.status("j").active()).isEqualTo(2);
  }

  private void deleteAndAwaitReplacement(int index) {
    bed.delete(bed.pod("j", index)).pass(Duration.ofSeconds(30));
    assertThat(bed.activeIndexes("j")).containsExactly(0, 1, 2);
    assertThat(bed.list(Kind.POD)).isNotEmpty();
  }
}
