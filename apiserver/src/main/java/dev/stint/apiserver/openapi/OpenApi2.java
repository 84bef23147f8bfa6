package dev.stint.apiserver.openapi;

import dev.stint.apiserver.catalogue.ApiCatalogue;
import dev.stint.apiserver.catalogue.ApiResource;
import dev.stint.model.Json;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Makes the OpenAPI v2 document: the types of all resources, without paths. It says what v2 can
 * say; where it cannot, it says less, so that clients refuse nothing that the server takes.
 */
final class OpenApi2 {
  /** The keywords that v2 does not have, or that Kubernetes leaves out. */
  private static final Set<String> LEFT_OUT =
      Set.of("allOf", "anyOf", "oneOf", "not", "nullable", "default");

  /** The keywords that say what a value is. */
  private static final Set<String> OF_TYPE =
      Set.of("type", "properties", "items", "additionalProperties", "required");

  private OpenApi2() {}

  static ObjectNode document(ApiCatalogue catalogue) {
    Schemas schemas = new Schemas();
    for (ApiResource resource : catalogue.all()) {
      schemas.addKind(resource);
      if (resource.verbs().contains("list")) {
        schemas.addList(resource);
      }
    }
    ObjectNode document = Json.object().put("swagger", "2.0");
    document.putObject("info").put("title", "Stint").put("version", "0.1.0");
    document.putObject("paths");
    ObjectNode definitions = document.putObject("definitions");
    schemas
        .tree()
        .properties()
        .forEach(type -> definitions.set(type.getKey(), named(type.getKey(), type.getValue())));
    return document;
  }

  private static ObjectNode named(String fullName, JsonNode schema) {
    ObjectNode converted = schema(schema);
    if (fullName.equals(TypeNames.QUANTITY) || fullName.equals(TypeNames.INT_OR_STRING)) {
      converted.put("type", "string"); // v2 has no types to choose from.
    }
    return converted;
  }

  /** Returns a schema of v3 as one of v2. */
  private static ObjectNode schema(JsonNode schema) {
    ObjectNode converted = Json.object();
    boolean open = isOpen(schema);
    for (var keyword : schema.properties()) {
      String name = keyword.getKey();
      if (!LEFT_OUT.contains(name) && !(open && OF_TYPE.contains(name))) {
        converted.set(name, keyword(name, keyword.getValue()));
      }
    }
    JsonNode wrapped = schema.at("/allOf/0/$ref");
    if (wrapped.isString()) {
      converted.set("$ref", keyword("$ref", wrapped));
    }
    return converted;
  }

  /** True if it allows more than v2 can say: null, or members that it does not name. */
  private static boolean isOpen(JsonNode schema) {
    return schema.path("nullable").asBoolean(false)
        || schema.path("x-kubernetes-preserve-unknown-fields").asBoolean(false);
  }

  private static JsonNode keyword(String name, JsonNode value) {
    return switch (name) {
      case "$ref" ->
          Json.text(value.asString("").replace("#/components/schemas/", "#/definitions/"));
      case "items", "additionalProperties" -> value.isObject() ? schema(value) : value;
      case "properties" -> {
        ObjectNode converted = Json.object();
        value
            .properties()
            .forEach(member -> converted.set(member.getKey(), schema(member.getValue())));
        yield converted;
      }
      default -> value;
    };
  }
}
