package dev.stint.model.document;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

class YamlWriterTest {
  private static final List<String> TEXTS =
      List.of(
          "",
          "plain",
          "two words",
          "yes",
          "No",
          "on",
          "null",
          "~",
          "1",
          "1.5",
          "0x1f",
          "1e3",
          "2026-01-01T00:00:00Z",
          "- a",
          "a: b",
          "a #b",
          "{x}",
          "[x]",
          "\"q\"",
          "'q'",
          "line\nbreak",
          " padded ",
          "tab\t",
          "é",
          "@at",
          "%p",
          "!t",
          "&a",
          "*a",
          "|",
          ">",
          "a/b.c-d_e",
          "=",
          ".inf",
          "a\u007fb",
          "a\u0085b",
          "a\u009fb",
          "a\u2028b",
          "a\u2029b",
          "\ufeffb",
          "a\uffffb",
          "😀");

  @Test
  void aTreeReadsAsAPersonWouldWriteIt() {
    ObjectNode tree =
        Json.parse(
            """
            {"kind": "Job", "spec": {"parallelism": 2, "suspend": false, "list": [{"name": "a", "args": ["x", "1"]},
             {"empty": {}, "none": []}], "text": "two words"}}
            """);
    assertThat(YamlWriter.text(tree))
        .isEqualTo(
            """
            kind: Job
            spec:
              parallelism: 2
              suspend: false
              list:
              - name: a
                args:
                - x
                - "1"
              - empty: {}
                none: []
              text: "two words"
            """);
  }

  /** YAML 1.1 would read a line break, or refuse the whole document. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "a\u007fb",
        "a\u0080b",
        "a\u0085b",
        "a\u009fb",
        "a\u2028b",
        "a\u2029b",
        "a\ufeffb",
        "a\ufffeb",
        "a\uffffb"
      })
  void charactersThatOnlyJsonAllowsAreEscaped(String text) {
    String escape = "\\u%04x".formatted((int) text.charAt(1));
    assertThat(YamlWriter.text(Json.text(text))).isEqualTo("\"a" + escape + "b\"\n");
    assertThat(YamlWriter.text(Json.object().put(text, 1))).isEqualTo("\"a" + escape + "b\": 1\n");
  }

  @Test
  void everythingWrittenIsReadBack() {
    for (int seed = 0; seed < 300; seed++) {
      ObjectNode tree = object(new Random(seed), 4);
      tree.put("apiVersion", "v1").put("kind", "List");
      String text = YamlWriter.text(tree);
      List<RawNode> read = YamlReader.read("test", text.getBytes(StandardCharsets.UTF_8));
      assertThat(read).as("seed %d:%n%s", seed, text).hasSize(1);
      JsonNode back =
          new DocumentDecoder(new dev.stint.model.field.FieldErrors()).anything(read.getFirst());
      assertThat(back).as("seed %d:%n%s", seed, text).isEqualTo(tree);
    }
  }

  private static ObjectNode object(Random random, int depth) {
    ObjectNode object = Json.object();
    for (int i = random.nextInt(4); i > 0; i--) {
      object.set(TEXTS.get(random.nextInt(TEXTS.size())), value(random, depth - 1));
    }
    return object;
  }

  private static JsonNode value(Random random, int depth) {
    return switch (random.nextInt(depth > 0 ? 6 : 3)) {
      case 0 -> JsonNodeFactory.instance.numberNode(random.nextInt(100));
      case 1 -> JsonNodeFactory.instance.booleanNode(random.nextBoolean());
      case 2, 3 -> JsonNodeFactory.instance.stringNode(TEXTS.get(random.nextInt(TEXTS.size())));
      case 4 -> object(random, depth);
      default -> {
        ArrayNode array = Json.array();
        for (int i = random.nextInt(3); i > 0; i--) {
          array.add(value(random, depth - 1));
        }
        yield array;
      }
    };
  }
}
