package dev.stint.cli.list;

import dev.stint.cli.output.UserException;
import dev.stint.jobs.DisplayText;
import dev.stint.model.item.Item;
import dev.stint.model.item.ItemText;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** The items of a list. They stay where they are in its text, since there may be a million. */
public final class ItemList {
  /** The longest item; a variable of the environment holds at most 128 KiB. */
  private static final int LONGEST_ITEM = 64 << 10;

  private final byte[] text;
  private final ListFormat format;
  private List<String> names = List.of();
  private int[] starts = new int[64];
  private int[] ends = new int[64];
  private int size;

  /** True if an item contains a line feed, so that lines cannot hold it. */
  private boolean hasLineFeeds;

  private ItemList(byte[] text, ListFormat format) {
    this.text = text;
    this.format = format;
  }

  /**
   * Reads a list.
   *
   * @throws UserException if it is empty, or an item is too long or no text
   */
  public static ItemList read(byte[] text, ListFormat format) {
    ItemList list = new ItemList(text, format);
    switch (format) {
      case ListFormat.Delimited(byte delimiter, _) -> list.readDelimited(delimiter);
      case ListFormat.Csv() -> list.readCsv();
    }
    if (list.size == 0) {
      throw new UserException("--each: the list has no lines");
    }
    return list;
  }

  /** Returns a list of lines. */
  public static ItemList of(List<String> lines) {
    return read(String.join("\n", lines).getBytes(StandardCharsets.UTF_8), ListFormat.lines());
  }

  public int size() {
    return size;
  }

  /** Returns the bytes of an item. */
  public byte[] item(int index) {
    return Arrays.copyOfRange(text, starts[index], ends[index]);
  }

  /** True if items have columns. */
  public boolean hasColumns() {
    return format instanceof ListFormat.Csv
        || format instanceof ListFormat.Delimited delimited && delimited.columns() != null;
  }

  /** Returns the names of the columns; none if they have only numbers. */
  public List<String> names() {
    return names;
  }

  public ListFormat format() {
    return format;
  }

  boolean hasLineFeeds() {
    return hasLineFeeds;
  }

  /** Returns the columns of an item, separated as {@link Item#columns} wants it. */
  byte[] columns(int index) {
    String line = ItemText.of(item(index));
    List<String> columns = split(line);
    if (columns.stream().anyMatch(each -> each.indexOf(Item.COLUMN_END) >= 0)) {
      throw new UserException(
          "--each: a column contains the character U+001F, which separates columns here: "
              + shortened(line));
    }
    return ItemText.bytes(String.join(String.valueOf(Item.COLUMN_END), columns));
  }

  private List<String> split(String line) {
    return switch (format) {
      case ListFormat.Csv() -> CsvRecords.fields(line);
      case ListFormat.Delimited(_, var separator) ->
          separator == null ? List.of(line) : List.of(separator.split(line, -1));
    };
  }

  /**
   * Checks that each item has a number of columns.
   *
   * @throws UserException naming the first item that has fewer
   */
  void requireColumns(int number) {
    for (int i = 0; number > 1 && i < size; i++) {
      String line = ItemText.of(item(i));
      int columns = split(line).size();
      if (columns < number) {
        throw new UserException(
            "--each: line %d has %d of the %d columns that the command names: %s"
                .formatted(lineNumber(starts[i]), columns, number, shortened(line)));
      }
    }
  }

  private int lineNumber(int at) {
    int line = 1;
    for (int i = 0; i < at; i++) {
      line += text[i] == '\n' ? 1 : 0;
    }
    return line;
  }

  /** Returns the length of a byte order mark at the beginning, which some editors write. */
  private int byteOrderMark() {
    return text.length >= 3
            && text[0] == (byte) 0xEF
            && text[1] == (byte) 0xBB
            && text[2] == (byte) 0xBF
        ? 3
        : 0;
  }

  private void readDelimited(byte delimiter) {
    boolean lines = delimiter == '\n';
    int start = lines ? byteOrderMark() : 0;
    for (int i = start; i <= text.length; i++) {
      if (i == text.length || text[i] == delimiter) {
        add(start, lines ? lineEnd(start, i) : i, lines);
        start = i + 1;
      }
    }
  }

  private void readCsv() {
    int start = byteOrderMark();
    boolean header = true;
    while (start < text.length) {
      int end = CsvRecords.end(text, start, "--csv");
      int recordEnd = lineEnd(start, end);
      if (header && !isBlank(start, recordEnd)) {
        names = CsvRecords.fields(ItemText.of(Arrays.copyOfRange(text, start, recordEnd)));
        header = false;
      } else {
        add(start, recordEnd, true);
      }
      start = end + 1;
    }
  }

  private int lineEnd(int start, int end) {
    return end > start && text[end - 1] == '\r' ? end - 1 : end;
  }

  private boolean isBlank(int start, int end) {
    for (int i = start; i < end; i++) {
      if (text[i] < 0 || text[i] > ' ') {
        return false;
      }
    }
    return true;
  }

  private void add(int start, int end, boolean skipBlank) {
    if (start == end || (skipBlank && isBlank(start, end))) {
      return;
    }
    check(start, end);
    if (size == starts.length) {
      starts = Arrays.copyOf(starts, 2 * size);
      ends = Arrays.copyOf(ends, 2 * size);
    }
    starts[size] = start;
    ends[size] = end;
    size++;
  }

  private void check(int start, int end) {
    if (end - start > LONGEST_ITEM) {
      throw new UserException(
          "--each: line %d has %d bytes, more than 64Ki; write it to a file and list the name of the file: %s"
              .formatted(
                  lineNumber(start),
                  end - start,
                  shortened(ItemText.of(Arrays.copyOfRange(text, start, start + 60)))));
    }
    for (int i = start; i < end; i++) {
      if (text[i] == 0) {
        throw new UserException(
            "--each: line %d contains a NUL character; if NUL ends each item, add -0"
                .formatted(lineNumber(i)));
      }
      hasLineFeeds |= text[i] == '\n';
    }
  }

  private static String shortened(String line) {
    return DisplayText.cut(ItemText.display(line), 30);
  }
}
