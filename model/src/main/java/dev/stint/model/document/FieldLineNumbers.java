package dev.stint.model.document;

import dev.stint.model.document.RawNode.Member;
import dev.stint.model.document.RawNode.RawArray;
import dev.stint.model.document.RawNode.RawObject;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The lines of a document's fields in their file. */
public final class FieldLineNumbers {
  private final RawNode root;

  FieldLineNumbers(RawNode root) {
    this.root = root;
  }

  /**
   * Returns the line of a field such as {@code spec.template.spec.containers[0].name}, or of the
   * nearest existing field around it.
   */
  public int of(String path) {
    RawNode node = root;
    int line = root.line();
    String rest = path;
    while (!rest.isEmpty()) {
      if (rest.startsWith("[") && rest.indexOf(']') > 0) {
        String key = rest.substring(1, rest.indexOf(']'));
        Step step = item(node, key);
        if (step == null) {
          return line;
        }
        node = step.node;
        line = step.line;
        rest = rest.substring(key.length() + 2);
      } else {
        String from = rest.startsWith(".") ? rest.substring(1) : rest;
        Step step = member(node, from);
        if (step == null) {
          return line;
        }
        node = step.node;
        line = step.line;
        rest = from.substring(step.consumed);
      }
    }
    return line;
  }

  private record Step(RawNode node, int line, int consumed) {}

  /** Returns the longest matching member, since names may contain dots and brackets. */
  private static @Nullable Step member(RawNode node, String rest) {
    if (!(node instanceof RawObject object)) {
      return null;
    }
    List<Member> fitting = new ArrayList<>();
    for (Member member : object.members()) {
      if (rest.startsWith(member.name()) && endsName(rest, member.name().length())) {
        fitting.add(member);
      }
    }
    return fitting.stream()
        .max((a, b) -> Integer.compare(a.name().length(), b.name().length()))
        .map(member -> new Step(member.value(), member.line(), member.name().length()))
        .orElse(null);
  }

  private static boolean endsName(String rest, int at) {
    return at > 0 && (at == rest.length() || rest.charAt(at) == '.' || rest.charAt(at) == '[');
  }

  private static @Nullable Step item(RawNode node, String key) {
    if (node instanceof RawObject object) {
      return object.members().stream()
          .filter(member -> member.name().equals(key))
          .findFirst()
          .map(member -> new Step(member.value(), member.line(), 0))
          .orElse(null);
    }
    if (node instanceof RawArray array && key.matches("[0-9]{1,9}")) {
      int index = Integer.parseInt(key);
      if (index < array.items().size()) {
        RawNode item = array.items().get(index);
        return new Step(item, item.line(), 0);
      }
    }
    return null;
  }
}
