package dev.stint.apiserver.selector;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * A filter of objects by the values of fields: the {@code fieldSelector} parameter.
 *
 * <pre>{@code
 * FieldSelector pending =
 *     FieldSelector.parse(SelectableFields.PODS, "status.phase=Pending,spec.nodeName!=n1");
 * pending.test(pod.tree());
 * }</pre>
 */
public final class FieldSelector implements Predicate<ObjectNode> {
  /** Matches every object. */
  static final FieldSelector EVERYTHING = new FieldSelector(List.of());

  private static final Set<String> IDENTITY = Set.of("metadata.name", "metadata.namespace");

  private final List<FieldRequirement> terms;

  private FieldSelector(List<FieldRequirement> terms) {
    this.terms = List.copyOf(terms);
  }

  /**
   * Reads a selector: terms separated by ',', all of which must match. A term is {@code
   * field=value}, {@code field==value} or {@code field!=value}; in a value, {@code \\}, {@code \,}
   * and {@code \=} stand for backslash, comma and equals sign. Blank text matches everything.
   *
   * @throws ClusterException {@code BAD_REQUEST} if it is malformed, or names a field by which this
   *     kind cannot be selected
   */
  public static FieldSelector parse(SelectableFields fields, String text) {
    List<FieldRequirement> terms = new ArrayList<>();
    for (String term : split(text)) {
      if (!term.isBlank()) {
        terms.add(term(fields, text, term.strip()));
      }
    }
    return terms.isEmpty() ? EVERYTHING : new FieldSelector(terms);
  }

  /** True if it matches every object. */
  public boolean isEverything() {
    return terms.isEmpty();
  }

  /** Returns the only name that can match, so that a list can be a get; null for any. */
  public @Nullable String pinnedName() {
    return pinned("metadata.name");
  }

  /** Returns the only namespace that can match; null for any. */
  @Nullable String pinnedNamespace() {
    return pinned("metadata.namespace");
  }

  /**
   * True if it reads fields other than the name and the namespace, which an object may be shown
   * with in another way than it is stored.
   */
  public boolean readsContent() {
    return !terms.stream().allMatch(term -> IDENTITY.contains(term.field));
  }

  @Override
  public boolean test(ObjectNode object) {
    for (FieldRequirement term : terms) {
      if (!term.matches(object)) {
        return false;
      }
    }
    return true;
  }

  private @Nullable String pinned(String field) {
    return terms.stream()
        .filter(term -> term.equal && term.field.equals(field))
        .map(FieldRequirement::value)
        .findFirst()
        .orElse(null);
  }

  private static FieldRequirement term(SelectableFields fields, String text, String term) {
    int equals = term.indexOf('=');
    if (equals <= 0) {
      throw broken(text, "'%s' must be field=value or field!=value".formatted(term));
    }
    boolean equal = term.charAt(equals - 1) != '!';
    String field = term.substring(0, equal ? equals : equals - 1);
    boolean twice = equal && term.startsWith("==", equals);
    String value = unescaped(text, term.substring(equals + (twice ? 2 : 1)));
    Function<ObjectNode, String> reader = fields.reader(field);
    if (reader == null) {
      throw new ClusterException(
          Reason.BAD_REQUEST,
          "field label not supported: %s; supported are %s"
              .formatted(field, String.join(", ", fields.names())));
    }
    return new FieldRequirement(field, equal, value, reader);
  }

  /** Splits a selector into terms; a comma after a backslash belongs to its term. */
  private static List<String> split(String text) {
    List<String> terms = new ArrayList<>();
    int start = 0;
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) == '\\') {
        i++;
      } else if (text.charAt(i) == ',') {
        terms.add(text.substring(start, i));
        start = i + 1;
      }
    }
    terms.add(text.substring(start));
    return terms;
  }

  private static String unescaped(String text, String value) {
    StringBuilder plain = new StringBuilder(value.length());
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '=') {
        throw broken(text, "write \\= for '=' in the value '" + value + "'");
      }
      if (c == '\\') {
        i++;
        if (i == value.length() || "\\,=".indexOf(value.charAt(i)) < 0) {
          throw broken(text, "a backslash may precede only \\\\, ',' or '=' in '" + value + "'");
        }
        c = value.charAt(i);
      }
      plain.append(c);
    }
    return plain.toString();
  }

  private static ClusterException broken(String text, String fault) {
    return new ClusterException(
        Reason.BAD_REQUEST, "unable to parse field selector \"%s\": %s".formatted(text, fault));
  }

  /**
   * One condition.
   *
   * @param equal true if the field must have the value, false if it must not
   */
  private record FieldRequirement(
      String field, boolean equal, String value, Function<ObjectNode, String> reader) {
    boolean matches(ObjectNode object) {
      return equal == reader.apply(object).equals(value);
    }
  }
}
