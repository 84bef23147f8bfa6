package dev.stint.cli.list;

import dev.stint.cli.output.UserException;
import java.util.ArrayList;
import java.util.List;

/** Reads comma-separated values as RFC 4180 describes them. */
public final class CsvRecords {
  private CsvRecords() {}

  /**
   * Returns the position where a record ends: that of a line feed outside quotes, or the length.
   *
   * @param what names the text in messages
   * @throws UserException if a quote is not closed
   */
  public static int end(byte[] text, int start, String what) {
    boolean quoted = false;
    for (int i = start; i < text.length; i++) {
      if (text[i] == '"') {
        quoted = !quoted;
      } else if (text[i] == '\n' && !quoted) {
        return i;
      }
    }
    if (quoted) {
      throw new UserException(
          "%s: line %d: a quote of this record is not closed".formatted(what, line(text, start)));
    }
    return text.length;
  }

  private static int line(byte[] text, int at) {
    int line = 1;
    for (int i = 0; i < at; i++) {
      line += text[i] == '\n' ? 1 : 0;
    }
    return line;
  }

  /** Returns the fields of a record, without their quotes. */
  public static List<String> fields(String text) {
    List<String> fields = new ArrayList<>();
    StringBuilder field = new StringBuilder();
    boolean quoted = false;
    for (int i = 0; i < text.length(); i++) {
      char each = text.charAt(i);
      if (each == '"' && quoted && i + 1 < text.length() && text.charAt(i + 1) == '"') {
        field.append('"');
        i++;
      } else if (each == '"') {
        quoted = !quoted;
      } else if (each == ',' && !quoted) {
        fields.add(field.toString());
        field.setLength(0);
      } else {
        field.append(each);
      }
    }
    fields.add(field.toString());
    return fields;
  }
}
