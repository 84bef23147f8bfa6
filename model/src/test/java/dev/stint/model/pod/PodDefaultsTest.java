package dev.stint.model.pod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class PodDefaultsTest {
  @ParameterizedTest
  @CsvSource({
    "busybox, Always",
    "busybox:latest, Always",
    "busybox:1.36, IfNotPresent",
    "registry.example.com:5000/team/app, Always",
    "registry.example.com:5000/team/app:v1, IfNotPresent",
    "busybox@sha256:0123456789012345678901234567890123456789012345678901234567890123, IfNotPresent",
    "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef, IfNotPresent",
    "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef:1, IfNotPresent",
    "'x ', IfNotPresent"
  })
  void imagesThatMayMoveArePulledAlways(String image, String policy) {
    JsonNode spec = defaulted("containers: [{name: a, image: \"" + image + "\"}]");
    assertThat(spec.at("/containers/0/imagePullPolicy").stringValue()).isEqualTo(policy);
  }

  @Test
  void anImageWhosePathIsTooLongForARegistryIsNotPulledAlways() {
    assertThat(DefaultPullPolicy.of("example.com/" + "a".repeat(255))).isEqualTo("Always");
    assertThat(DefaultPullPolicy.of("a".repeat(255))).isEqualTo("IfNotPresent");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // The sum of the containers' requests, or else the limits; none without limits.
        "{requests: {cpu: 1}} | {requests: {memory: 1Gi}} | {\"cpu\":\"1\"}",
        "{limits: {cpu: 2, memory: 2Gi}} | {} | {\"cpu\":\"2\",\"memory\":\"2Gi\"}",
        "{limits: {cpu: 2, memory: 2Gi}} | {limits: {cpu: 1}} | {\"cpu\":\"1\",\"memory\":\"2Gi\"}",
        "{limits: {cpu: 2}} | {requests: {memory: 1Gi}} | {\"cpu\":\"2\",\"memory\":\"1Gi\"}",
        "{limits: {cpu: 2}} | {requests: {x.io/gpu: 1}, limits: {x.io/gpu: 1}} | {\"cpu\":\"2\"}",
        "{limits: {hugepages-2Mi: 2Mi}} | {} | {\"hugepages-2Mi\":\"2Mi\"}",
        "{requests: {cpu: 1}} | {limits: {cpu: 1, hugepages-2Mi: 2Mi}} | {\"cpu\":\"1\",\"hugepages-2Mi\":\"2Mi\"}"
      })
  void requestsOfAPodFollowFromItsLimitsAndItsContainers(
      String own, String container, String requests) {
    ObjectNode pod =
        PodTemplates.read(
            "containers: [{name: a, image: x, resources: %s}]\n  resources: %s"
                .formatted(container, own));
    PodDefaults.applyToPod(pod);
    JsonNode resources = pod.at("/spec/resources");
    assertThat(resources.get("requests")).isEqualTo(Json.parse(requests));
  }

  @Test
  void probesAndPortsAndReferencesAreFilledIn() {
    JsonNode container =
        defaulted(
                "containers: [{name: a, image: x, ports: [{containerPort: 80}], livenessProbe:"
                    + " {httpGet: {port: 80}}, readinessProbe: {grpc: {port: 1}}, env: [{name: A,"
                    + " valueFrom: {fieldRef: {fieldPath: metadata.name}}}]}]")
            .at("/containers/0");
    assertThat(container.at("/ports/0/protocol").stringValue()).isEqualTo("TCP");
    assertThat(container.get("livenessProbe"))
        .isEqualTo(
            Json.parse(
                "{\"httpGet\":{\"port\":80,\"path\":\"/\",\"scheme\":\"HTTP\"},\"timeoutSeconds\":1,"
                    + "\"periodSeconds\":10,\"successThreshold\":1,\"failureThreshold\":3}"));
    assertThat(container.at("/readinessProbe/grpc/service").stringValue()).isEmpty();
    assertThat(container.at("/env/0/valueFrom/fieldRef/apiVersion").stringValue()).isEqualTo("v1");
  }

  @Test
  void volumesAreFilledIn() {
    JsonNode volumes =
        defaulted(
                "volumes: [{name: a}, {name: b, secret: {secretName: s}}, {name: c, projected:"
                    + " {sources: [{serviceAccountToken: {path: t}}]}}, {name: d, hostPath: {path:"
                    + " /x}}]")
            .get("volumes");
    assertThat(volumes.at("/0/emptyDir").isObject()).isTrue();
    assertThat(volumes.at("/1/secret/defaultMode").intValue()).isEqualTo(420);
    assertThat(volumes.at("/2/projected/defaultMode").intValue()).isEqualTo(420);
    assertThat(
            volumes.at("/2/projected/sources/0/serviceAccountToken/expirationSeconds").intValue())
        .isEqualTo(3600);
    assertThat(volumes.at("/3/hostPath/type").stringValue()).isEmpty();
  }

  @Test
  void amountsFinerThanAThousandthAreRoundedUp() {
    JsonNode spec =
        defaulted("containers: [{name: a, image: x, resources: {requests: {cpu: 1n}}}]");
    assertThat(spec.at("/containers/0/resources/requests/cpu").stringValue()).isEqualTo("1m");
  }

  @Test
  void aSumThatCouldNotBeReadAgainIsNoDefault() {
    ObjectNode pod =
        PodTemplates.read(
            "containers: [{name: a, image: x, resources: {requests: {cpu: 1, memory: 1}}}, {name:"
                + " b, image: x, resources: {requests: {cpu: 1e9999, memory: 1}}}]\n"
                + "  resources: {limits: {x.io/gpu: 1}}");
    PodDefaults.applyToPod(pod);
    assertThat(pod.at("/spec/resources/requests")).isEqualTo(Json.parse("{\"memory\":\"2\"}"));
  }

  @Test
  void bothNamesOfTheServiceAccountAreSet() {
    assertThat(defaulted("serviceAccountName: sa").get("serviceAccount").stringValue())
        .isEqualTo("sa");
    assertThat(defaulted("serviceAccount: sa").get("serviceAccountName").stringValue())
        .isEqualTo("sa");
  }

  @Test
  void aPodAsksForItsLimitsAndOpensItsPortsOnTheHost() {
    ObjectNode pod =
        PodTemplates.read(
            "hostNetwork: true\n  containers: [{name: a, image: x, ports: [{containerPort: 80}],"
                + " resources: {limits: {cpu: 1}}}]");
    PodDefaults.applyToPod(pod);
    assertThat(pod.at("/spec/containers/0/resources/requests/cpu").stringValue()).isEqualTo("1");
    assertThat(pod.at("/spec/containers/0/ports/0/hostPort").intValue()).isEqualTo(80);
    assertThat(pod.at("/spec/enableServiceLinks").booleanValue()).isTrue();
    ObjectNode again = pod.deepCopy();
    PodDefaults.applyToPod(again);
    assertThat(again).isEqualTo(pod);
  }

  private static JsonNode defaulted(String line) {
    ObjectNode pod = PodTemplates.read(line);
    PodDefaults.applyToSpec((ObjectNode) pod.get("spec"));
    return pod.get("spec");
  }
}
