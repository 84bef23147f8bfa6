package dev.stint.apiserver.selector;

import dev.stint.cluster.ClusterException;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * A filter of objects by their labels: the {@code labelSelector} parameter.
 *
 * <pre>{@code
 * LabelSelector red = LabelSelector.parse("team in (red, blue), tier != front, !canary");
 * red.test(pod.labels());
 * }</pre>
 */
public final class LabelSelector implements Predicate<Map<String, String>> {
  /** Matches every object. */
  static final LabelSelector EVERYTHING = new LabelSelector(List.of());

  private final List<LabelTerm> terms;

  private LabelSelector(List<LabelTerm> terms) {
    this.terms = List.copyOf(terms);
  }

  /**
   * Reads a selector: terms separated by ',', all of which must match. A term is {@code key},
   * {@code !key}, {@code key=value} (or ==), {@code key!=value}, {@code key in (a,b)}, {@code key
   * notin (a,b)}, {@code key>1} or {@code key<1}. Blank text matches everything.
   *
   * @throws ClusterException {@code BAD_REQUEST} if it is malformed
   */
  public static LabelSelector parse(String text) {
    return text.isBlank() ? EVERYTHING : new LabelSelector(new LabelSelectorReader(text).terms());
  }

  /** True if it matches every object. */
  public boolean isEverything() {
    return terms.isEmpty();
  }

  @Override
  public boolean test(Map<String, String> labels) {
    for (LabelTerm term : terms) {
      if (!term.matches(labels)) {
        return false;
      }
    }
    return true;
  }
}
