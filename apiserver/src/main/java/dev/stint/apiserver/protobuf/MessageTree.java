package dev.stint.apiserver.protobuf;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import com.google.protobuf.Message;
import dev.stint.model.Json;
import dev.stint.model.schema.FieldSchema;
import dev.stint.model.schema.ObjectSchema;
import dev.stint.model.schema.Schema;
import dev.stint.model.schema.ValueType;
import dev.stint.model.schema.ValueType.ListOf;
import dev.stint.model.schema.ValueType.MapOf;
import dev.stint.model.schema.ValueType.Reference;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Converts a protobuf message to the tree of its JSON form. Fields have the same names in both,
 * with exceptions: some messages represent one value (times, amounts), and some have fields that
 * are one level higher in JSON, such as the kinds of a volume.
 */
final class MessageTree {
  private static final JsonNodeFactory NODES = Json.nodes();
  private static final DateTimeFormatter MICROS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

  private MessageTree() {}

  /**
   * Returns the message as a tree.
   *
   * @param schema of the object that it represents; null if unknown, so that its fields are taken
   *     as they are
   */
  static ObjectNode of(Message message, @Nullable ObjectSchema schema) {
    if (DefinitionMessage.isOne(message)) {
      return DefinitionMessage.of(message);
    }
    ObjectNode tree = NODES.objectNode();
    fill(tree, message, schema);
    return tree;
  }

  private static void fill(ObjectNode tree, Message message, @Nullable ObjectSchema schema) {
    message
        .getAllFields()
        .forEach((field, value) -> {
          String name = name(field);
          FieldSchema known = schema == null ? null : schema.field(name);
          if (schema != null && known == null && isInlined(field)) {
            fill(tree, (Message) value, schema);
          } else if (schema == null || known != null || !isZero(value)) {
            tree.set(name, value(field, value, known == null ? null : known.type()));
          }
        });
  }

  static String name(FieldDescriptor field) {
    return switch (field.getName()) {
      case "uID" -> "uid";
      case "aPIGroup" -> "apiGroup";
      default -> field.getName();
    };
  }

  /**
   * True if the fields of this field's message are inlined in JSON, when the schema lacks the
   * field.
   */
  static boolean isInlined(FieldDescriptor field) {
    return field.getJavaType() == JavaType.MESSAGE && !field.isRepeated();
  }

  /**
   * True for a zero value: Go encodes empty values too, even of fields that were removed long ago.
   */
  private static boolean isZero(Object value) {
    return value.equals("") || value.equals(0) || value.equals(0L) || value.equals(false);
  }

  /**
   * Returns the value of a field.
   *
   * @param type of the field; null if unknown
   */
  static JsonNode value(FieldDescriptor field, Object value, @Nullable ValueType type) {
    if (field.isMapField()) {
      return map((List<?>) value, type instanceof MapOf(ValueType item) ? item : null);
    }
    if (field.isRepeated()) {
      ArrayNode items = NODES.arrayNode();
      ValueType item = type instanceof ListOf(ValueType known) ? known : null;
      ((List<?>) value).forEach(each -> items.add(single(each, item)));
      return items;
    }
    return single(value, type);
  }

  private static ObjectNode map(List<?> entries, @Nullable ValueType type) {
    ObjectNode members = NODES.objectNode();
    for (Object entry : entries) {
      Message pair = (Message) entry;
      FieldDescriptor key = pair.getDescriptorForType().findFieldByNumber(1);
      FieldDescriptor value = pair.getDescriptorForType().findFieldByNumber(2);
      members.set(String.valueOf(pair.getField(key)), single(pair.getField(value), type));
    }
    return members;
  }

  private static JsonNode single(Object value, @Nullable ValueType type) {
    return switch (value) {
      case String text -> NODES.stringNode(text);
      case Integer number -> NODES.numberNode(number);
      case Long number -> NODES.numberNode(number);
      case Double number -> NODES.numberNode(number);
      case Boolean yes -> NODES.booleanNode(yes);
      case ByteString bytes ->
          NODES.stringNode(Base64.getEncoder().encodeToString(bytes.toByteArray()));
      case Message message -> message(message, type);
      default -> throw new IllegalArgumentException("no JSON form of a " + value.getClass());
    };
  }

  private static JsonNode message(Message message, @Nullable ValueType type) {
    if (DefinitionMessage.isOne(message)) {
      return DefinitionMessage.json(message);
    }
    return switch (message.getDescriptorForType().getName()) {
      case "Time" -> time(message, DateTimeFormatter.ISO_INSTANT);
      case "MicroTime" -> time(message, MICROS);
      case "Quantity" -> single(field(message, "string"), null);
      case "IntOrString" ->
          single(field(message, field(message, "type").equals(0L) ? "intVal" : "strVal"), null);
      case "RawExtension" -> raw((ByteString) field(message, "raw"));
      case "FieldsV1" -> raw((ByteString) field(message, "Raw"));
      default -> plain(message, type);
    };
  }

  private static JsonNode plain(Message message, @Nullable ValueType type) {
    if (type instanceof ListOf) {
      // A list within a map needs a message of its own, with the items in its only field.
      Map.Entry<FieldDescriptor, Object> only =
          message.getAllFields().entrySet().stream().findFirst().orElse(null);
      return only == null ? NODES.arrayNode() : value(only.getKey(), only.getValue(), type);
    }
    return of(message, type instanceof Reference(String name) ? Schema.type(name) : null);
  }

  /** Returns a time; an empty message is a time that is not set. */
  private static JsonNode time(Message message, DateTimeFormatter format) {
    if (message.getAllFields().isEmpty()) {
      return NODES.nullNode();
    }
    long seconds = (Long) field(message, "seconds");
    int nanos = (Integer) field(message, "nanos");
    return NODES.stringNode(format.format(Instant.ofEpochSecond(seconds, nanos)));
  }

  static JsonNode raw(ByteString json) {
    return json.isEmpty() ? NODES.nullNode() : Json.read(json.toByteArray());
  }

  static Object field(Message message, String name) {
    return message.getField(message.getDescriptorForType().findFieldByName(name));
  }
}
