package dev.stint.model;

import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/** Reads and writes JSON trees; the one place where the JSON library is configured. */
public final class Json {
  /**
   * The maximum depth of nested objects and lists, in what is written as in what is read. It is
   * more than twice that of documents from outside, since objects are stored with managed fields,
   * and sent in lists.
   */
  static final int DEPTH = 1000;

  private static final JsonNodeFactory NODES = TreeGuard.nodes();
  private static final JsonMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxNestingDepth(DEPTH).build())
                  .build())
          .nodeFactory(NODES)
          .build();

  private Json() {}

  /** Returns the factory for all nodes of trees. */
  public static JsonNodeFactory nodes() {
    return NODES;
  }

  public static ObjectNode object() {
    return NODES.objectNode();
  }

  public static ArrayNode array() {
    return NODES.arrayNode();
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
   * Parses JSON from outside, of any form.
   *
   * @throws tools.jackson.core.JacksonException if it is not JSON, or nested too deeply
   */
  public static JsonNode read(byte[] json) {
    return MAPPER.readTree(json);
  }

  /** Returns a JSON string. */
  public static JsonNode text(String value) {
    return NODES.stringNode(value);
  }

  /**
   * Returns the serialised tree.
   *
   * @throws IllegalArgumentException if it is nested too deeply to be read again
   */
  public static byte[] bytes(JsonNode tree) {
    return JsonWriter.bytes(tree);
  }

  /** Returns the same text, written by the library: slower, but for any tree. */
  static byte[] bytesByLibrary(JsonNode tree) {
    return MAPPER.writeValueAsBytes(tree);
  }

  /**
   * Returns the serialised document; parts shared with another one are reused.
   *
   * @param known the other document
   * @param text the other document's text from {@link #bytes(JsonNode)}; members may be missing
   * @throws IllegalArgumentException if it is nested too deeply to be read again
   */
  public static byte[] bytes(ObjectNode tree, ObjectNode known, byte[] text) {
    return JsonWriter.bytes(tree, known, text);
  }

  /** Returns the object with two-space indentation, for people. */
  public static String pretty(JsonNode tree) {
    return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(tree);
  }

  /** Returns a new object that shares the members of another; empty for null. */
  public static ObjectNode copyOf(@Nullable ObjectNode other) {
    ObjectNode copy = object();
    if (other != null) {
      copy.setAll(other);
    }
    return copy;
  }

  /** Returns the member as an object; null if it is absent, null or something else. */
  public static @Nullable ObjectNode objectAt(@Nullable JsonNode tree, String member) {
    return tree != null && tree.get(member) instanceof ObjectNode found ? found : null;
  }

  /** Returns the member as an array; null if it is absent, null or something else. */
  public static @Nullable ArrayNode arrayAt(@Nullable JsonNode tree, String member) {
    return tree != null && tree.get(member) instanceof ArrayNode found ? found : null;
  }

  /** Returns the member as text; null if it is absent, null or not text. */
  public static @Nullable String text(@Nullable JsonNode tree, String member) {
    return tree != null && tree.get(member) instanceof StringNode found
        ? found.stringValue()
        : null;
  }

  /** Returns the member as an integer; null if it is absent, null or not an integer. */
  public static @Nullable Integer integer(@Nullable JsonNode tree, String member) {
    JsonNode found = tree == null ? null : tree.get(member);
    return found != null && found.isIntegralNumber() && found.canConvertToInt()
        ? found.intValue()
        : null;
  }

  /** Returns the member as a long integer; null if it is absent, null or not an integer. */
  public static @Nullable Long longInteger(@Nullable JsonNode tree, String member) {
    JsonNode found = tree == null ? null : tree.get(member);
    return found != null && found.isIntegralNumber() && found.canConvertToLong()
        ? found.longValue()
        : null;
  }

  /** Returns the member as a boolean; null if it is absent, null or something else. */
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
