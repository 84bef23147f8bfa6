package dev.stint.cli.flag;

import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The labels of the Jobs that a worker takes.
 *
 * @param name of the worker
 * @param terms all of which must match
 */
public record NamedSelector(String name, List<NameRequirement> terms)
    implements Predicate<Map<String, String>> {

  /**
   * One term.
   *
   * @param isEqual false if the label must not have this value
   */
  public record NameRequirement(String key, String value, boolean isEqual) {}

  public NamedSelector {
    terms = List.copyOf(terms);
  }

  @Override
  public boolean test(Map<String, String> labels) {
    return terms.stream()
        .allMatch(term -> term.value().equals(labels.get(term.key())) == term.isEqual());
  }
}
