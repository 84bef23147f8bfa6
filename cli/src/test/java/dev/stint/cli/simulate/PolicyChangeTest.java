package dev.stint.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.cli.output.UserException;
import dev.stint.cli.submit.RequestedJob;
import dev.stint.model.document.Documents;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class PolicyChangeTest {
  private static PolicyChange change(String text) {
    return Objects.requireNonNull(PolicyChange.parse(text));
  }

  private static JsonNode spec(String text) throws Exception {
    RequestedJob job =
        RequestedJob.of(
            Documents.read("job.yaml", SimulateCommandTest.JOB.getBytes(StandardCharsets.UTF_8))
                .getFirst());
    Workload changed = change(text).apply(new Workload(List.of(job), List.of()));
    assertThat(job.tree().at("/spec/parallelism").asInt()).isEqualTo(10);
    return changed.jobs().getFirst().tree().get("spec");
  }

  @Test
  void fieldsGetOtherValues() throws Exception {
    JsonNode spec = spec("parallelism=8,spec.maxFailedIndexes=2,backoffLimit=null");
    assertThat(spec.get("parallelism").asInt()).isEqualTo(8);
    assertThat(spec.get("maxFailedIndexes").asInt()).isEqualTo(2);
    assertThat(spec.has("backoffLimit")).isFalse();
    JsonNode other =
        spec("backoffLimitPerIndex=null,successPolicy={\"rules\":[{\"succeededCount\":5}]}");
    assertThat(other.has("backoffLimitPerIndex")).isFalse();
    assertThat(other.at("/successPolicy/rules/0/succeededCount").asInt()).isEqualTo(5);
  }

  @Test
  void fieldsOfContainersHavePaths() throws Exception {
    JsonNode spec =
        spec("template.spec.containers[0].resources.requests.cpu=500m,template.spec.priority=3");
    assertThat(spec.at("/template/spec/containers/0/resources/requests/cpu").asString())
        .isEqualTo("500m");
  }

  @Test
  void theRoomChangesToo() {
    Capacity room =
        change("nodes=3,machine-cpu=1.5,machine-memory=1Gi,max-pods=7,parallelism=2")
            .apply(Capacity.UNLIMITED);
    assertThat(room).isEqualTo(new Capacity(7, 1500L, 1L << 30, 3));
  }

  @ParameterizedTest
  @ValueSource(strings = {"other.yaml", "./a=b.yaml", "-", "/tmp/x=y"})
  void allElseIsTheNameOfAFile(String text) {
    assertThat(PolicyChange.parse(text)).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "paralelism=8|--compare paralelism=8: spec.paralelism: ",
        "parallelism=-1|--compare parallelism=-1: spec.parallelism: ",
        "parallelism=many|--compare parallelism=many: spec.parallelism: ",
        "parallelism=0|--compare parallelism=0: spec.parallelism: must be more than 0",
        "suspend=true|--compare suspend=true: spec.suspend: must be false",
        "parallelism.x=1|--compare parallelism.x=1: spec.parallelism.x: the Job has no such place",
        "template.spec.containers[3].image=x|containers[3].image: the Job has no such place",
        "template.spec.containers[0]=x|name a field, not an element of a list",
      })
  void changesThatMakeAJobInvalidAreRefused(String text, String message) {
    assertThatThrownBy(() -> spec(text))
        .isInstanceOf(UserException.class)
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @CsvSource({"nodes=none", "max-pods=0", "machine-cpu=some", "machine-memory=5x"})
  void roomThatIsNoneIsRefused(String text) {
    assertThatThrownBy(() -> change(text).apply(Capacity.UNLIMITED))
        .isInstanceOf(UserException.class)
        .hasMessageStartingWith("--compare " + text + ": ");
  }
}
