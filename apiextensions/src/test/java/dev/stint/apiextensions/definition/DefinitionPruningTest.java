package dev.stint.apiextensions.definition;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiextensions.value.Pruning;
import dev.stint.model.Json;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class DefinitionPruningTest {
  private static ObjectNode tree(String json) {
    return Json.parse(json.replace('\'', '"'));
  }

  @Test
  void unknownFieldsAreFoundInSchemasOfAnyDepth() {
    List<String> removed = new ArrayList<>();
    ObjectNode pruned =
        Pruning.prune(
            tree(
                "{'spec': {'version': 'v1', 'versions': [{'name': 'v1', 'schema':"
                    + " {'openAPIV3Schema': {'type': 'object', 'properties': {'a': {'type':"
                    + " 'array', 'items': {'type': 'object', 'odd': 1, 'additionalProperties':"
                    + " {'anyOf': [{'wrong': 2}]}}}}}}}]}}"),
            DefinitionPruning.all(),
            removed);
    String schema = "spec.versions[0].schema.openAPIV3Schema.properties.a.items.";
    assertThat(removed)
        .containsExactly(
            "spec.version", schema + "odd", schema + "additionalProperties.anyOf[0].wrong");
    assertThat(pruned.at("/spec/versions/0/schema/openAPIV3Schema/properties/a/items"))
        .isEqualTo(tree("{'type': 'object', 'additionalProperties': {'anyOf': [{}]}}"));
  }

  @Test
  void knownFieldsAndValuesOfAnyFormAreKept() {
    ObjectNode definition =
        tree(
            "{'apiVersion': 'apiextensions.k8s.io/v1', 'kind': 'CustomResourceDefinition',"
                + " 'metadata': {'name': 'a', 'annotations': {'any': 'thing'}}, 'spec': {'group':"
                + " 'g', 'scope': 'Namespaced', 'names': {'plural': 'as', 'shortNames': ['x']},"
                + " 'conversion': {'strategy': 'Webhook', 'webhook': {'conversionReviewVersions':"
                + " ['v1'], 'clientConfig': {'url': 'u', 'caBundle': 'c', 'service': {'name': 's',"
                + " 'port': 1}}}}, 'versions': [{'name': 'v1', 'served': true, 'subresources':"
                + " {'status': {}, 'scale': {'specReplicasPath': '.a'}}, 'schema':"
                + " {'openAPIV3Schema': {'default': {'x': [{'y': 1}]}, 'enum': [{'z': 1}],"
                + " 'properties': {'odd': {'type': 'string'}}, 'additionalProperties': false,"
                + " 'x-kubernetes-validations': [{'rule': 'true', 'optionalOldSelf': true}]}}}]},"
                + " 'status': {'storedVersions': ['v1'], 'conditions': [{'type': 'T'}]}}");
    assertThat(Pruning.prune(definition, DefinitionPruning.all())).isSameAs(definition);
  }
}
