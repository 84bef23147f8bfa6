package dev.stint.cli.list;

import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.item.ItemPart;
import dev.stint.model.item.ItemSource;
import dev.stint.model.item.ItemText;
import dev.stint.model.item.ListParts;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import tools.jackson.databind.node.ObjectNode;

/**
 * The config maps that hold a list, a part each (decision 55). Each is built when it is asked for,
 * so that a long list is not in memory twice.
 */
public final class ListConfigMaps extends AbstractList<ObjectNode> {
  /** The size of one part; a config map holds at most 1 MiB. */
  private static final int BYTES_OF_PART = 900 << 10;

  private static final String EACH = script();

  private final ItemList list;
  private final String name;

  /** The first index of each part, and the number of items at the end. */
  private final int[] starts;

  /**
   * @param name the name of the config maps, to which each adds its number
   */
  public ListConfigMaps(ItemList list, String name) {
    this.list = list;
    this.name = name;
    this.starts = starts(list);
  }

  private static int[] starts(ItemList list) {
    IntStream.Builder starts = IntStream.builder();
    int room = 0;
    for (int i = 0; i < list.size(); i++) {
      int bytes = list.item(i).length + 1 + (list.hasColumns() ? list.columns(i).length + 1 : 0);
      if (bytes > room) {
        starts.add(i);
        room = BYTES_OF_PART;
      }
      room -= bytes;
    }
    return starts.add(list.size()).build().toArray();
  }

  @Override
  public int size() {
    return starts.length - 1;
  }

  /** Returns the name of a config map. */
  public String name(int part) {
    return new ItemSource("", name).map(part);
  }

  @Override
  public ObjectNode get(int part) {
    Objects.checkIndex(part, size());
    ObjectNode map = Json.object();
    map.put("apiVersion", Kind.CONFIG_MAP.apiVersion()).put("kind", Kind.CONFIG_MAP.kind());
    map.putObject("metadata").put("name", name(part)).put("namespace", "default");
    map.put("immutable", true);
    if (part == 0) {
      map.withObjectProperty("data").put(ListParts.KEY, index()).put(ItemSource.SCRIPT, EACH);
    }
    put(map, "lines-" + part, records(part, false));
    if (list.hasColumns()) {
      put(map, "columns-" + part, records(part, true));
    }
    return map;
  }

  private String index() {
    return Arrays.stream(starts, 0, size())
        .mapToObj(String::valueOf)
        .collect(Collectors.joining(" ", "", "\n"));
  }

  private byte[] records(int part, boolean columns) {
    ByteArrayOutputStream records = new ByteArrayOutputStream();
    for (int i = starts[part]; i < starts[part + 1]; i++) {
      records.writeBytes(columns ? list.columns(i) : list.item(i));
      records.write(list.hasLineFeeds() ? 0 : '\n');
    }
    return records.toByteArray();
  }

  private void put(ObjectNode map, String key, byte[] records) {
    String text = ItemText.of(records);
    if (list.hasLineFeeds()) {
      binary(map, key + ItemPart.NUL, records);
    } else if (ItemText.isRaw(text)) {
      binary(map, key, records);
    } else {
      map.withObjectProperty("data").put(key, text);
    }
  }

  private static void binary(ObjectNode map, String key, byte[] records) {
    map.withObjectProperty("binaryData").put(key, Base64.getEncoder().encodeToString(records));
  }

  private static String script() {
    try (InputStream stream =
        Objects.requireNonNull(ListConfigMaps.class.getResourceAsStream("each.sh"))) {
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }
}
