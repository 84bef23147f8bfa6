package dev.stint.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

class JsonWriterTest {
  private static final List<String> NAMES =
      List.of("a", "spec", "ab", "metadata", "x\"y", "x\\\"y", "\n", "\\n", "ü", "");

  @Test
  void sharedPartsAreCopiedAndTheRestIsWritten() {
    ObjectNode known = Json.parse("{\"kind\":\"Pod\",\"spec\":{\"a\":[1]},\"status\":{}}");
    byte[] marked =
        "{\"kind\":\"Pod\",\"spec\":{\"a\":[2]},\"status\":{}}".getBytes(StandardCharsets.UTF_8);
    ObjectNode tree = Json.copyOf(known);
    tree.putObject("status").put("phase", "Failed");
    assertThat(text(Json.bytes(tree, known, marked)))
        .as("a text that was marked, to tell what is copied of it")
        .isEqualTo("{\"kind\":\"Pod\",\"spec\":{\"a\":[2]},\"status\":{\"phase\":\"Failed\"}}");
  }

  /** A number that was read anew is written in another form than that of the stored text. */
  @Test
  void aDecimalThatIsWrittenInBetweenLeavesTheStoredTextAsItIs() {
    byte[] stored = "{\"spec\":{\"rate\":0.00025},\"kind\":\"A\"}".getBytes(StandardCharsets.UTF_8);
    ObjectNode known = Json.parse(text(stored));
    assertThat(text(Json.bytes(known))).doesNotContain("0.00025");
    ObjectNode tree = Json.copyOf(known);
    tree.put("kind", "B");
    assertThat(text(Json.bytes(tree, known, stored)))
        .isEqualTo("{\"spec\":{\"rate\":0.00025},\"kind\":\"B\"}");
  }

  @Test
  void aMemberThatTheTextLacksIsWritten() {
    ObjectNode known = Json.parse("{\"a\":1,\"b\":{\"c\":[]}}");
    assertThat(
            text(
                Json.bytes(
                    Json.copyOf(known), known, "{\"a\":1}".getBytes(StandardCharsets.UTF_8))))
        .isEqualTo("{\"a\":1,\"b\":{\"c\":[]}}");
    assertThat(text(Json.bytes(Json.copyOf(known), known, "{}".getBytes(StandardCharsets.UTF_8))))
        .isEqualTo("{\"a\":1,\"b\":{\"c\":[]}}");
  }

