package dev.stint.apiserver.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiserver.catalogue.ApiResource;
import dev.stint.apiserver.catalogue.GroupVersion;
import dev.stint.apiserver.catalogue.TestCatalogue;
import dev.stint.apiserver.discovery.AggregatedDiscovery.Form;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class DiscoveryTest {
  /** The named groups, in the order of Kubernetes. */
  private static final List<String> GROUPS =
      List.of(
          "apiregistration.k8s.io",
          "apps",
          "events.k8s.io",
          "authentication.k8s.io",
          "authorization.k8s.io",
          "autoscaling",
          "batch",
          "certificates.k8s.io",
          "networking.k8s.io",
          "policy",
          "rbac.authorization.k8s.io",
          "storage.k8s.io",
          "apiextensions.k8s.io",
          "scheduling.k8s.io",
          "coordination.k8s.io",
          "node.k8s.io",
          "discovery.k8s.io",
          "flowcontrol.apiserver.k8s.io");

  private static final GroupVersion BATCH = new GroupVersion("batch", "v1");
  private static final GroupVersion CORE = new GroupVersion("", "v1");

  @Test
  void listsTheCoreVersion() {
    ObjectNode versions = Discovery.versions("127.0.0.1:6443");

    assertThat(versions.get("versions").get(0).stringValue()).isEqualTo("v1");
    assertThat(versions.toString()).contains("\"serverAddress\":\"127.0.0.1:6443\"");
  }

  /** As recorded: conformance/conversation.json, batch group. */
  @Test
  void describesAGroup() {
    assertThat(Discovery.group(TestCatalogue.BUILT_IN, "batch"))
        .contains(
            Json.parse(
                """
                {"kind": "APIGroup", "apiVersion": "v1", "name": "batch",
                 "versions": [{"groupVersion": "batch/v1", "version": "v1"}],
                 "preferredVersion": {"groupVersion": "batch/v1", "version": "v1"}}
                """));
    assertThat(Discovery.group(TestCatalogue.BUILT_IN, "nope.example.com")).isEmpty();
    assertThat(Discovery.group(TestCatalogue.BUILT_IN, "")).isEmpty();
  }

  @Test
  void listsEachGroupOnceWithoutTheCore() {
    List<String> names = new ArrayList<>();
    Discovery.groups(TestCatalogue.BUILT_IN)
        .get("groups")
        .forEach(group -> names.add(group.get("name").stringValue()));

    assertThat(names).containsExactlyElementsOf(GROUPS);
  }

  @Test
  void listsTheResourcesOfBatch() {
    assertThat(names(Discovery.resources(TestCatalogue.BUILT_IN, BATCH).orElseThrow()))
        .containsExactlyInAnyOrder("jobs", "jobs/status", "cronjobs", "cronjobs/status");
    assertThat(Discovery.resources(TestCatalogue.BUILT_IN, new GroupVersion("batch", "v9")))
        .isEmpty();
  }

  @Test
  void describesResourcesAndSubresourcesOfTheCore() {
    ObjectNode core = Discovery.resources(TestCatalogue.BUILT_IN, CORE).orElseThrow();

    assertThat(names(core))
        .contains(
            "pods/log",
            "pods/binding",
            "pods/eviction",
            "pods/status",
            "pods/exec",
            "pods/attach",
            "namespaces/status",
            "namespaces/finalize",
            "nodes/status",
            "bindings")
        .doesNotContain("pods/ephemeralcontainers");
    assertThat(resource(core, "pods"))
        .isEqualTo(
            Json.parse(
                """
                {"name": "pods", "singularName": "pod", "namespaced": true, "kind": "Pod",
                 "verbs": ["create", "delete", "deletecollection", "get", "list", "patch", "update",
                   "watch"],
                 "shortNames": ["po"], "categories": ["all"]}
                """));
    assertThat(resource(core, "serviceaccounts/token"))
        .isEqualTo(
            Json.parse(
                """
                {"name": "serviceaccounts/token", "singularName": "", "namespaced": true,
                 "group": "authentication.k8s.io", "version": "v1", "kind": "TokenRequest",
                 "verbs": ["create"]}
                """));
    assertThat(resource(core, "namespaces").get("verbs").toString())
        .doesNotContain("deletecollection");
  }

  @Test
  void saysTheSameInOneDocument() {
    for (Form form : Form.values()) {
      List<String> aggregated = new ArrayList<>();
      collect(AggregatedDiscovery.core(TestCatalogue.BUILT_IN, form), aggregated);
      collect(AggregatedDiscovery.groups(TestCatalogue.BUILT_IN, form), aggregated);
      List<String> single = new ArrayList<>();
      for (GroupVersion served : TestCatalogue.BUILT_IN.groupVersions()) {
        single.addAll(names(Discovery.resources(TestCatalogue.BUILT_IN, served).orElseThrow()));
      }

      assertThat(aggregated).containsExactlyInAnyOrderElementsOf(single);
    }
  }

  @Test
  void namesFormKindAndScopeInTheOneDocument() {
    ObjectNode list = AggregatedDiscovery.groups(TestCatalogue.BUILT_IN, Form.V2);
    JsonNode batch = list.get("items").get(6);
    JsonNode jobs = batch.get("versions").get(0).get("resources").get(1);

    assertThat(list.get("apiVersion").stringValue()).isEqualTo("apidiscovery.k8s.io/v2");
    assertThat(
            AggregatedDiscovery.groups(TestCatalogue.BUILT_IN, Form.V2_BETA_1)
                .get("apiVersion")
                .stringValue())
        .isEqualTo("apidiscovery.k8s.io/v2beta1");
    assertThat(Form.V2.contentType())
        .isEqualTo("application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList");
    assertThat(batch.get("metadata").get("name").stringValue()).isEqualTo("batch");
    assertThat(jobs.get("scope").stringValue()).isEqualTo("Namespaced");
    assertThat(jobs.get("responseKind").toString())
        .isEqualTo("{\"group\":\"batch\",\"version\":\"v1\",\"kind\":\"Job\"}");
  }

  @Test
  void groupsAndResourcesHaveKubernetesOrder() {
    assertThat(TestCatalogue.BUILT_IN.groupVersions().stream().map(GroupVersion::group))
        .containsExactlyElementsOf(Stream.concat(Stream.of(""), GROUPS.stream()).toList());
    assertThat(
            TestCatalogue.BUILT_IN.of(new GroupVersion("batch", "v1")).stream()
                .map(ApiResource::name))
        .containsExactly("cronjobs", "jobs");
  }

  @Test
  void findsEveryStoredKind() {
    for (Kind kind : TestCatalogue.BUILT_IN.storedKinds()) {
      assertThat(TestCatalogue.BUILT_IN.find(kind.group(), kind.version(), kind.plural()))
          .hasValueSatisfying(r -> assertThat(r.namespaced()).isEqualTo(kind.namespaced()));
    }
  }

  @Test
  void saysWhichKubernetesItIs() {
    ObjectNode version = VersionInfo.document("0.1.0");

    assertThat(version.get("gitVersion").stringValue()).isEqualTo("v1.36.0+stint.0.1.0");
    assertThat(version.get("minor").stringValue()).isEqualTo("36");
    assertThat(VersionInfo.platform("Mac OS X", "aarch64")).isEqualTo("darwin/arm64");
    assertThat(VersionInfo.platform("Linux", "amd64")).isEqualTo("linux/amd64");
  }

  private static List<String> names(ObjectNode list) {
    List<String> names = new ArrayList<>();
    list.get("resources").forEach(resource -> names.add(resource.get("name").stringValue()));
    return names;
  }

  private static JsonNode resource(ObjectNode list, String name) {
    return list.get("resources")
        .valueStream()
        .filter(resource -> resource.get("name").stringValue().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static void collect(ObjectNode list, List<String> names) {
    for (JsonNode group : list.get("items")) {
      for (JsonNode resource : group.get("versions").get(0).get("resources")) {
        String name = resource.get("resource").stringValue();
        names.add(name);
        resource
            .path("subresources")
            .forEach(sub -> names.add(name + "/" + sub.get("subresource").stringValue()));
      }
    }
  }
}
