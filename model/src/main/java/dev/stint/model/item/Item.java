package dev.stint.model.item;

import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The item of one index.
 *
 * @param index the completion index
 * @param line its line of the list, see {@link ItemText}
 * @param columns its columns, separated by {@link #COLUMN_END}; null if the list has none
 */
public record Item(int index, String line, @Nullable String columns) {
  /** The annotation of a pod that says what it works on. */
  public static final String ANNOTATION = "stint.dev/item";

  /** The variable of the environment that holds the line. */
  public static final String VARIABLE = "STINT_ITEM";

  /** The separator of columns, which no column contains (ASCII's unit separator). */
  public static final char COLUMN_END = '\u001F';

  /** The placeholders of a word, with the number of a column and the part of it. */
  private static final Pattern PLACEHOLDER =
      Pattern.compile("\\{(?:#|([1-9][0-9]{0,3})?(\\.|//|/\\.|/)?)}");

  /** True if a word holds a placeholder of the whole line, its number, or a part of it. */
  public static boolean isPlaceholderIn(String word, boolean hasColumns) {
    return PLACEHOLDER
        .matcher(word)
        .results()
        .anyMatch(found -> hasColumns || found.group(1) == null);
  }

  /** Returns the highest number of a column that a word names; 0 if it names none. */
  public static int highestColumn(String word) {
    return PLACEHOLDER
        .matcher(word)
        .results()
        .map(found -> found.group(1))
        .filter(Objects::nonNull)
        .mapToInt(Integer::parseInt)
        .max()
        .orElse(0);
  }

  /** Returns a word of the command with the item in place of its placeholders. */
  public String fill(String word) {
    if (word.equals("{}")) {
      return line;
    }
    return word.indexOf('{') < 0
        ? word
        : PLACEHOLDER.matcher(word).replaceAll(found -> Matcher.quoteReplacement(value(found)));
  }

  private String value(MatchResult found) {
    if (found.group().equals("{#}")) {
      return String.valueOf(index + 1L);
    }
    String column = found.group(1);
    if (column != null && columns == null) {
      return found.group();
    }
    String whole = column == null ? line : column(Integer.parseInt(column));
    return part(whole, found.group(2));
  }

  private String column(int number) {
    String all = columns == null ? "" : columns;
    int start = 0;
    for (int i = 1; i < number && start >= 0; i++) {
      start = all.indexOf(COLUMN_END, start) + 1;
      if (start == 0) {
        return "";
      }
    }
    int end = all.indexOf(COLUMN_END, start);
    return end < 0 ? all.substring(start) : all.substring(start, end);
  }

  private static String part(String text, @Nullable String which) {
    return switch (which) {
      case "." -> withoutExtension(text);
      case "/" -> fileName(text);
      case "//" -> directory(text);
      case "/." -> withoutExtension(fileName(text));
      case null, default -> text;
    };
  }

  private static String withoutExtension(String text) {
    int dot = text.lastIndexOf('.');
    return dot > text.lastIndexOf('/') ? text.substring(0, dot) : text;
  }

  private static String fileName(String text) {
    return text.substring(text.lastIndexOf('/') + 1);
  }

  private static String directory(String text) {
    int slash = text.lastIndexOf('/');
    if (slash < 0) {
      return ".";
    }
    return slash == 0 ? "/" : text.substring(0, slash);
  }
}
