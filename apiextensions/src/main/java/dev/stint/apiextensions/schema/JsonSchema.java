package dev.stint.apiextensions.schema;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * One node of a schema. Instances are immutable and shared: equal keywords without values cost
 * nothing.
 *
 * @param type a JSON type; "" for none
 * @param isDescribed whether there is a title, a description or an example, which value validations
 *     may not have
 * @param properties the members that are known by name
 * @param additional the members that are not
 * @param items the schema of a list's items; null for none
 * @param defaultValue null for none
 * @param required the members that must exist
 * @param allowed the values of {@code enum}; empty if any is allowed
 * @param unsupported the keywords that no custom resource may use, such as {@code $ref}
 * @param validations the rules in CEL
 */
public record JsonSchema(
    String type,
    boolean nullable,
    boolean isDescribed,
    Map<String, JsonSchema> properties,
    Additional additional,
    @Nullable JsonSchema items,
    @Nullable JsonNode defaultValue,
    List<String> required,
    List<JsonNode> allowed,
    TextLimits text,
    NumberLimits numbers,
    SizeLimits sizes,
    Juncts juncts,
    KubernetesExtensions extensions,
    Set<String> unsupported,
    List<ValidationRule> validations) {

  /** Members without a name of their own in the schema. */
  public sealed interface Additional {
    /** Nothing is said about them. */
    Additional UNSPECIFIED = new Unspecified();

    /** {@code additionalProperties: true} and {@code false}. */
    Additional ANY = new Stated(true);

    Additional FORBIDDEN = new Stated(false);

    record Unspecified() implements Additional {}

    record Stated(boolean allowed) implements Additional {}

    /** All have values of one schema, as in a map. */
    record Values(JsonSchema schema) implements Additional {}
  }

  /** Returns a schema that says nothing but the type; "" for any. */
  public static JsonSchema ofType(String type) {
    return new JsonSchema(
        type,
        false,
        false,
        Map.of(),
        Additional.UNSPECIFIED,
        null,
        null,
        List.of(),
        List.of(),
        TextLimits.NONE,
        NumberLimits.NONE,
        SizeLimits.NONE,
        Juncts.NONE,
        KubernetesExtensions.NONE,
        Set.of(),
        List.of());
  }

  /** Returns the schema of the values of a map; null if this is none. */
  public @Nullable JsonSchema additionalSchema() {
    return additional instanceof Additional.Values values ? values.schema() : null;
  }

  /** Returns the schema of a member; null if there is none. */
  public @Nullable JsonSchema member(String name) {
    JsonSchema known = properties.get(name);
    return known == null ? additionalSchema() : known;
  }

  public boolean isObject() {
    return type.equals("object");
  }

  public boolean isArray() {
    return type.equals("array");
  }

  /** True if members that the schema does not name are kept. */
  public boolean keepsUnknown() {
    return extensions.preserveUnknownFields() != null && extensions.preserveUnknownFields();
  }

  public boolean isEmbeddedResource() {
    return extensions.embeddedResource();
  }

  public boolean isIntOrString() {
    return extensions.intOrString();
  }
}
