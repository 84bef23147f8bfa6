package dev.stint.apiextensions.value;

import dev.stint.apiextensions.schema.JsonSchema;
import tools.jackson.databind.JsonNode;

/** Values have the type that the schema names. */
final class TypeRules {
  private TypeRules() {}

  static void check(JsonNode value, JsonSchema schema, Findings findings) {
    String found = typeOf(value);
    if (value.isNull()) {
      if (!schema.nullable() && !wanted(schema).isEmpty()) {
        findings.wrongType(wanted(schema), found);
      }
      return;
    }
    if (!matches(value, found, schema)) {
      findings.wrongType(wanted(schema), found);
    }
  }

  private static boolean matches(JsonNode value, String found, JsonSchema schema) {
    if (schema.isIntOrString()) {
      return found.equals("string") || isInteger(value);
    }
    return switch (schema.type()) {
      case "" -> true;
      case "integer" -> isInteger(value);
      case "number" -> value.isNumber();
      default -> schema.type().equals(found);
    };
  }

  private static String wanted(JsonSchema schema) {
    return schema.isIntOrString() ? "integer,string" : schema.type();
  }

  /** True for whole numbers, such as 1 and 1.0. */
  static boolean isInteger(JsonNode value) {
    return value.isIntegralNumber()
        || value.isNumber() && value.doubleValue() == Math.rint(value.doubleValue());
  }

  /** Returns the JSON type of a value. */
  static String typeOf(JsonNode value) {
    return switch (value.getNodeType()) {
      case NUMBER -> value.isIntegralNumber() ? "integer" : "number";
      case STRING -> "string";
      case BOOLEAN -> "boolean";
      case ARRAY -> "array";
      case OBJECT -> "object";
      default -> "null";
    };
  }
}
