package dev.stint.apiextensions.structure;

import dev.stint.apiextensions.schema.JsonSchema;
import dev.stint.apiextensions.schema.JsonSchema.Additional;
import dev.stint.apiextensions.schema.Juncts;
import dev.stint.apiextensions.schema.KubernetesExtensions;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Combinations by allOf, anyOf, oneOf and not restrict values, and nothing else: each field in one
 * is defined outside, where its type stands.
 */
final class CombinationRules {
  private static final String EMPTY = "must be empty to be structural";
  private static final String UNDEFINED = "must be undefined to be structural";
  private static final String FALSE = "must be false to be structural";

  private CombinationRules() {}

  static void check(CheckedSchema node) {
    parts(node, node, node.schema().isIntOrString());
  }

  /**
   * Checks the parts of a node.
   *
   * @param outside where its fields are defined
   * @param mayType whether two alternatives may state the types integer and string
   */
  private static void parts(CheckedSchema node, CheckedSchema outside, boolean mayType) {
    Juncts juncts = node.schema().juncts();
    if (juncts.isEmpty()) {
      return;
    }
    boolean pair = mayType && isIntOrString(juncts.anyOf());
    each(node, "anyOf", juncts.anyOf(), outside, pair, false);
    each(node, "oneOf", juncts.oneOf(), outside, false, false);
    List<JsonSchema> all = juncts.allOf();
    for (int i = 0; i < all.size(); i++) {
      part(node, "allOf[" + i + "]", all.get(i), outside, false, mayType);
    }
    if (juncts.not() != null) {
      part(node, "not", juncts.not(), outside, false, false);
    }
  }

  private static boolean isIntOrString(List<JsonSchema> any) {
    return any.size() == 2
        && any.get(0).type().equals("integer")
        && any.get(1).type().equals("string");
  }

  private static void each(
      CheckedSchema node,
      String word,
      List<JsonSchema> schemas,
      CheckedSchema outside,
      boolean typed,
      boolean mayType) {
    for (int i = 0; i < schemas.size(); i++) {
      part(node, word + "[" + i + "]", schemas.get(i), outside, typed, mayType);
    }
  }

  private static void part(
      CheckedSchema node,
      String step,
      JsonSchema schema,
      CheckedSchema outside,
      boolean typed,
      boolean mayType) {
    CheckedSchema part = node.child(schema, step, node.level(), node.inMetadata());
    restrictsOnly(part, typed);
    defined(part, outside);
    parts(part, outside, mayType);
  }

  private static void restrictsOnly(CheckedSchema part, boolean typed) {
    JsonSchema schema = part.schema();
    forbid(part, schema.isDescribed(), "description", EMPTY);
    forbid(part, !schema.type().isEmpty() && !typed, "type", EMPTY);
    forbid(part, schema.defaultValue() != null, "default", UNDEFINED);
    forbid(part, schema.additional() != Additional.UNSPECIFIED, "additionalProperties", UNDEFINED);
    forbid(part, schema.nullable(), "nullable", FALSE);
    forbid(part, !schema.validations().isEmpty(), "x-kubernetes-validations", EMPTY);
    extensions(part, schema.extensions());
  }

  private static void extensions(CheckedSchema part, KubernetesExtensions extensions) {
    if (extensions == KubernetesExtensions.NONE) {
      return;
    }
    forbid(
        part,
        extensions.preserveUnknownFields() != null,
        "x-kubernetes-preserve-unknown-fields",
        UNDEFINED);
    forbid(part, extensions.embeddedResource(), "x-kubernetes-embedded-resource", FALSE);
    forbid(part, extensions.intOrString(), "x-kubernetes-int-or-string", FALSE);
    forbid(part, !extensions.listMapKeys().isEmpty(), "x-kubernetes-list-map-keys", EMPTY);
    forbid(part, !extensions.listType().isEmpty(), "x-kubernetes-list-type", UNDEFINED);
    forbid(part, !extensions.mapType().isEmpty(), "x-kubernetes-map-type", UNDEFINED);
  }

  private static void forbid(CheckedSchema part, boolean found, String word, String detail) {
    if (found) {
      part.forbidden(word, detail);
    }
  }

  /** Checks that all fields of a part are defined outside. */
  private static void defined(CheckedSchema part, CheckedSchema outside) {
    JsonSchema schema = part.schema();
    schema
        .properties()
        .forEach((name, member) ->
            inside(
                part,
                "properties[" + name + "]",
                member,
                outside,
                outside.schema().properties().get(name)));
    if (schema.items() != null) {
      inside(part, "items", schema.items(), outside, outside.schema().items());
    }
  }

  private static void inside(
      CheckedSchema part,
      String step,
      JsonSchema schema,
      CheckedSchema outside,
      @Nullable JsonSchema definition) {
    CheckedSchema inner = part.child(schema, step, part.level(), part.inMetadata());
    if (definition == null) {
      outside.required(step, "because it is defined in " + inner.path());
      restrictsOnly(inner, false);
      return;
    }
    CheckedSchema place = outside.child(definition, step, part.level(), part.inMetadata());
    restrictsOnly(inner, false);
    defined(inner, place);
    parts(inner, place, definition.isIntOrString());
  }
}
