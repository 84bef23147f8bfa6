package dev.stint.apiserver.table;

import dev.stint.apiserver.table.JsonPathExpression.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A JSON path as printer columns of custom resources have it: members, items by number, all items,
 * and items by the value of a member, such as {@code
 * .status.conditions[?(@.type=="Ready")].status}.
 */
record JsonPathExpression(List<Step> steps) {
  private static final Pattern STEP =
      Pattern.compile(
          "\\.(?<name>(?:[^.\\[\\]\\\\]|\\\\.)++)|\\['(?<quoted>[^']++)'\\]|\\[(?<index>-?\\d{1,9})\\]"
              + "|\\[\\?\\(\\s*+@(?<member>(?:\\.[^.=\\s\\[\\]]++)++)\\s*+==\\s*+[\"'](?<value>[^\"']*+)[\"']"
              + "\\s*+\\)\\]|(?<all>\\[\\*\\]|\\.\\*)");

  /** One step from a value to values in it. */
  sealed interface Step {
    Stream<JsonNode> from(JsonNode value);
  }

  private record Member(String name) implements Step {
    @Override
    public Stream<JsonNode> from(JsonNode value) {
      return Stream.ofNullable(value.get(name));
    }
  }

  private record Item(int index) implements Step {
    @Override
    public Stream<JsonNode> from(JsonNode value) {
      return value.isArray()
          ? Stream.ofNullable(value.get(index < 0 ? value.size() + index : index))
          : Stream.empty();
    }
  }

  private record All() implements Step {
    @Override
    public Stream<JsonNode> from(JsonNode value) {
      return value.isContainer() ? value.valueStream() : Stream.empty();
    }
  }

  private record Chosen(List<String> member, String wanted) implements Step {
    @Override
    public Stream<JsonNode> from(JsonNode value) {
      return value.isArray() ? value.valueStream().filter(this::isWanted) : Stream.empty();
    }

    private boolean isWanted(JsonNode item) {
      JsonNode found = item;
      for (String name : member) {
        found = found.path(name);
      }
      return found.isValueNode() && found.asString("").equals(wanted);
    }
  }

  /** Parses a path; null if it has other steps. */
  static @Nullable JsonPathExpression parse(String path) {
    List<Step> steps = new ArrayList<>();
    Matcher step = STEP.matcher(path);
    int at = 0;
    while (at < path.length()) {
      if (!step.find(at) || step.start() != at) {
        return null;
      }
      steps.add(step(step));
      at = step.end();
    }
    return steps.isEmpty() ? null : new JsonPathExpression(List.copyOf(steps));
  }

  private static Step step(Matcher found) {
    if (found.group("all") != null) {
      return new All();
    }
    if (found.group("index") != null) {
      return new Item(Integer.parseInt(found.group("index")));
    }
    String member = found.group("member");
    if (member != null) {
      return new Chosen(List.of(member.substring(1).split("\\.")), found.group("value"));
    }
    String name = found.group("name");
    return new Member(
        name == null
            ? Objects.requireNonNull(found.group("quoted"))
            : name.replaceAll("\\\\(.)", "$1"));
  }

  /** Returns the first value at this path; null if there is none. */
  @Nullable JsonNode first(JsonNode root) {
    Stream<JsonNode> values = Stream.of(root);
    for (Step step : steps) {
      values = values.flatMap(step::from);
    }
    return values.findFirst().orElse(null);
  }
}