  @Test
  void whatIsWrittenCanBeRead() {
    ObjectNode deepest = nested(Json.DEPTH);
    assertThat(Json.parse(Json.bytes(deepest))).isEqualTo(deepest);
    ObjectNode deeper = nested(Json.DEPTH + 1);
    assertThatThrownBy(() -> Json.bytes(deeper))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("nested too deeply to be read again; at most 1000 levels");
    assertThatThrownBy(() -> Json.bytes(deeper, deepest, Json.bytes(deepest)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static ObjectNode nested(int levels) {
    ObjectNode tree = Json.object();
    for (int i = 1; i < levels; i++) {
      JsonNode inner = tree;
      tree = Json.object();
      tree.set("a", inner);
    }
    return tree;
  }

  @Test
  void afterAnyChangeTheTextEqualsThatOfTheWholeDocument() {
    for (int seed = 0; seed < 2000; seed++) {
      Random random = new Random(seed);
      ObjectNode known = object(random, 3);
      ObjectNode tree = changed(known, random);
      assertThat(text(Json.bytes(tree, known, Json.bytes(known))))
          .as("seed %d", seed)
          .isEqualTo(text(Json.bytesByLibrary(tree)))
          .isEqualTo(text(Json.bytes(tree)));
      ObjectNode next = changed(tree, random);
      assertThat(text(Json.bytes(next, tree, Json.bytes(tree, known, Json.bytes(known)))))
          .as("seed %d, the second change", seed)
          .isEqualTo(text(Json.bytesByLibrary(next)));
    }
  }

  /** The second name reads as the first one is written. */
  @Test
  void aNameThatReadsLikeAnEscapedOneIsAnotherName() {
    ObjectNode known = Json.object();
    known.put("x\"y", 1).put("x\\\"y", 2);
    ObjectNode tree = Json.object();
    tree.put("x\"y", 3).put("x\\\"y", 4);
    assertThat(text(Json.bytes(tree, known, Json.bytes(known)))).isEqualTo(text(Json.bytes(tree)));
  }

  @Test
  void membersOfALargeObjectAreWrittenInAnyOrder() {
    List<String> names = IntStream.range(0, 1000).mapToObj(each -> "member-" + each).toList();
    ObjectNode known = Json.object();
    names.forEach(name -> known.put(name, name));
    List<String> shuffled = new ArrayList<>(names);
    for (int seed = 0; seed < 20; seed++) {
      ObjectNode tree = Json.object();
      shuffled.stream().limit(700).forEach(name -> tree.set(name, known.get(name)));
      assertThat(text(Json.bytes(tree, known, Json.bytes(known))))
          .isEqualTo(text(Json.bytes(tree)));
      Collections.shuffle(shuffled, new Random(seed));
    }
  }

  @Test
  void oddValuesAreWrittenAsTheLibraryWritesThem() {
    ObjectNode odd = Json.object();
    odd.put("double", -1.5e300)
        .put("float", 0.1f)
        .put("long", Long.MIN_VALUE)
        .put("short", (short) 3);
    odd.put("big", new BigInteger("123456789012345678901234567890"));
    odd.put("decimal", new BigDecimal("1.10")).put("bytes", new byte[] {1, 2, 3});
    odd.put("", "").put("tab\t", "\u0000\u001f\u007f\u0080\ud83d\ude00 \"\\/");
    odd.putArray("empty");
    odd.putArray("deep").addArray().addArray().addNull().add(Integer.MAX_VALUE);
    odd.put("long text", "x".repeat(3000));
    assertThat(text(Json.bytes(odd))).isEqualTo(text(Json.bytesByLibrary(odd)));
    assertThat(text(Json.bytes(Json.object()))).isEqualTo("{}");
    assertThat(text(Json.bytes(Json.array()))).isEqualTo("[]");
    assertThat(text(Json.bytes(Json.text("ü")))).isEqualTo("\"ü\"");
  }

  /** Returns a changed copy that shares all unchanged parts. */
  private static ObjectNode changed(ObjectNode known, Random random) {
    ObjectNode tree = Json.object();
    known.forEachEntry((name, value) -> {
      switch (random.nextInt(5)) {
        case 0 -> tree.set(name, value(random, 2));
        case 1 -> tree.set(name, value instanceof ObjectNode in ? changed(in, random) : value);
        case 2 -> {}
        default -> tree.set(name, value);
      }
    });
    if (random.nextBoolean()) {
      tree.set(NAMES.get(random.nextInt(NAMES.size())), value(random, 1));
    }
    return tree;
  }

  private static ObjectNode object(Random random, int depth) {
    ObjectNode object = Json.object();
    for (int i = random.nextInt(5); i > 0; i--) {
      object.set(NAMES.get(random.nextInt(NAMES.size())), value(random, depth - 1));
    }
    return object;
  }

  private static JsonNode value(Random random, int depth) {
    return switch (random.nextInt(depth > 0 ? 6 : 4)) {
      case 0 -> Json.text("]}\\\"{[,:" + random.nextInt(9));
      case 1 -> Json.object().numberNode(random.nextInt(-9, 9));
      case 2 -> Json.object().booleanNode(random.nextBoolean());
      case 3 -> Json.object().nullNode();
      case 4 -> array(random, depth);
      default -> object(random, depth);
    };
  }

  private static ArrayNode array(Random random, int depth) {
    ArrayNode array = Json.array();
    for (int i = random.nextInt(3); i > 0; i--) {
      array.add(value(random, depth - 1));
    }
    return array;
  }

  private static String text(byte[] json) {
    return new String(json, StandardCharsets.UTF_8);
  }
}
