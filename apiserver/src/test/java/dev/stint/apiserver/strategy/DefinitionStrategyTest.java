package dev.stint.apiserver.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiextensions.definition.DefinitionNames;
import dev.stint.model.Json;
import dev.stint.model.field.FieldError;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class DefinitionStrategyTest {
  private static final Instant NOW = Instant.parse("2026-01-02T00:00:00Z");

  private final Map<String, DefinitionNames> others = new HashMap<>();
  private final DefinitionStrategy strategy = new DefinitionStrategy(_ -> others, () -> NOW);

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
  void aValidDefinitionIsEstablished() {
    ObjectNode definition = definition("v1");
    assertThat(strategy.create(definition)).isEmpty();
    assertThat(definition.at("/status/conditions/1/type").asString()).isEqualTo("Established");
    assertThat(definition.get("metadata").has("finalizers")).isFalse();
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

  private static DefinitionNames names(String plural, String kind) {
    return new DefinitionNames(
        plural, kind.toLowerCase(Locale.ROOT), kind, kind + "List", List.of(), List.of());
  }

  @Test
  void aDefinitionIsNotServedUntilItsNamesAreFree() {
    others.put("others.stable.example.com", names("others", "CronTab"));
    ObjectNode refused = definition("v1");
    assertThat(strategy.create(refused)).isEmpty();
    assertThat(refused.at("/status/conditions/0/reason").asString()).isEqualTo("ListKindConflict");
    assertThat(refused.at("/status/conditions/1/reason").asString()).isEqualTo("NotAccepted");
    assertThat(refused.at("/status/acceptedNames/plural").asString()).isEqualTo("crontabs");
    assertThat(refused.at("/status/acceptedNames/kind").asString()).isEmpty();
    assertThat(DefinitionStrategy.served(refused)).isNull();

    others.clear();
    ObjectNode looked = refused.deepCopy();
    assertThat(strategy.updateStatus(refused, looked)).isEmpty();
    assertThat(looked.at("/status/conditions/0/status").asString()).isEqualTo("True");
    assertThat(looked.at("/status/conditions/1/reason").asString())
        .isEqualTo("InitialNamesAccepted");
    assertThat(DefinitionStrategy.served(looked)).isNotNull();
  }

  @Test
  void anEstablishedDefinitionKeepsItsNamesWhenItAsksForThoseOfAnother() {
    ObjectNode before = definition("v1");
    assertThat(strategy.create(before)).isEmpty();
    others.put("others.stable.example.com", names("others", "Other"));
    ObjectNode after = before.deepCopy();
    ((ObjectNode) after.at("/spec/names")).putArray("shortNames").add("other");
    assertThat(strategy.update(before, after)).isEmpty();
    assertThat(after.at("/status/conditions/0/message").asString())
        .isEqualTo("\"other\" is already in use");
    assertThat(after.at("/status/conditions/1/status").asString()).isEqualTo("True");
    assertThat(DefinitionStrategy.served(after))
        .satisfies(kind -> assertThat(kind.names().shortNames()).isEmpty());
  }

  @Test
  void theKindMayChangeUntilTheDefinitionIsEstablished() {
    others.put("others.stable.example.com", names("others", "CronTab"));
    ObjectNode before = definition("v1");
    assertThat(strategy.create(before)).isEmpty();
    ObjectNode after = before.deepCopy();
    ((ObjectNode) after.at("/spec/names"))
        .put("kind", "Tab")
        .put("listKind", "TabList")
        .put("singular", "tab");
    assertThat(strategy.update(before, after)).isEmpty();
    assertThat(DefinitionStrategy.served(after)).isNotNull();
    ObjectNode again = after.deepCopy();
    ((ObjectNode) again.at("/spec/names")).put("kind", "Other");
    assertThat(strategy.update(after, again))
        .extracting(FieldError::path)
        .containsExactly("spec.names.kind");
  }

  @Test
  void theFirstDeletionHoldsADefinition() {
    ObjectNode definition = definition("v1");
    assertThat(strategy.create(definition)).isEmpty();
    strategy.hold(definition);
    strategy.hold(definition);
    assertThat(MetadataDefaults.finalizers(definition))
        .containsExactly("customresourcecleanup.apiextensions.k8s.io");
  }

  @Test
  void aDefinitionThatIsBeingDeletedSaysSo() {
    ObjectNode definition = definition("v1");
    assertThat(strategy.create(definition)).isEmpty();
    strategy.markDeleting(definition);
    assertThat(DefinitionStrategy.isTerminating(definition)).isTrue();
    assertThat(definition.at("/status/conditions/2/reason").asString())
        .isEqualTo("InstanceDeletionInProgress");
  }
}
