package dev.stint.cli.list;

import dev.stint.cli.output.UserException;
import dev.stint.model.item.Item;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The command of {@code stint run --each}, with placeholders for an item.
 *
 * @param words its words; columns have numbers, and at least one word names the item
 * @param warnings what its author should know
 */
public record ItemCommand(List<String> words, List<String> warnings) {
  private static final Set<String> SHELLS = Set.of("sh", "bash", "dash", "ksh", "zsh", "ash");
  private static final Pattern CODE_FLAG = Pattern.compile("-[a-zA-Z]*c");
  private static final Pattern NAMED =
      Pattern.compile("(?<!\\$)\\{([^{}]*?[^{}./])(\\.|//|/\\.|/)?}");
  private static final Pattern NUMBER = Pattern.compile("#|[0-9]+");

  public ItemCommand {
    words = List.copyOf(words);
    warnings = List.copyOf(warnings);
  }

  /**
   * Reads a command; one that does not name the item gets it as its last word.
   *
   * @throws UserException if it names a column of which there are several
   */
  static ItemCommand of(List<String> given, List<String> names, boolean hasColumns) {
    Set<String> unknown = new TreeSet<>();
    List<String> words = new ArrayList<>();
    given.forEach(word -> words.add(names.isEmpty() ? word : numbered(word, names, unknown)));
    List<String> warnings = new ArrayList<>();
    unknown.forEach(name ->
        warnings.add(
            "{%s} stays as it is: the list has the columns %s"
                .formatted(name, String.join(", ", names))));
    shellOfCode(words, hasColumns)
        .ifPresent(shell ->
            warnings.add(
                "a placeholder inside the text of "
                    + shell
                    + " -c becomes shell code, whatever the line contains; use \"$STINT_ITEM\""
                    + " there, or pass it behind the text: sh -c 'gzip -- \"$1\"' sh {}"));
    if (words.stream().noneMatch(word -> isNamed(word, hasColumns))) {
      words.stream()
          .filter(word -> Item.highestColumn(word) > 0)
          .findFirst()
          .ifPresent(word ->
              warnings.add(
                  "%s stays as it is, and the line is the last argument: the list has no columns;"
                          .formatted(word)
                      + " add --colsep or --csv, or write {} for the line"));
      words.add("{}");
    }
    return new ItemCommand(words, warnings);
  }

  /**
   * Reads the command for the items of a list.
   *
   * @throws UserException if an item has no column that the command names, as an empty text in its
   *     place could name another file; or if it has several
   */
  public static ItemCommand of(List<String> given, ItemList list) {
    ItemCommand command = of(given, list.names(), list.hasColumns());
    if (list.hasColumns()) {
      list.requireColumns(command.words().stream().mapToInt(Item::highestColumn).max().orElse(0));
    }
    return command;
  }

  private static boolean isNamed(String word, boolean hasColumns) {
    return word.contains(Item.VARIABLE) || Item.isPlaceholderIn(word, hasColumns);
  }

  /** Returns the shell that would read an item as code, wherever it stands in the command. */
  private static Optional<String> shellOfCode(List<String> words, boolean hasColumns) {
    String shell = null;
    for (int i = 0; i + 1 < words.size(); i++) {
      String word = words.get(i);
      if (SHELLS.contains(word.substring(word.lastIndexOf('/') + 1))) {
        shell = word;
      } else if (shell != null && CODE_FLAG.matcher(word).matches()) {
        return Item.isPlaceholderIn(words.get(i + 1), hasColumns)
            ? Optional.of(shell)
            : Optional.empty();
      }
    }
    return Optional.empty();
  }

  /** Returns a word with the numbers of columns in place of their names. */
  private static String numbered(String word, List<String> names, Set<String> unknown) {
    return NAMED
        .matcher(word)
        .replaceAll(found -> Matcher.quoteReplacement(number(found, names, unknown)));
  }

  private static String number(MatchResult found, List<String> names, Set<String> unknown) {
    String name = found.group(1);
    int column = names.indexOf(name);
    String part = found.group(2) == null ? "" : found.group(2);
    if (column != names.lastIndexOf(name)) {
      throw ambiguous(found.group(), part, column, names.lastIndexOf(name));
    }
    if (column >= 0) {
      return numbered(column, part);
    }
    if (!NUMBER.matcher(name).matches()) {
      unknown.add(name);
    }
    return found.group();
  }

  private static String numbered(int column, String part) {
    return "{" + (column + 1) + part + "}";
  }

  private static UserException ambiguous(String placeholder, String part, int first, int last) {
    return new UserException(
        "--csv: several columns have the name of %s; write a number, such as %s or %s"
            .formatted(placeholder, numbered(first, part), numbered(last, part)));
  }
}
