package dev.stint.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiserver.ApiServer;
import dev.stint.apiserver.http.HttpApi.Answer;
import dev.stint.model.Kind;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Kinds that are only kept, as clients see them. */
class KeptKindsTest {
  private static final String MERGE = "application/merge-patch+json";
  private static final String TEMPLATE =
      "'template': {'metadata': {'labels': {'a': 'b'}}, 'spec': {'containers':"
          + " [{'name': 'c', 'image': 'i'}]}}";
  private static final String WORKLOAD =
      "'spec': {'selector': {'matchLabels': {'a': 'b'}}, " + TEMPLATE + "}";

  /** The least that each kind must say. */
  private static final Map<String, String> LEAST =
      Map.ofEntries(
          Map.entry("Service", "'spec': {'ports': [{'port': 80}], 'selector': {'a': 'b'}}"),
          Map.entry("Endpoints", "'subsets': [{'addresses': [{'ip': '10.1.2.3'}]}]"),
          Map.entry(
              "EndpointSlice",
              "'addressType': 'IPv4', 'endpoints': [{'addresses': ['10.1.2.3']}], 'ports': []"),
          Map.entry(
              "Ingress",
              "'spec': {'defaultBackend': {'service': {'name': 's', 'port': {'number': 80}}}}"),
          Map.entry("IngressClass", "'spec': {'controller': 'example.com/c'}"),
          Map.entry("NetworkPolicy", "'spec': {'podSelector': {}}"),
          Map.entry(
              "PersistentVolumeClaim",
              "'spec': {'accessModes': ['ReadWriteOnce'],"
                  + " 'resources': {'requests': {'storage': '1Gi'}}}"),
          Map.entry(
              "PersistentVolume",
              "'spec': {'accessModes': ['ReadWriteOnce'], 'capacity': {'storage': '1Gi'},"
                  + " 'hostPath': {'path': '/tmp'}}"),
          Map.entry("StorageClass", "'provisioner': 'example.com/p'"),
          Map.entry("PodTemplate", TEMPLATE),
          Map.entry("ReplicationController", "'spec': {'selector': {'a': 'b'}, " + TEMPLATE + "}"),
          Map.entry("Deployment", WORKLOAD),
          Map.entry("ReplicaSet", WORKLOAD),
          Map.entry("StatefulSet", WORKLOAD),
          Map.entry("DaemonSet", WORKLOAD),
          Map.entry("ControllerRevision", "'revision': 1, 'data': {'a': 1}"),
          Map.entry(
              "HorizontalPodAutoscaler",
              "'spec': {'maxReplicas': 3, 'scaleTargetRef': {'kind': 'Deployment', 'name': 'd'}}"),
          Map.entry("PodDisruptionBudget", "'spec': {'minAvailable': 1}"),
          Map.entry("RuntimeClass", "'handler': 'h'"),
          Map.entry(
              "APIService",
              "'spec': {'group': 'g.example.com', 'version': 'v1', 'groupPriorityMinimum': 100,"
                  + " 'versionPriority': 100}"),
          Map.entry(
              "CertificateSigningRequest",
              "'spec': {'request': 'YQ==', 'signerName': 'example.com/s', 'username': 'root'}"));

  private final HttpApi api = new HttpApi();

  @AfterEach
  void close() {
    api.close();
  }

