package dev.stint.model.pod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class PodPreparationTest {
  private static final String MAIN = "containers: [{name: main, image: a}]\n  ";
  private static final String APP_ARMOR = "container.apparmor.security.beta.kubernetes.io/main";

  private static ObjectNode prepared(String spec, String metadata) {
    ObjectNode pod = PodTemplates.read(MAIN + spec);
    pod.withObjectProperty("metadata").setAll(Json.parse(metadata));
    PodDefaults.applyToPod(pod);
    PodPreparation.create(pod);
    return pod;
  }

  private static JsonNode constraint(String keys, String labels) {
    return prepared(
            "topologySpreadConstraints: [{maxSkew: 1, topologyKey: z, whenUnsatisfiable:"
                + " DoNotSchedule, labelSelector: {matchLabels: {a: b}}, matchLabelKeys: "
                + keys
                + "}]",
            "{\"labels\":" + labels + "}")
        .at("/spec/topologySpreadConstraints/0/labelSelector");
  }

  @Test
  void theSelectorOfAConstraintTakesOverThePodsLabels() {
    assertThat(constraint("[a, c]", "{\"c\":\"d\"}"))
        .isEqualTo(
            Json.parse(
                "{\"matchLabels\":{\"a\":\"b\"},\"matchExpressions\":[{\"key\":\"c\","
                    + "\"operator\":\"In\",\"values\":[\"d\"]}]}"));
    assertThat(constraint("[c]", "{}").has("matchExpressions")).isFalse();
  }

  @Test
  void theSelectorsOfAffinityTakeOverThePodsLabels() {
    String term = "{topologyKey: z, labelSelector: {}, mismatchLabelKeys: [c]}";
    JsonNode affinity =
        prepared(
                "affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [%s], preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, podAffinityTerm: %s}]}}"
                    .formatted(term, term),
                "{\"labels\":{\"c\":\"d\"}}")
            .at("/spec/affinity/podAntiAffinity");
    ObjectNode merged =
        Json.parse(
            "{\"matchExpressions\":[{\"key\":\"c\",\"operator\":\"NotIn\",\"values\":[\"d\"]}]}");
    assertThat(affinity.at("/requiredDuringSchedulingIgnoredDuringExecution/0/labelSelector"))
        .isEqualTo(merged);
    assertThat(
            affinity.at(
                "/preferredDuringSchedulingIgnoredDuringExecution/0/podAffinityTerm/labelSelector"))
        .isEqualTo(merged);
  }

  @Test
  void aNegativeGracePeriodIsOneSecond() {
    JsonNode spec = prepared("terminationGracePeriodSeconds: -5", "{}").get("spec");
    assertThat(spec.path("terminationGracePeriodSeconds").intValue()).isEqualTo(1);
  }

  @Test
  void anAnnotationBecomesTheProfileOfItsContainer() {
    String annotations = "{\"annotations\":{\"" + APP_ARMOR + "\":\"localhost/p\"}}";
    ObjectNode profile = Json.parse("{\"type\":\"Localhost\",\"localhostProfile\":\"p\"}");
    String path = "/spec/containers/0/securityContext/appArmorProfile";
    assertThat(prepared("", annotations).at(path)).isEqualTo(profile);
    assertThat(prepared("os: {name: windows}", annotations).at(path).isMissingNode()).isTrue();
    assertThat(
            prepared(
                    "securityContext: {appArmorProfile: {type: Localhost, localhostProfile: p}}",
                    annotations)
                .at(path)
                .isMissingNode())
        .isTrue();
  }

  @Test
  void anAnnotationAndAProfileMustAgree() {
    ObjectNode pod =
        PodTemplates.read(
            "containers: [{name: main, image: a, securityContext: {appArmorProfile: {type: Unconfined}}}]");
    pod.withObjectProperty("metadata").putObject("annotations").put(APP_ARMOR, "runtime/default");
    PodDefaults.applyToPod(pod);
    PodPreparation.create(pod);
    assertThat(PodValidation.create(pod))
        .singleElement()
        .satisfies(fault ->
            assertThat(fault.path())
                .isEqualTo("spec.containers[0].securityContext.appArmorProfile"));
  }

  @Test
  void onlySomeSpecsDependOnTheMetadata() {
    assertThat(PodPreparation.dependsOnMetadata(spec(MAIN))).isFalse();
  }

  @Test
  void onlySomeAnnotationsChangeTheSpec() {
    assertThat(PodPreparation.changesSpec(null)).isFalse();
    assertThat(PodPreparation.changesSpec(Json.object().put("a", "b"))).isFalse();
    assertThat(PodPreparation.changesSpec(Json.object().put(APP_ARMOR, "x"))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "topologySpreadConstraints: [{topologyKey: z, matchLabelKeys: [a]}]",
        "affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{mismatchLabelKeys: [a]}]}}",
        "volumes: [{name: v, ephemeral: {volumeClaimTemplate: {spec: {}}}}]"
      })
  void whatTakesLabelsOrANameDependsOnMetadata(String spec) {
    assertThat(PodPreparation.dependsOnMetadata(spec(MAIN + spec))).isTrue();
  }

  private static ObjectNode spec(String members) {
    return PodTemplates.read(members).withObjectProperty("spec");
  }
}
