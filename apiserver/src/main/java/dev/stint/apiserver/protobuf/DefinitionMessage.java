package dev.stint.apiserver.protobuf;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import dev.stint.model.Json;
import dev.stint.model.schema.ObjectSchema;
import dev.stint.model.schema.Schema;
import dev.stint.model.schema.ValueType;
import dev.stint.model.schema.ValueType.Reference;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Converts the messages of a CustomResourceDefinition to their JSON form. Schemas differ most from
 * theirs: fields have other names, and some messages represent a value of several types, or any
 * value.
 */
final class DefinitionMessage {
  private static final ValueType METADATA =
      Objects.requireNonNull(
              Schema.ofKind("v1", "ConfigMap").map(type -> type.field("metadata")).orElse(null))
          .type();

  /** Fields that Go omits only if they are not set: there, a zero value has a meaning. */
  private static final Set<String> OPTIONAL =
      Set.of(
          "served",
          "storage",
          "xKubernetesPreserveUnknownFields",
          "maximum",
          "minimum",
          "maxLength",
          "minLength",
          "maxItems",
          "minItems",
          "maxProperties",
          "minProperties",
          "multipleOf",
          "port");

  private static final Map<String, String> NAMES = Map.of("ref", "$ref", "schema", "$schema");

  private DefinitionMessage() {}

  /** True for a message of the group of definitions. */
  static boolean isOne(Message message) {
    return message.getDescriptorForType().getFile().getPackage().contains(".apiextensions");
  }

  /** Returns the JSON form of a message of the group. */
  static JsonNode json(Message message) {
    return switch (message.getDescriptorForType().getName()) {
      case "JSON" -> MessageTree.raw((ByteString) MessageTree.field(message, "raw"));
      case "JSONSchemaPropsOrArray" -> schemaOr(message, "jSONSchemas");
      case "JSONSchemaPropsOrBool" -> schemaOr(message, "allows");
      case "JSONSchemaPropsOrStringArray" -> schemaOr(message, "property");
      default -> of(message);
    };
  }

  /** Returns the schema of a message that holds a schema or a value of another type. */
  private static JsonNode schemaOr(Message message, String other) {
    FieldDescriptor schema = message.getDescriptorForType().findFieldByName("schema");
    return message.hasField(schema)
        ? json((Message) message.getField(schema))
        : value(message.getDescriptorForType().findFieldByName(other), message);
  }

  /** Returns the JSON form of a message that represents an object. */
  static ObjectNode of(Message message) {
    boolean isSchema = message.getDescriptorForType().getName().equals("JSONSchemaProps");
    ObjectNode tree = Json.object();
    for (FieldDescriptor field : message.getAllFields().keySet()) {
      if (OPTIONAL.contains(field.getName()) || !isZero(message.getField(field))) {
        tree.set(isSchema ? nameInSchema(field) : field.getName(), value(field, message));
      }
    }
    return tree;
  }

  private static boolean isZero(Object value) {
    return value.equals("") || value.equals(0) || value.equals(0L) || value.equals(false);
  }

  /** Returns {@code x-kubernetes-list-type} for {@code xKubernetesListType}. */
  private static String nameInSchema(FieldDescriptor field) {
    String name = field.getName();
    return name.startsWith("xKubernetes")
        ? name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT)
        : NAMES.getOrDefault(name, name);
  }

  private static JsonNode value(FieldDescriptor field, Message message) {
    Object value = message.getField(field);
    return switch (value) {
      case Double number when number == Math.rint(number) && Math.abs(number) < 1L << 53 ->
          Json.nodes().numberNode(number.longValue());
      case Message part when field.getName().equals("metadata") -> MessageTree.of(part, metadata());
      default -> MessageTree.value(field, value, null);
    };
  }

  private static @Nullable ObjectSchema metadata() {
    return METADATA instanceof Reference(String name) ? Schema.type(name) : null;
  }
}
