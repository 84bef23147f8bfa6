package dev.stint.apiserver.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class DefinitionStrategyTest {
  private final DefinitionStrategy strategy = new DefinitionStrategy();

  private static ObjectNode definition(String version) {
    return Json.parse(
        """
        {"metadata": {"name": "crontabs.stable.example.com", "uid": "u",
          "resourceVersion": "1", "creationTimestamp": "2026-01-01T00:00:00Z"},
         "spec": {"group": "stable.example.com", "scope": "Namespaced",
          "names": {"plural": "crontabs", "kind": "CronTab"},
          "versions": [{"name": "%s", "served": true, "storage": true,
            "schema": {"openAPIV3Schema": {"type": "object"}}}]}}
        """
            .formatted(version));
  }

  @Test
  void aValidDefinitionIsEstablishedAndHeld() {
    ObjectNode definition = definition("v1");
    assertThat(strategy.create(definition)).isEmpty();
    assertThat(definition.at("/status/conditions/1/type").asString()).isEqualTo("Established");
    assertThat(definition.at("/metadata/finalizers/0").asString())
        .isEqualTo("customresourcecleanup.apiextensions.k8s.io");
    assertThat(DefinitionStrategy.served(definition)).isNotNull();
  }

  @Test
  void aVersionInWhichObjectsMayBeStoredIsNotRemoved() {
    ObjectNode before = definition("v1");
    assertThat(strategy.create(before)).isEmpty();
    ObjectNode after = definition("v2");
    after.set("status", before.get("status").deepCopy());
    assertThat(strategy.update(before, after))
        .singleElement()
        .satisfies(fault -> assertThat(fault.path()).isEqualTo("status.storedVersions[0]"));
  }

  @Test
  void clientsAreWarnedOfWhatIsNotDone() {
    ObjectNode definition = definition("v1");
    ObjectNode version = (ObjectNode) definition.at("/spec/versions/0");
    version.putObject("subresources").putObject("scale");
    ((ObjectNode) version.at("/schema/openAPIV3Schema"))
        .putArray("x-kubernetes-validations")
        .addObject()
        .put("rule", "self.a > 1");
    assertThat(strategy.warnings(null, definition))
        .containsExactly(
            "spec.versions[0].schema: x-kubernetes-validations are stored, but not evaluated",
            "spec.versions[0].subresources.scale: is stored, but not served");
    version.put("storage", false);
    assertThat(strategy.warnings(null, definition))
        .contains("spec.versions[0]: only the version in which objects are stored is served");
  }
}
