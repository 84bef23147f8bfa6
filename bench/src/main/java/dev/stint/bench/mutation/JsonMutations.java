package dev.stint.bench.mutation;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stint.model.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ContainerNode;
import tools.jackson.databind.node.ObjectNode;

/** Changes of JSON documents that keep them, for the most part, well-formed. */
final class JsonMutations {
  /** A text that stands for raw JSON until the document is printed. */
  private static final String MARK = "@raw@";

  private static final List<String> VALUES =
      List.of(
          "null",
          "true",
          "false",
          "0",
          "-1",
          "1",
          "1.5",
          "\"\"",
          "\"x\"",
          "[]",
          "{}",
          "[null]",
          "[{}]",
          "{\"\": null}",
          "\"default\"",
          "\"one\"",
          "[\"a\", \"a\"]",
          "{\"name\": \"one\"}");

  private static final List<String> NUMBERS =
      List.of(
          "2147483647",
          "2147483648",
          "-2147483648",
          "-2147483649",
          "9223372036854775807",
          "9223372036854775808",
          "-9223372036854775808",
          "1e400",
          "-1e400",
          "1e-400",
          "0.1e1",
          "-0",
          "1E2147483647",
          "1e999999999",
          "123456789012345678901234567890",
          "0.000000000000000000001",
          "1.0",
          "4294967296",
          "0e99999");

  private static final List<String> TEXTS =
      List.of(
          "\\ud800",
          "\\udc00",
          "\\ud800\\ud800",
          "a\\udfffb",
          "\\u0000",
          "\\u0001\\u001b[31m",
          "\\uffff",
          "\\ufeff",
          "é",
          "\uD83D\uDE00",
          "../../etc/passwd",
          "%s%n",
          "${x}",
          "$(A)",
          "a b",
          "A",
          "-a",
          "a-",
          ".",
          "..",
          "*",
          "0001-01-01T00:00:00Z",
          "9999-12-31T23:59:60Z",
          "2026-02-30T00:00:00Z",
          "2026-01-01T00:00:00+25:00",
          "1e30",
          "1Ei",
          "-1",
          "9999999999999999999999Ei",
          "0x10",
          "1m1",
          "0-2147483647",
          "5-1",
          "0,,1",
          "* * * * *",
          "@every 1ns",
          "TZ=UTC * * * * *",
          "0 0 31 2 *",
          "*/0 * * * *",
          "K8s.Io/x",
          "a/b/c",
          "=",
          "a=b",
          "//");

  private JsonMutations() {}

  static String structure(String json, RandomGenerator random) {
    return changed(json, random, pick(VALUES, random));
  }

  static String number(String json, RandomGenerator random) {
    return changed(json, random, pick(NUMBERS, random));
  }

  static String string(String json, RandomGenerator random) {
    String text = pick(TEXTS, random);
    String repeated = random.nextInt(8) == 0 ? text.repeat(1 + random.nextInt(2000)) : text;
    return changed(json, random, "\"" + repeated + "\"");
  }

  /** Puts deep lists or objects where a value was. */
  static String nesting(String json, RandomGenerator random) {
    int levels = 1 << random.nextInt(14);
    String open = random.nextBoolean() ? "[" : "{\"" + name(json, random) + "\":";
    String close = open.equals("[") ? "]" : "}";
    return changed(json, random, open.repeat(levels) + "1" + close.repeat(levels));
  }

  /** Gives an object a member twice. */
  static String duplicateKey(String json, RandomGenerator random) {
    JsonNode tree = read(json);
    List<ObjectNode> objects = objects(tree);
    objects.removeIf(JsonNode::isEmpty);
    if (objects.isEmpty()) {
      return json;
    }
    ObjectNode object = pick(objects, random);
    String key = pick(new ArrayList<>(object.propertyNames()), random);
    String value = random.nextBoolean() ? String.valueOf(object.get(key)) : pick(VALUES, random);
    object.put(MARK, MARK);
    String twice = Json.text(key) + ":" + value;
    return print(tree).replace("\"" + MARK + "\":\"" + MARK + "\"", twice);
  }

  /** Replaces, adds, renames, moves or removes a value somewhere. */
  private static String changed(String json, RandomGenerator random, String value) {
    JsonNode tree = read(json);
    if (tree == null || !(tree instanceof ContainerNode<?>) || random.nextInt(50) == 0) {
      return value;
    }
    List<ContainerNode<?>> places = new ArrayList<>();
    addContainers(tree, places);
    change(pick(places, random), tree, random);
    return print(tree).replace("\"" + MARK + "\"", value);
  }

  private static void change(JsonNode place, JsonNode tree, RandomGenerator random) {
    switch (place) {
      case ObjectNode object -> change(object, tree, random);
      case ArrayNode array when !array.isEmpty() && random.nextInt(3) > 0 ->
          array.set(random.nextInt(array.size()), Json.text(MARK));
      case ArrayNode array -> array.add(Json.text(MARK));
      default -> {}
    }
  }

  private static void change(ObjectNode object, JsonNode tree, RandomGenerator random) {
    List<String> names = new ArrayList<>(object.propertyNames());
    String name = names.isEmpty() ? "added" : pick(names, random);
    switch (random.nextInt(10)) {
      case 0 -> object.put(name(print(tree), random), MARK);
      case 1 -> object.put(name + "X", MARK);
      case 2 -> {
        JsonNode moved = object.remove(name);
        object.set(name(print(tree), random), moved == null ? Json.text(MARK) : moved);
      }
      default -> object.put(name, MARK);
    }
  }

  private static void addContainers(JsonNode tree, List<ContainerNode<?>> found) {
    if (tree instanceof ContainerNode<?> container) {
      found.add(container);
      tree.forEach(child -> addContainers(child, found));
    }
  }

  private static List<ObjectNode> objects(@Nullable JsonNode tree) {
    List<ContainerNode<?>> all = new ArrayList<>();
    if (tree != null) {
      addContainers(tree, all);
    }
    List<ObjectNode> objects = new ArrayList<>();
    all.forEach(each -> {
      if (each instanceof ObjectNode object) {
        objects.add(object);
      }
    });
    return objects;
  }

  /** Returns the name of a member anywhere in a document. */
  private static String name(String json, RandomGenerator random) {
    List<String> names =
        objects(read(json)).stream().flatMap(object -> object.propertyNames().stream()).toList();
    return names.isEmpty() ? "a" : pick(names, random).replace("\\", "").replace("\"", "");
  }

  private static @Nullable JsonNode read(String json) {
    try {
      return Json.read(json.getBytes(UTF_8));
    } catch (JacksonException malformed) {
      return null;
    }
  }

  private static String print(@Nullable JsonNode tree) {
    return tree == null ? "" : new String(Json.bytes(tree), UTF_8);
  }

  static <T> T pick(List<T> list, RandomGenerator random) {
    return list.get(random.nextInt(list.size()));
  }
}
