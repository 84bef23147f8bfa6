package dev.stint.model.item;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A part of a list as a config map holds it. Key {@code lines-K} of part {@code K} has its lines;
 * {@code columns-K} the same lines split into columns. A line may contain line feeds if the key
 * ends in {@code .0}: then each ends with a NUL character.
 */
public final class ItemPart {
  /** The ending of a key whose records end with NUL. */
  public static final String NUL = ".0";

  private final Records lines;
  private final @Nullable Records columns;

  private ItemPart(Records lines, @Nullable Records columns) {
    this.lines = lines;
    this.columns = columns;
  }

  /**
   * Reads a part.
   *
   * @return empty if the config map does not hold it
   */
  public static Optional<ItemPart> read(KubeObject map, int part) {
    Records lines = records(map, "lines-" + part);
    return lines == null
        ? Optional.empty()
        : Optional.of(new ItemPart(lines, records(map, "columns-" + part)));
  }

  /**
   * Returns an item.
   *
   * @param row its position in this part
   * @return empty if there is none
   */
  public Optional<Item> item(int index, int row) {
    if (row < 0 || row >= lines.size()) {
      return Optional.empty();
    }
    String split = columns == null || row >= columns.size() ? null : columns.text(row);
    return Optional.of(new Item(index, lines.text(row), split));
  }

  private static @Nullable Records records(KubeObject map, String key) {
    byte[] lines = value(map, key);
    if (lines != null) {
      return Records.of(lines, (byte) '\n');
    }
    byte[] records = value(map, key + NUL);
    return records == null ? null : Records.of(records, (byte) 0);
  }

  private static byte @Nullable [] value(KubeObject map, String key) {
    String text = Json.text(map.tree().get("data"), key);
    if (text != null) {
      return text.getBytes(StandardCharsets.UTF_8);
    }
    String base64 = Json.text(map.tree().get("binaryData"), key);
    return base64 == null ? null : Base64.getDecoder().decode(base64);
  }

  /** Bytes, and the positions of the separators, where each record of them ends. */
  private static final class Records {
    private final byte[] bytes;
    private final int[] ends;

    private Records(byte[] bytes, int[] ends) {
      this.bytes = bytes;
      this.ends = ends;
    }

    static Records of(byte[] bytes, byte separator) {
      int[] ends = new int[64];
      int count = 0;
      for (int i = 0; i < bytes.length; i++) {
        if (bytes[i] == separator) {
          ends = count == ends.length ? Arrays.copyOf(ends, 2 * count) : ends;
          ends[count++] = i;
        }
      }
      return new Records(bytes, Arrays.copyOf(ends, count));
    }

    int size() {
      return ends.length;
    }

    String text(int row) {
      int start = row == 0 ? 0 : ends[row - 1] + 1;
      return ItemText.of(Arrays.copyOfRange(bytes, start, ends[row]));
    }
  }
}
