package dev.stint.model.pod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.FeatureGates;
import dev.stint.model.FeatureGates.Gate;
import dev.stint.model.Json;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.node.ObjectNode;

/** The fields that pods lose if a gate is off, and when they keep them. */
class GatedPodFieldsTest {
  /** A gate, a specification that uses its field, and the rest of it if the gate is off. */
  static Stream<Arguments> fields() {
    return Stream.of(
        Arguments.of(
            Gate.ContainerStopSignals,
            """
            {"containers":[{"name":"a","lifecycle":{"stopSignal":"SIGINT"}},
              {"name":"b","lifecycle":{"stopSignal":"SIGINT","preStop":{"sleep":{"seconds":1}}}},
              {"name":"c","lifecycle":{}}],
             "initContainers":[{"name":"d","lifecycle":{"stopSignal":""}}]}\
            """,
            """
            {"containers":[{"name":"a"},
              {"name":"b","lifecycle":{"preStop":{"sleep":{"seconds":1}}}},
              {"name":"c","lifecycle":{}}],
             "initContainers":[{"name":"d"}]}\
            """),
        Arguments.of(Gate.GenericWorkload, "{\"schedulingGroup\":{\"podGroupName\":\"g\"}}", "{}"),
        Arguments.of(
            Gate.ClusterTrustBundleProjection,
            """
            {"volumes":[{"name":"e"},{"name":"v","projected":{"sources":[
              {"clusterTrustBundle":{"name":"n","path":"p"}},
              {"configMap":{"name":"c"},"clusterTrustBundle":{}}]}}]}\
            """,
            """
            {"volumes":[{"name":"e"},{"name":"v","projected":{"sources":[
              {},{"configMap":{"name":"c"}}]}}]}\
            """),
        Arguments.of(
            Gate.PodCertificateRequest,
            """
            {"volumes":[{"name":"v","projected":{"sources":[
              {"podCertificate":{"signerName":"a/b","keyType":"ED25519"}}]}}]}\
            """,
            """
            {"volumes":[{"name":"v","projected":{"sources":[{}]}}]}\
            """));
  }

  @ParameterizedTest
  @MethodSource("fields")
  void aNewPodHasTheFieldOnlyWhereTheGateIsOn(Gate gate, String given, String left) {
    assertThat(dropped(given, null, FeatureGates.DEFAULT)).isEqualTo(tree(left));
    assertThat(dropped(given, null, FeatureGates.DEFAULT.with(gate, true))).isEqualTo(tree(given));
  }

  @ParameterizedTest
  @MethodSource("fields")
  void aChangedPodHasItWhereTheStoredOneHad(Gate gate, String given, String left) {
    FeatureGates off = FeatureGates.DEFAULT.with(gate, false);
    assertThat(dropped(given, given, off)).isEqualTo(tree(given));
    assertThat(dropped(given, left, off)).isEqualTo(tree(left));
  }

  @Test
  void oneUseAnywhereKeepsAll() {
    String one =
        "{\"initContainers\":[{\"name\":\"i\",\"lifecycle\":{\"stopSignal\":\"SIGINT\"}}]}";
    String other = "{\"containers\":[{\"name\":\"c\",\"lifecycle\":{\"stopSignal\":\"SIGHUP\"}}]}";
    assertThat(dropped(other, one, FeatureGates.DEFAULT)).isEqualTo(tree(other));
  }

  private static ObjectNode dropped(String given, @Nullable String stored, FeatureGates gates) {
    ObjectNode spec = tree(given);
    GatedPodFields.drop(spec, stored == null ? null : tree(stored), gates);
    return spec;
  }

  private static ObjectNode tree(String json) {
    return Json.parse(json.getBytes(StandardCharsets.UTF_8));
  }
}
