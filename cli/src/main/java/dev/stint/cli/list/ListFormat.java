package dev.stint.cli.list;

import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The format of a list. */
public sealed interface ListFormat {
  /** Returns the format whose lines are items. */
  static ListFormat lines() {
    return new Delimited((byte) '\n', null);
  }

  /**
   * Items that end with a byte. Empty ones are skipped. If it is a line feed, blank ones are
   * skipped too, and a carriage return before it is no part of the item.
   *
   * @param columns what separates the columns of an item; null if it has none
   */
  record Delimited(byte delimiter, @Nullable Pattern columns) implements ListFormat {}

  /** Records of comma-separated values; the first names the columns. */
  record Csv() implements ListFormat {}

  /** Returns a text that differs for formats that read the same bytes in another way. */
  default List<String> identity() {
    return switch (this) {
      case Delimited(byte _, Pattern columns) when columns != null ->
          List.of("--colsep", columns.pattern());
      case Delimited _ -> List.of();
      case Csv() -> List.of("--csv");
    };
  }
}
