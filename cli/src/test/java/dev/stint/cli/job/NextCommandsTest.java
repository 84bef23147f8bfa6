package dev.stint.cli.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.harness.JobBuilder;
import dev.stint.model.KubeObject;
import dev.stint.model.job.mirror.Mirrored;
import org.junit.jupiter.api.Test;

class NextCommandsTest {
  private static KubeObject job(String spec, String condition) {
    JobBuilder job = JobBuilder.named("hello").spec(spec).status("'active':1");
    return (condition.isEmpty() ? job : job.condition(condition, "", "")).build();
  }

  @Test
  void commandsForAFailedJobHaveItsFlags() {
    KubeObject failed = job("'completionMode':'Indexed'", "Failed");
    assertThat(NextCommands.of(failed, true, " --data d", ""))
        .containsExactly(
            "stint logs hello --failed --data d", "stint rerun hello --failed --data d");
  }

  @Test
  void aFailingJobNeedsAController() {
    KubeObject failing = job("", "FailureTarget");
    assertThat(NextCommands.of(failing, true, "", ""))
        .containsExactly("stint logs hello --failed", "stint wait hello");
    assertThat(NextCommands.of(failing, false, "", ""))
        .containsExactly(
            "stint run with the same file or list, or stint up, because no controller is running");
  }

  @Test
  void aSuspendedJobCanBeResumed() {
    assertThat(NextCommands.of(job("\"suspend\":true", ""), true, "", ""))
        .containsExactly("stint resume hello");
  }

  @Test
  void thePodsOfAMirroredJobAreOnItsWorker() {
    JobBuilder job =
        JobBuilder.named("hello")
            .spec("'managedBy':'stint.dev/mirror'")
            .condition(Mirrored.CONDITION, "", "");
    assertThat(NextCommands.of(job.build(), true, " -n a", ""))
        .containsExactly("stint logs hello -n a --worker worker=FILE", "stint wait hello -n a");
    KubeObject assigned = job.annotation(Mirrored.ASSIGNED, "east").build();
    assertThat(NextCommands.of(assigned, true, "", "").getFirst()).endsWith(" --worker east=FILE");
    assertThat(NextCommands.of(assigned, true, "", " --worker e=f").getFirst())
        .isEqualTo("stint logs hello --worker e=f");
  }

  @Test
  void aDeletionThatWaitsForAWorkerCanBeForced() {
    KubeObject job =
        JobBuilder.named("hello")
            .metadata("'deletionTimestamp':'2026-01-01T00:00:00Z'")
            .finalizers("foregroundDeletion", Mirrored.FINALIZER)
            .status(
                "'conditions':[{'type':'stint.dev/Mirrored','status':'False','reason':'DeletionWaits','message':'m'}]")
            .build();
    assertThat(NextCommands.of(job, true, "", ""))
        .singleElement()
        .asString()
        .contains("kubectl patch job hello -n default --type=json", "/metadata/finalizers/1");
  }
}
