package dev.stint.cli.list;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.item.Item;
import dev.stint.model.item.ItemPart;
import dev.stint.model.item.ItemText;
import dev.stint.model.item.ListParts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class ListConfigMapsTest {
  private static final List<String> WORDS =
      List.of(
          "{}",
          "<{.}|{/}|{//}|{/.}|{#}>",
          "{1}-{2/}-{9}",
          "{x} {",
          "a}{}{}b",
          "${HOME}",
          "{0}",
          "{1.}");

  @TempDir private Path dir;

  private static List<Item> items(ListConfigMaps maps) {
    ListParts index = ListParts.read(KubeObject.of(maps.get(0))).orElseThrow();
    List<Item> items = new ArrayList<>();
    for (int part = 0; part < index.parts(); part++) {
      ItemPart found = ItemPart.read(KubeObject.of(maps.get(part)), part).orElseThrow();
      int start = index.start(part);
      for (int row = 0; found.item(start + row, row).isPresent(); row++) {
        items.add(found.item(start + row, row).get());
      }
    }
    return items;
  }

  @Test
  void aLongListHasSeveralParts() {
    ItemList list = ItemList.of(IntStream.range(0, 300_000).mapToObj(i -> "item " + i).toList());
    ListConfigMaps maps = new ListConfigMaps(list, "x");
    assertThat(maps).hasSizeBetween(3, 6).allMatch(map -> Json.bytes(map).length < 1 << 20);
    List<Item> items = items(maps);
    assertThat(items).hasSize(300_000);
    assertThat(items.get(299_999)).isEqualTo(new Item(299_999, "item 299999", null));
  }

  @Test
  void longLinesShareAPartAsFarAsTheyFit() {
    ItemList list = ItemList.of(IntStream.range(0, 100).mapToObj(_ -> "y".repeat(60_000)).toList());
    assertThat(new ListConfigMaps(list, "x")).hasSize(7);
  }

  @Test
  void theScriptDoesWhatStintDoes() throws Exception {
    byte[] lines =
        "dir.d/a.tar.gz\nplain\n/x\n a b  \n'\"$HOME`{}\ncaf\u00E9.txt\n{#}\\\n"
            .getBytes(StandardCharsets.ISO_8859_1);
    compare(ItemList.read(lines, ListFormat.lines()));
    compare(ItemList.read(lines, new ListFormat.Delimited((byte) '\n', Pattern.compile("[./]"))));
  }

  @Test
  void theScriptDoesWhatStintDoesWithLineFeeds() throws Exception {
    compare(
        ItemList.read(
            "a\nb\0\n\0c\n\n\0d".getBytes(StandardCharsets.UTF_8),
            new ListFormat.Delimited((byte) 0, null)));
    compare(
        ItemList.read(
            "n,m\n\"a\nb\",\"c,\n\"\nd\n".getBytes(StandardCharsets.UTF_8), new ListFormat.Csv()));
  }

  /** Runs a command for each item by the script, and compares with what Stint makes of it. */
  private void compare(ItemList list) throws IOException, InterruptedException {
    ListConfigMaps maps = new ListConfigMaps(list, "x");
    Path volume = Files.createTempDirectory(dir, "volume");
    write(volume, maps.get(0));
    for (Item item : items(maps)) {
      List<String> expected = new ArrayList<>();
      WORDS.forEach(word -> expected.add(item.fill(word)));
      expected.add(item.line());
      assertThat(byScript(volume, item.index())).as(item.toString()).isEqualTo(expected);
    }
  }

  private static List<String> byScript(Path volume, int index)
      throws IOException, InterruptedException {
    List<String> argv = new ArrayList<>(List.of("sh", volume.resolve("each").toString()));
    argv.addAll(List.of("sh", "-c", "printf '%s\\0' \"$@\" \"$STINT_ITEM\"", "sh"));
    argv.addAll(WORDS);
    ProcessBuilder builder =
        new ProcessBuilder(argv).redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().put("JOB_COMPLETION_INDEX", String.valueOf(index));
    Process process = builder.start();
    String printed = ItemText.of(process.getInputStream().readAllBytes());
    assertThat(process.waitFor()).isZero();
    return List.of(printed.substring(0, printed.length() - 1).split("\0", -1));
  }

  private static void write(Path volume, ObjectNode map) throws IOException {
    for (Map.Entry<String, JsonNode> entry : map.path("data").properties()) {
      Files.writeString(volume.resolve(entry.getKey()), entry.getValue().asString());
    }
    for (Map.Entry<String, JsonNode> entry : map.path("binaryData").properties()) {
      byte[] content = Base64.getDecoder().decode(entry.getValue().asString());
      Files.write(volume.resolve(entry.getKey()), content);
    }
  }
}
