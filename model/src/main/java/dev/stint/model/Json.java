package dev.stint.model;

import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Reading and writing JSON trees; the one place where the JSON library is configured. */
public final class Json {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private Json() {}

  public static ObjectNode object() {
    return MAPPER.createObjectNode();
  }

  public static ArrayNode array() {
    return MAPPER.createArrayNode();
  }

  /** Parses one JSON object that this program wrote itself. */
  public static ObjectNode parse(byte[] json) {
    return (ObjectNode) MAPPER.readTree(json);
  }

  /** Parses one JSON object that this program wrote itself. */
  public static ObjectNode parse(String json) {
    return (ObjectNode) MAPPER.readTree(json);
  }

  /**
   * Parses JSON that somebody else wrote, of any form.
   *
   * @throws tools.jackson.core.JacksonException where it is none, or nested too deep
   */
  public static JsonNode read(byte[] json) {
    return MAPPER.readTree(json);
  }

  /** A text by itself. */
  public static JsonNode text(String value) {
    return JsonNodeFactory.instance.stringNode(value);
  }

  public static byte[] bytes(JsonNode tree) {
    return JsonWriter.bytes(tree);
  }

  /** The same text, the slow way, which can write anything. */
  static byte[] bytesByLibrary(JsonNode tree) {
    return MAPPER.writeValueAsBytes(tree);
  }

  /**
   * The text of a document, for which costs only what it does not share with another one.
   *
   * @param known the other one
   * @param text of the other one as {@link #bytes(JsonNode)} gives it, of which members may be
   *     missing
   */
  public static byte[] bytes(ObjectNode tree, ObjectNode known, byte[] text) {
    return JsonWriter.bytes(tree, known, text);
  }

  /** The object with two-space indentation, as a person reads it. */
  public static String pretty(JsonNode tree) {
    return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(tree);
  }

  /** A new object with the members of another, which are shared; empty where there is none. */
  public static ObjectNode copyOf(@Nullable ObjectNode other) {
    ObjectNode copy = object();
    if (other != null) {
      copy.setAll(other);
    }
    return copy;
  }

  /** The member as an object, or null where it is absent, null or something else. */
  public static @Nullable ObjectNode objectAt(@Nullable JsonNode tree, String member) {
    return tree != null && tree.get(member) instanceof ObjectNode found ? found : null;
  }

  /** The member as an array, or null where it is absent, null or something else. */
  public static @Nullable ArrayNode arrayAt(@Nullable JsonNode tree, String member) {
    return tree != null && tree.get(member) instanceof ArrayNode found ? found : null;
  }

  /** The member as text, or null where it is absent, null or not text. */
  public static @Nullable String text(@Nullable JsonNode tree, String member) {
    JsonNode found = tree == null ? null : tree.get(member);
    return found != null && found.isString() ? found.stringValue() : null;
  }

  /** The member as an integer, or null where it is absent, null or not an integer. */
  public static @Nullable Integer integer(@Nullable JsonNode tree, String member) {
    JsonNode found = tree == null ? null : tree.get(member);
    return found != null && found.isIntegralNumber() && found.canConvertToInt()
        ? found.intValue()
        : null;
  }

  /** The member as a long integer, or null where it is absent, null or not an integer. */
  public static @Nullable Long longInteger(@Nullable JsonNode tree, String member) {
    JsonNode found = tree == null ? null : tree.get(member);
    return found != null && found.isIntegralNumber() && found.canConvertToLong()
        ? found.longValue()
        : null;
  }

  /** The member as a boolean, or null where it is absent, null or something else. */
  public static @Nullable Boolean bool(@Nullable JsonNode tree, String member) {
    JsonNode found = tree == null ? null : tree.get(member);
    return found != null && found.isBoolean() ? found.booleanValue() : null;
  }

  /**
   * Calls {@code each} with the text members of the object that {@code member} holds, if it holds
   * one.
   */
  public static void forEachText(
      @Nullable JsonNode tree, String member, BiConsumer<String, String> each) {
    ObjectNode found = objectAt(tree, member);
    if (found != null) {
      for (Map.Entry<String, JsonNode> entry : found.properties()) {
        if (entry.getValue().isString()) {
          each.accept(entry.getKey(), entry.getValue().stringValue());
        }
      }
    }
  }
}
