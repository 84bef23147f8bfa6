package dev.stint.model.item;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import java.util.Arrays;
import java.util.Optional;

/**
 * The parts of a list: which index each begins with. Key {@code starts} of the first config map
 * holds it.
 */
public final class ListParts {
  public static final String KEY = "starts";

  private final int[] starts;

  private ListParts(int[] starts) {
    this.starts = starts;
  }

  /**
   * Reads the index of a list.
   *
   * @param map the first config map of the list
   * @return empty if the config map does not hold one
   */
  public static Optional<ListParts> read(KubeObject map) {
    String text = Json.text(map.tree().get("data"), KEY);
    try {
      return text == null || text.isBlank()
          ? Optional.empty()
          : Optional.of(
              new ListParts(
                  Arrays.stream(text.strip().split("\\s+")).mapToInt(Integer::parseInt).toArray()));
    } catch (NumberFormatException otherwise) {
      return Optional.empty();
    }
  }

  /** Returns the number of parts. */
  public int parts() {
    return starts.length;
  }

  /** Returns the part that holds an index. */
  public int partOf(int index) {
    int at = Arrays.binarySearch(starts, index);
    return at >= 0 ? at : Math.max(0, -at - 2);
  }

  /** Returns the first index of a part. */
  public int start(int part) {
    return starts[part];
  }
}
