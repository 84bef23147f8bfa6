package dev.stint.apiextensions.definition;

import dev.stint.apiextensions.schema.JsonSchema;
import dev.stint.apiextensions.schema.JsonSchema.Additional;
import dev.stint.apiextensions.schema.Juncts;
import dev.stint.apiextensions.schema.KubernetesExtensions;
import dev.stint.apiextensions.schema.NumberLimits;
import dev.stint.apiextensions.schema.SizeLimits;
import dev.stint.apiextensions.schema.TextLimits;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The fields that a CustomResourceDefinition may have. It is only for pruning: it says nothing of
 * types, and the schema of schemas contains itself.
 */
public final class DefinitionPruning {
  private static final JsonSchema LEAF = JsonSchema.ofType("");
  private static final JsonSchema ANYTHING =
      node(
          Map.of(),
          Additional.UNSPECIFIED,
          null,
          new KubernetesExtensions(true, false, false, "", List.of(), ""));

  /** The fields of {@code openAPIV3Schema}, and of each schema in it. */
  private static final JsonSchema SCHEMA = schema();

  private static final JsonSchema DEFINITION =
      object(Map.of("spec", spec(), "status", status()), "apiVersion", "kind", "metadata");

  private DefinitionPruning() {}

  /** Returns the fields as a schema, by which documents can be pruned. */
  public static JsonSchema all() {
    return DEFINITION;
  }

  private static JsonSchema spec() {
    return object(
        Map.of(
            "names", names(),
            "versions", list(version()),
            "conversion", conversion()),
        "group",
        "scope",
        "preserveUnknownFields");
  }

  private static JsonSchema names() {
    return object(Map.of(), "plural", "singular", "kind", "listKind", "shortNames", "categories");
  }

  private static JsonSchema version() {
    return object(
        Map.of(
            "schema", object(Map.of("openAPIV3Schema", SCHEMA)),
            "subresources", subresources(),
            "additionalPrinterColumns",
                list(
                    object(
                        Map.of(), "name", "type", "format", "description", "priority", "jsonPath")),
            "selectableFields", list(object(Map.of(), "jsonPath"))),
        "name",
        "served",
        "storage",
        "deprecated",
        "deprecationWarning");
  }

  private static JsonSchema subresources() {
    return object(
        Map.of(
            "status",
            object(Map.of()),
            "scale",
            object(Map.of(), "specReplicasPath", "statusReplicasPath", "labelSelectorPath")));
  }

  private static JsonSchema conversion() {
    JsonSchema client =
        object(
            Map.of("service", object(Map.of(), "name", "namespace", "path", "port")),
            "url",
            "caBundle");
    return object(
        Map.of("webhook", object(Map.of("clientConfig", client), "conversionReviewVersions")),
        "strategy");
  }

  private static JsonSchema status() {
    JsonSchema condition =
        object(
            Map.of(),
            "type",
            "status",
            "reason",
            "message",
            "lastTransitionTime",
            "observedGeneration");
    return object(
        Map.of("acceptedNames", names(), "conditions", list(condition)),
        "storedVersions",
        "observedGeneration");
  }

  private static JsonSchema schema() {
    Map<String, JsonSchema> members = new HashMap<>();
    // "items" may be a list of schemas too; the compiler refuses that.
    JsonSchema self = node(Collections.unmodifiableMap(members), Additional.UNSPECIFIED, null);
    JsonSchema each = node(self.properties(), Additional.UNSPECIFIED, self);
    for (String name : List.of("not", "items", "additionalProperties", "additionalItems")) {
      members.put(name, each);
    }
    for (String name : List.of("allOf", "anyOf", "oneOf")) {
      members.put(name, list(self));
    }
    for (String name : List.of("properties", "patternProperties", "definitions", "dependencies")) {
      members.put(name, node(Map.of(), new Additional.Values(self), null));
    }
    members.put("default", ANYTHING);
    members.put("example", ANYTHING);
    members.put("enum", list(ANYTHING));
    members.put("externalDocs", object(Map.of(), "description", "url"));
    members.put("x-kubernetes-validations", list(rule()));
    leaves(
        members,
        ("$ref $schema id title description type format nullable pattern required uniqueItems"
                + " minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength"
                + " maxLength minItems maxItems minProperties maxProperties"
                + " x-kubernetes-preserve-unknown-fields x-kubernetes-embedded-resource"
                + " x-kubernetes-int-or-string x-kubernetes-list-map-keys"
                + " x-kubernetes-list-type x-kubernetes-map-type")
            .split(" "));
    return self;
  }

  private static JsonSchema rule() {
    return object(
        Map.of(), "rule", "message", "messageExpression", "reason", "fieldPath", "optionalOldSelf");
  }

  private static JsonSchema object(Map<String, JsonSchema> members, String... leaves) {
    Map<String, JsonSchema> all = new HashMap<>(members);
    leaves(all, leaves);
    return node(Map.copyOf(all), Additional.UNSPECIFIED, null);
  }

  private static void leaves(Map<String, JsonSchema> members, String... names) {
    for (String name : names) {
      members.put(name, LEAF);
    }
  }

  private static JsonSchema list(JsonSchema item) {
    return node(Map.of(), Additional.UNSPECIFIED, item);
  }

  private static JsonSchema node(
      Map<String, JsonSchema> members, Additional additional, @Nullable JsonSchema items) {
    return node(members, additional, items, KubernetesExtensions.NONE);
  }

  private static JsonSchema node(
      Map<String, JsonSchema> members,
      Additional additional,
      @Nullable JsonSchema items,
      KubernetesExtensions extensions) {
    return new JsonSchema(
        "",
        false,
        false,
        members,
        additional,
        items,
        null,
        List.of(),
        List.of(),
        TextLimits.NONE,
        NumberLimits.NONE,
        SizeLimits.NONE,
        Juncts.NONE,
        extensions,
        Set.of(),
        List.of());
  }
}