  static Stream<Kind> kinds() {
    return Kind.kept().stream();
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void anObjectIsCreatedChangedAppliedListedAndDeleted(Kind kind) {
    Answer created = api.post(collection(kind), document(kind));
    assertThat(created.code()).as(created.body()).isEqualTo(201);
    String object = collection(kind) + "/one";
    assertThat(api.get(object).at("/kind")).isEqualTo(kind.kind());
    assertThat(api.call("PUT", object, api.get(object).body(), Map.of()).code()).isEqualTo(200);
    Answer patched = patch(object, MERGE, "{'metadata': {'labels': {'x': 'y'}}}");
    assertThat(patched.at("/metadata/labels/x")).as(patched.body()).isEqualTo("y");
    Answer strategic =
        patch(
            object,
            "application/strategic-merge-patch+json",
            "{'metadata': {'labels': {'x': 'z'}}}");
    assertThat(strategic.at("/metadata/labels/x")).as(strategic.body()).isEqualTo("z");
    Answer json =
        patch(
            object,
            "application/json-patch+json",
            "[{'op': 'remove', 'path': '/metadata/labels/x'}]");
    assertThat(json.code()).as(json.body()).isEqualTo(200);
    Answer applied =
        patch(
            object + "?fieldManager=m&force=true", "application/apply-patch+yaml", document(kind));
    assertThat(applied.code()).as(applied.body()).isEqualTo(200);
    assertThat(api.get(collection(kind)).tree().at("/items")).hasSize(1);
    assertThat(api.get(collection(kind), HttpApi.TABLE).tree().at("/rows/0/cells/0").asString(""))
        .isEqualTo("one");
    assertThat(api.delete(collection(kind), "").code()).isEqualTo(200);
    assertThat(api.get(object).code()).isEqualTo(404);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void anUnknownFieldIsRefusedWhereTheClientAsks(Kind kind) {
    String wrong = document(kind).replaceFirst("\\{", "{'nonsense': 1, ");
    Answer refused = api.post(collection(kind) + "?fieldValidation=Strict", wrong);
    assertThat(refused.code()).isEqualTo(400);
    assertThat(refused.at("/message")).contains("nonsense");
    api.post(collection(kind), document(kind));
    String object = collection(kind) + "/one?fieldValidation=Strict&fieldManager=m";
    assertThat(patch(object, MERGE, "{'nonsense': 1}").at("/message"))
        .isEqualTo(" \"\" is invalid: patch: strict decoding error: unknown field \"nonsense\"");
    assertThat(patch(object, "application/apply-patch+yaml", wrong).at("/message"))
        .startsWith("failed to create typed patch object (")
        .endsWith(
            "/one; %s, Kind=%s): .nonsense: field not declared in schema"
                .formatted(kind.apiVersion(), kind.kind()));
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void aStatusIsWrittenSeparately(Kind kind) {
    api.post(collection(kind), document(kind));
    Answer status = api.get(collection(kind) + "/one/status");
    boolean has = api.get(collection(kind) + "/one").tree().has("status");
    assertThat(status.code()).isEqualTo(has ? 200 : 404);
  }

  @Test
  void anApprovalWritesNothingButTheConditions() {
    Kind kind = Kind.of("certificates.k8s.io/v1", "CertificateSigningRequest").orElseThrow();
    String request = collection(kind) + "/one";
    api.post(collection(kind), document(kind));
    patch(request + "/status", MERGE, "{'status': {'certificate': 'YQ=='}}");
    String approved =
        "{'spec': {'signerName': 'example.com/other'}, 'status': {'certificate': 'Yg==',"
            + " 'conditions': [{'type': 'Approved', 'status': 'True', 'reason': 'r'}]}}";
    Answer patched = patch(request + "/approval", MERGE, approved);
    assertThat(patched.code()).as(patched.body()).isEqualTo(200);
    assertThat(patched.at("/status/conditions/0/type")).isEqualTo("Approved");
    assertThat(patched.at("/status/certificate")).isEqualTo("YQ==");
    assertThat(patched.at("/spec/signerName")).isEqualTo("example.com/s");
    Answer withdrawn = api.call("PUT", request + "/approval", api.get(request).body(), Map.of());
    assertThat(withdrawn.at("/status/conditions/0/status")).isEqualTo("True");
  }

  @Test
  void theExamplesAreOfAllKinds() {
    assertThat(Kind.kept().stream().map(Kind::kind).collect(Collectors.toSet()))
        .isEqualTo(LEAST.keySet());
  }

  @Test
  void whatIsRequiredOrEnumeratedIsChecked() {
    String policies = "/apis/networking.k8s.io/v1/namespaces/default/networkpolicies";
    Answer refused =
        api.post(
            policies,
            "{'metadata': {'name': 'p'}, 'spec': {'policyTypes': ['Up'], 'ingress':"
                + " [{'from': [{'ipBlock': {}}]}]}}");
    assertThat(refused.code()).isEqualTo(422);
    assertThat(refused.causes())
        .containsExactlyInAnyOrder("spec.policyTypes[0]", "spec.ingress[0].from[0].ipBlock.cidr");
  }

  @Test
  void aRequestForACertificateNamesNobody() {
    Kind kind = Kind.of("certificates.k8s.io/v1", "CertificateSigningRequest").orElseThrow();
    Answer created = api.post(collection(kind), document(kind));
    assertThat(created.tree().at("/spec").has("username")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"Deployment", "ReplicaSet", "StatefulSet", "ReplicationController"})
  void aWorkloadHasAScale(String name) {
    Kind kind =
        Kind.kept().stream().filter(each -> each.kind().equals(name)).findFirst().orElseThrow();
    api.post(collection(kind), document(kind));
    String scale = collection(kind) + "/one/scale";
    assertThat(api.get(scale).at("/kind")).isEqualTo("Scale");
    assertThat(api.get(scale).at("/status/selector")).isEqualTo("a=b");
    Answer patched = patch(scale, MERGE, "{'spec': {'replicas': 3}}");
    assertThat(patched.tree().at("/spec/replicas").asInt(0)).as(patched.body()).isEqualTo(3);
    String wanted = api.get(scale).body().replace("\"replicas\":3", "\"replicas\":4");
    assertThat(api.call("PUT", scale, wanted, Map.of()).code()).isEqualTo(200);
    assertThat(api.get(collection(kind) + "/one").tree().at("/spec/replicas").asInt(0))
        .isEqualTo(4);
    assertThat(patch(scale, MERGE, "{'spec': {'replicas': -1}}").code()).isEqualTo(422);
  }

  @Test
  void aPodGetsTheOverheadOfItsRuntimeClass() {
    HttpApi cluster = new HttpApi(ApiServer.Options.defaults().withNamespacesThatExist());
    try (cluster) {
      cluster.post("/api/v1/namespaces", "{'metadata': {'name': 'default'}}");
      cluster.post(
          "/apis/node.k8s.io/v1/runtimeclasses",
          "{'metadata': {'name': 'r'}, 'handler': 'h', 'overhead': {'podFixed': {'cpu': '1'}}}");
      String pod =
          "{'metadata': {'name': 'p'}, 'spec': {'runtimeClassName': '%s', 'containers':"
              + " [{'name': 'c', 'image': 'i'}]}}";
      Answer created = cluster.post(HttpApi.PODS, pod.formatted("r"));
      assertThat(created.at("/spec/overhead/cpu")).as(created.body()).isEqualTo("1");
      assertThat(cluster.post(HttpApi.PODS, pod.formatted("none")).code()).isEqualTo(403);
    }
  }

  private Answer patch(String target, String type, String body) {
    return api.call("PATCH", target, body, Map.of("Content-Type", type));
  }

  private static String document(Kind kind) {
    return "{'apiVersion': '%s', 'kind': '%s', 'metadata': {'name': 'one'}, %s}"
        .formatted(kind.apiVersion(), kind.kind(), LEAST.get(kind.kind()));
  }

  private static String collection(Kind kind) {
    String group = kind.group().isEmpty() ? "/api/v1" : "/apis/" + kind.apiVersion();
    return group + (kind.namespaced() ? "/namespaces/default/" : "/") + kind.plural();
  }
}
