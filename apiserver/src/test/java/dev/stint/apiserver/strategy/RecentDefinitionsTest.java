package dev.stint.apiserver.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiextensions.definition.CompiledDefinition.CustomKind;
import dev.stint.apiextensions.definition.CompiledDefinition.Faulty;
import dev.stint.model.Json;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class RecentDefinitionsTest {
  private final ObjectNode definition =
      Json.parse(
          """
          {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
           "metadata":{"name":"widgets.example.com"},
           "spec":{"group":"example.com","scope":"Namespaced",
            "names":{"kind":"Widget","plural":"widgets","singular":"widget","listKind":"WidgetList"},
            "conversion":{"strategy":"None"},
            "versions":[{"name":"v1","served":true,"storage":true,
             "schema":{"openAPIV3Schema":{"type":"object"}}}]}}
          """);

  @Test
  void theSameDefinitionIsCompiledOnce() {
    ObjectNode later = definition.deepCopy();
    later.putObject("status").put("any", "thing");
    assertThat(RecentDefinitions.compiled(definition))
        .isInstanceOf(CustomKind.class)
        .isSameAs(RecentDefinitions.compiled(later));
  }

  @Test
  void whatItDependsOnTellsDefinitionsApart() {
    ObjectNode renamed = definition.deepCopy();
    renamed.withObjectProperty("metadata").put("name", "gadgets.example.com");
    assertThat(RecentDefinitions.compiled(renamed)).isInstanceOf(Faulty.class);
    ObjectNode changed = definition.deepCopy();
    changed.withObjectProperty("spec").put("scope", "Cluster");
    assertThat(RecentDefinitions.compiled(changed))
        .isInstanceOfSatisfying(
            CustomKind.class, kind -> assertThat(kind.isNamespaced()).isFalse());
  }
}
