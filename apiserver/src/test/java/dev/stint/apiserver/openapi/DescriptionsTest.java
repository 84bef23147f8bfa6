package dev.stint.apiserver.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.schema.Schema;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DescriptionsTest {
  /** The entries of the file besides the types of the schema. */
  private static final Set<String> OTHERS =
      Set.of(
          "*",
          "List",
          "ListMeta",
          "Status",
          "Quantity",
          "IntOrString",
          "Time",
          "MicroTime",
          "Patch");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Job",
        "JobSpec",
        "JobStatus",
        "JobCondition",
        "JobTemplateSpec",
        "CronJob",
        "CronJobSpec",
        "CronJobStatus",
        "UncountedTerminatedPods",
        "SuccessPolicy",
        "SuccessPolicyRule",
        "PodFailurePolicy",
        "PodFailurePolicyRule",
        "PodFailurePolicyOnExitCodesRequirement",
        "PodFailurePolicyOnPodConditionsPattern",
        "ObjectMeta",
        "PodTemplateSpec",
        "PodSpec",
        "Container",
        "Volume",
        "Probe",
        "Pod",
        "PodStatus",
        "ContainerStatus"
      })
  void explainsTheTypeAndEachOfItsFields(String type) {
    assertThat(Descriptions.of(type)).as(type).isNotNull();
    assertThat(Schema.type(type).fields().keySet())
        .isNotEmpty()
        .allSatisfy(
            field -> assertThat(Descriptions.of(type, field)).as(type + "." + field).isNotNull());
  }

  @Test
  void coversEveryTypeOfBatch() {
    List<String> batch =
        Schema.typeNames().stream()
            .filter(type -> TypeNames.of(type).startsWith("io.k8s.api.batch.v1."))
            .toList();

    assertThat(batch).hasSize(15).allSatisfy(this::explainsTheTypeAndEachOfItsFields);
  }

  @Test
  void explainsNothingThatIsNotThere() {
    Set<String> known = new HashSet<>(OTHERS);
    for (String type : Schema.typeNames()) {
      known.add(type);
      Schema.type(type).fields().keySet().forEach(field -> known.add(type + "." + field));
    }

    assertThat(Descriptions.all().keySet())
        .allSatisfy(key -> {
          boolean other = OTHERS.contains(key.substring(0, Math.max(0, key.indexOf('.'))));
          assertThat(other || known.contains(key)).as(key).isTrue();
        });
  }

  @Test
  void speaksInSentences() {
    assertThat(Descriptions.all().values())
        .hasSizeGreaterThan(400)
        .allSatisfy(text -> assertThat(text).matches("[A-Z$].*\\."));
  }
}
