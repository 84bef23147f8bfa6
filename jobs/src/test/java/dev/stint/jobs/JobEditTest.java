package dev.stint.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.FeatureGates;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.field.FieldError;
import dev.stint.model.job.JobAdmission;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class JobEditTest {
  private static ObjectNode document(String spec, String command) {
    return Json.parse(
        """
        {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "x", "namespace": "default"},
         "spec": {"completionMode": "Indexed", "completions": 4, %s "template": {"spec": {
           "restartPolicy": "Never",
           "containers": [{"name": "main", "image": "i", "command": ["echo", "%s"]}]}}}}
        """
            .formatted(spec, command));
  }

  private static KubeObject stored(String spec) {
    ObjectNode job = document(spec, "a");
    assertThat(JobAdmission.create(job, "u", FeatureGates.DEFAULT)).isEmpty();
    job.withObjectProperty("metadata").put("resourceVersion", "1");
    return KubeObject.of(job);
  }

  private static JobEdit towards(String before, String after, String command) {
    return JobEdit.towards(
        stored(before), document(after, command), Set.of(), FeatureGates.DEFAULT);
  }

  @Test
  void theSameDocumentChangesNothing() {
    assertThat(towards("\"parallelism\": 2,", "\"parallelism\": 2,", "a").isEmpty()).isTrue();
  }

  @Test
  void fieldsThatKubernetesLetsOneChangeAreNamedAndPatched() {
    JobEdit edit =
        towards(
            "\"parallelism\": 2, \"activeDeadlineSeconds\": 60, \"backoffLimit\": 1,",
            "\"parallelism\": 8, \"backoffLimit\": 3, \"ttlSecondsAfterFinished\": 5,",
            "a");
    assertThat(edit.faults()).isEmpty();
    assertThat(edit.words())
        .containsExactly(
            "activeDeadlineSeconds 60 → none",
            "backoffLimit 1 → 3",
            "parallelism 2 → 8",
            "ttlSecondsAfterFinished none → 5");
    assertThat(edit.patch())
        .hasToString(
            "{\"spec\":{\"activeDeadlineSeconds\":null,\"backoffLimit\":3,\"parallelism\":8,\"ttlSecondsAfterFinished\":5}}");
  }

  @Test
  void completionsFollowParallelism() {
    assertThat(
            JobEdit.ofSpec(
                    stored(""),
                    Json.object().put("completions", 6).put("parallelism", 6),
                    FeatureGates.DEFAULT)
                .faults())
        .isEmpty();
    assertThat(
            JobEdit.ofSpec(stored(""), Json.object().put("completions", 6), FeatureGates.DEFAULT)
                .faults())
        .extracting(FieldError::path)
        .containsExactly("spec.completions");
  }

  @Test
  void fieldsThatNobodyMayChangeAreNamed() {
    assertThat(towards("", "\"backoffLimitPerIndex\": 1,", "a").faults())
        .extracting(FieldError::path)
        .contains("spec.backoffLimitPerIndex");
    assertThat(towards("", "", "b").faults())
        .extracting(FieldError::path)
        .containsExactly("spec.template.spec.containers[0].command");
  }

  @Test
  void fieldsOfGatesThatAreOnAreTheSame() {
    FeatureGates gates = FeatureGates.DEFAULT.with(FeatureGates.Gate.ContainerStopSignals, true);
    ObjectNode wanted = document("", "a");
    ObjectNode pod = (ObjectNode) wanted.at("/spec/template/spec");
    pod.putObject("os").put("name", "linux");
    ((ObjectNode) pod.at("/containers/0")).putObject("lifecycle").put("stopSignal", "SIGUSR1");
    ObjectNode job = wanted.deepCopy();
    assertThat(JobAdmission.create(job, "u", gates)).isEmpty();
    job.withObjectProperty("metadata").put("resourceVersion", "1");
    wanted.withObjectProperty("spec").put("parallelism", 3);
    JobEdit edit = JobEdit.towards(KubeObject.of(job), wanted, Set.of(), gates);
    assertThat(edit.words()).containsExactly("parallelism 1 → 3");
    assertThat(edit.faults()).isEmpty();
  }

  @Test
  void fieldsThatAreLeftStayAsTheyAre() {
    JobEdit edit =
        JobEdit.towards(
            stored("\"parallelism\": 2,"),
            document("\"parallelism\": 8,", "a"),
            Set.of("parallelism"),
            FeatureGates.DEFAULT);
    assertThat(edit.isEmpty()).isTrue();
  }

  @Test
  void labelsOfTheDocumentAreAddedAndOthersStay() {
    ObjectNode labelled = document("", "a");
    labelled.withObjectProperty("metadata").putObject("labels").put("team", "x");
    KubeObject before = stored("");
    JobEdit edit = JobEdit.towards(before, labelled, Set.of(), FeatureGates.DEFAULT);
    assertThat(edit.patch()).hasToString("{\"metadata\":{\"labels\":{\"team\":\"x\"}}}");
    assertThat(edit.words()).containsExactly("labels");
  }
}
