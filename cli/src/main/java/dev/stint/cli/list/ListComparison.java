package dev.stint.cli.list;

import dev.stint.model.index.IndexSet;
import dev.stint.model.item.Item;
import dev.stint.model.item.ItemText;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A list beside the list of an earlier Job, line by line.
 *
 * @param kept the indexes of the list whose lines have succeeded
 * @param added the number of lines that the earlier list did not have
 * @param removed the number of lines that only the earlier list had
 */
public record ListComparison(IndexSet kept, int added, int removed) {
  /**
   * Compares the lines of two lists.
   *
   * @param earlier the items of the earlier list, by index
   * @param count the number of these
   * @param succeeded the indexes of these that have succeeded
   * @param positional true if a line that has moved is to run again
   */
  public static ListComparison of(
      ItemList list,
      boolean positional,
      IntFunction<Optional<Item>> earlier,
      int count,
      IndexSet succeeded) {
    return of(
        list.size(),
        index -> ItemText.of(list.item(index)),
        positional,
        index -> earlier.apply(index).map(Item::line).orElse(null),
        count,
        succeeded);
  }

  /**
   * Compares two lists in linear time. Equal lines count as often as they occur.
   *
   * @param size the number of lines of the list
   * @param line a line of the list, or what stands for it
   * @param earlier the same for the earlier list; null if it is not known
   */
  public static ListComparison of(
      int size,
      IntFunction<String> line,
      boolean positional,
      IntFunction<@Nullable String> earlier,
      int count,
      IndexSet succeeded) {
    IndexSet.Builder kept = IndexSet.builder();
    Map<String, Occurrences> moved = new HashMap<>();
    IntStream.Builder open = IntStream.builder();
    for (int i = 0; i < Math.max(count, size); i++) {
      String before = i < count ? earlier.apply(i) : null;
      String now = i < size ? line.apply(i) : null;
      if (now != null && now.equals(before)) {
        if (succeeded.contains(i)) {
          kept.add(i);
        }
        continue;
      }
      if (before != null) {
        moved.computeIfAbsent(before, _ -> new Occurrences()).add(succeeded.contains(i));
      }
      if (now != null) {
        open.add(i);
      }
    }
    int added = 0;
    for (int index : open.build().toArray()) {
      Occurrences found = moved.get(line.apply(index));
      if (found == null || found.isEmpty()) {
        added++;
      } else if (found.takeOne() && !positional) {
        kept.add(index);
      }
    }
    return new ListComparison(
        kept.build(), added, moved.values().stream().mapToInt(Occurrences::size).sum());
  }

  /** Counts of lines at indexes where the other list has another line. */
  private static final class Occurrences {
    private int succeeded;
    private int others;

    void add(boolean success) {
      if (success) {
        succeeded++;
      } else {
        others++;
      }
    }

    int size() {
      return succeeded + others;
    }

    boolean isEmpty() {
      return size() == 0;
    }

    /** Takes one away, first of those that succeeded; returns true if it was one of them. */
    boolean takeOne() {
      if (succeeded > 0) {
        succeeded--;
        return true;
      }
      others--;
      return false;
    }
  }
}
