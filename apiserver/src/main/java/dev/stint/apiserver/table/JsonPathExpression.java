package dev.stint.apiserver.table;

import dev.stint.apiserver.table.JsonPathStep.All;
import dev.stint.apiserver.table.JsonPathStep.Chosen;
import dev.stint.apiserver.table.JsonPathStep.Member;
import dev.stint.apiserver.table.JsonPathStep.Slice;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A JSON path as printer columns of custom resources have it: members, items by their numbers, all
 * items, and items by a filter, such as {@code .status.conditions[?(@.type=="Ready")].status}.
 */
record JsonPathExpression(List<JsonPathStep> steps) {
  private static final Pattern STEP =
      Pattern.compile(
          "\\.(?<name>(?:[^.\\[\\]\\\\]|\\\\.)++)|\\['(?<quoted>[^'\\]]++)'\\]|(?<all>\\[\\*\\])"
              + "|\\[(?<first>-?\\d{1,9})?(?<limit>:(?:-?\\d{1,9})?)?(?<stride>:\\d{0,9})?\\]"
              + "|\\[\\?\\((?<filter>(?:[^\"')]|\"[^\"]*+\"|'[^']*+')++)\\)\\]");

  /** Parses a path; null if it is empty or has other steps. */
  static @Nullable JsonPathExpression parse(String path) {
    return path.isEmpty() ? null : relative(path);
  }

  /** Parses a path that may be empty, which then leads to the value itself. */
  static @Nullable JsonPathExpression relative(String path) {
    List<JsonPathStep> steps = new ArrayList<>();
    Matcher step = STEP.matcher(path);
    while (step.regionStart() < path.length()) {
      List<JsonPathStep> next = step.lookingAt() ? steps(step) : List.of();
      if (next.isEmpty()) {
        return null;
      }
      steps.addAll(next);
      step.region(step.end(), path.length());
    }
    return new JsonPathExpression(List.copyOf(steps));
  }

  /** Returns the steps of a part of a path; none if it cannot be followed. */
  private static List<JsonPathStep> steps(Matcher part) {
    String name = part.group("name");
    if (name != null) {
      return List.of(name.equals("*") ? new All() : new Member(unescaped(name)));
    }
    String quoted = part.group("quoted");
    if (quoted != null) {
      // Quoted dots separate names, too, unless they are escaped.
      JsonPathExpression inside = relative("." + quoted);
      return inside == null ? List.of() : inside.steps();
    }
    String filter = part.group("filter");
    if (filter != null) {
      JsonPathFilter parsed = JsonPathFilter.parse(filter);
      return parsed == null ? List.of() : List.of(new Chosen(parsed));
    }
    return part.group("all") != null ? List.of(new All()) : slice(part);
  }

  private static List<JsonPathStep> slice(Matcher part) {
    int first = Integer.parseInt(Objects.requireNonNullElse(part.group("first"), "0"));
    Integer limit = first == -1 ? null : first + 1;
    String given = part.group("limit");
    if (given != null) {
      limit = number(given);
    }
    Integer stride = number(Objects.requireNonNullElse(part.group("stride"), ":"));
    return stride != null && stride == 0
        ? List.of()
        : List.of(new Slice(first, limit, Objects.requireNonNullElse(stride, 1)));
  }

  /** Returns the number after a colon; null if there is none. */
  private static @Nullable Integer number(String text) {
    return text.length() == 1 ? null : Integer.parseInt(text.substring(1));
  }

  /** Returns a text without the backslashes that make a character stand for itself. */
  static String unescaped(String text) {
    return text.replaceAll("\\\\(.)", "$1");
  }

  /** Returns the first value at this path; null if there is none. */
  @Nullable JsonNode first(JsonNode root) {
    Stream<JsonNode> values = Stream.of(root);
    for (JsonPathStep step : steps) {
      values = values.flatMap(step::from);
    }
    return values.findFirst().orElse(null);
  }
}
