package dev.stint.apiextensions.value;

import dev.stint.apiextensions.schema.JsonSchema;
import dev.stint.model.field.FieldError;
import dev.stint.model.field.Trail;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Checks objects by a schema: the types, bounds and combinations that it states. Rules in CEL are
 * checked elsewhere.
 *
 * <p>An update is checked only where it changes something: a value that was there before may stay,
 * even if the schema has become stricter since.
 */
public final class SchemaValidation {
  /** Deeper objects are refused: every walk of an object recurses. */
  public static final int MAX_DEPTH = 1000;

  private final Findings findings;

  private SchemaValidation(Findings findings) {
    this.findings = findings;
  }

  /** Returns the faults of a new object. */
  public static List<FieldError> create(JsonNode object, JsonSchema schema) {
    return faults(object, null, schema);
  }

  /** Returns the faults of a changed object. */
  public static List<FieldError> update(JsonNode before, JsonNode after, JsonSchema schema) {
    return faults(after, before, schema);
  }

  private static List<FieldError> faults(
      JsonNode object, @Nullable JsonNode before, JsonSchema schema) {
    Findings findings = new Findings(new Trail());
    new SchemaValidation(findings).check(object, before, schema);
    return List.copyOf(findings.list());
  }

  /** Returns the faults of a value at the place of the findings, aside from them. */
  static Findings aside(JsonNode value, JsonSchema schema, Findings place) {
    Findings findings = place.aside();
    new SchemaValidation(findings).check(value, null, schema);
    return findings;
  }

  private void check(JsonNode value, @Nullable JsonNode before, JsonSchema schema) {
    if (before != null && before.equals(value)) {
      return;
    }
    if (findings.trail().depth() > MAX_DEPTH) {
      findings.add(FieldError.Type.INVALID, "is nested too deeply", null);
      return;
    }
    TypeRules.check(value, schema, findings);
    if (!value.isNull()) {
      checkContents(value, before, schema);
    }
    EnumRules.check(value, schema, findings);
  }

  private void checkContents(JsonNode value, @Nullable JsonNode before, JsonSchema schema) {
    LogicalJunctors.check(value, schema, findings);
    if (value.isString()) {
      TextRules.check(value, schema.text(), findings);
    } else if (value.isNumber()) {
      NumberRules.check(value, schema, findings);
    } else if (value.isArray()) {
      SizeRules.checkList(value, schema.sizes(), findings);
      checkItems(value, before, schema);
    } else if (value instanceof ObjectNode object) {
      SizeRules.checkObject(value, schema.sizes(), findings);
      checkMembers(object, before, schema);
    }
  }

  private void checkItems(JsonNode list, @Nullable JsonNode before, JsonSchema schema) {
    if (schema.items() != null) {
      Correlation correlation = Correlation.of(schema, before);
      for (int i = 0; i < list.size(); i++) {
        findings.trail().enterIndex(i);
        check(list.get(i), correlation.of(list.get(i)), schema.items());
        findings.trail().leave();
      }
    }
  }

  private void checkMembers(ObjectNode object, @Nullable JsonNode before, JsonSchema schema) {
    for (String name : schema.required()) {
      if (!object.has(name)) {
        findings.missing(name);
      }
    }
    JsonSchema others = schema.additionalSchema();
    if (schema.properties().isEmpty() && others == null) {
      return;
    }
    for (Map.Entry<String, JsonNode> member : object.properties()) {
      JsonSchema known = schema.properties().get(member.getKey());
      JsonSchema chosen = known == null ? others : known;
      if (chosen != null) {
        findings.trail().enterKey(member.getKey());
        check(member.getValue(), before == null ? null : before.get(member.getKey()), chosen);
        findings.trail().leave();
      }
    }
  }
}
