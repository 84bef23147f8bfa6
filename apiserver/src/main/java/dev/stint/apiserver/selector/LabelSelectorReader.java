package dev.stint.apiserver.selector;

import dev.stint.apiserver.selector.LabelTerm.Operator;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.model.field.Formats;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Parses the text of one label selector, from left to right. */
final class LabelSelectorReader {
  private static final String SYMBOLS = "=!(),<>";

  private final String text;
  private int at;

  LabelSelectorReader(String text) {
    this.text = text;
  }

  List<LabelTerm> terms() {
    List<LabelTerm> terms = new ArrayList<>();
    do {
      terms.add(term());
    } while (takes(","));
    if (!atEnd()) {
      throw broken("expected ',' or the end");
    }
    return terms;
  }

  private LabelTerm term() {
    boolean absent = takes("!");
    String key = word();
    if (key.isEmpty()) {
      throw broken("expected a label key");
    }
    sound(Formats.qualifiedName(key));
    if (absent) {
      return new LabelTerm(key, Operator.ABSENT, Set.of());
    }
    return atEnd() || next() == ','
        ? new LabelTerm(key, Operator.PRESENT, Set.of())
        : comparison(key);
  }

  private LabelTerm comparison(String key) {
    if (takes("==") || takes("=")) {
      return new LabelTerm(key, Operator.IN, Set.of(value()));
    }
    if (takes("!=")) {
      return new LabelTerm(key, Operator.NOT_IN, Set.of(value()));
    }
    if (takes(">")) {
      return new LabelTerm(key, Operator.ABOVE, Set.of(number()));
    }
    if (takes("<")) {
      return new LabelTerm(key, Operator.BELOW, Set.of(number()));
    }
    return switch (word()) {
      case "in" -> new LabelTerm(key, Operator.IN, values());
      case "notin" -> new LabelTerm(key, Operator.NOT_IN, values());
      default -> throw broken("expected one of =, ==, !=, in, notin, <, > after " + key);
    };
  }

  private Set<String> values() {
    if (!takes("(")) {
      throw broken("expected '('");
    }
    Set<String> values = new LinkedHashSet<>();
    do {
      values.add(value());
    } while (takes(","));
    if (!takes(")")) {
      throw broken("expected ',' or ')'");
    }
    return values;
  }

  /** Reads a value, which may be empty. */
  private String value() {
    String value = word();
    sound(Formats.labelValue(value));
    return value;
  }

  private String number() {
    String value = word();
    if (LabelTerm.number(value) == null) {
      throw broken("expected a whole number after '<' or '>'");
    }
    return value;
  }

  private void sound(@Nullable String fault) {
    if (fault != null) {
      throw refusal(fault);
    }
  }

  private String word() {
    skipBlanks();
    int start = at;
    while (at < text.length() && !blank(text.charAt(at)) && SYMBOLS.indexOf(text.charAt(at)) < 0) {
      at++;
    }
    return text.substring(start, at);
  }

  private boolean takes(String symbol) {
    skipBlanks();
    boolean found = text.startsWith(symbol, at);
    if (found) {
      at += symbol.length();
    }
    return found;
  }

  private boolean atEnd() {
    skipBlanks();
    return at == text.length();
  }

  private char next() {
    return text.charAt(at);
  }

  private void skipBlanks() {
    while (at < text.length() && blank(text.charAt(at))) {
      at++;
    }
  }

  private static boolean blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
  }

  private ClusterException broken(String expected) {
    String found = atEnd() ? "the end" : "'" + text.substring(at) + "'";
    return refusal("found %s, %s".formatted(found, expected));
  }

  private ClusterException refusal(String fault) {
    return new ClusterException(
        Reason.BAD_REQUEST, "unable to parse label selector \"%s\": %s".formatted(text, fault));
  }
}
