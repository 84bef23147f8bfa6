package dev.stint.apiserver.access;

import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * Decides whether rules together allow everything that other rules allow.
 *
 * <p>A rule stands for all combinations of its verbs, groups, resources and names. A small document
 * can have billions of them, so words to which the same rules apply are treated as one.
 */
final class RuleCover {
  /**
   * The most lookups of a word in a rule, some two seconds. Five thousand rules of few words
   * against five thousand others need less.
   */
  static final long MOST_LOOKUPS = 200_000_000;

  /** The lookups, some ten milliseconds, after which other virtual threads have their turn. */
  private static final long TURN = 1_000_000;

  /** The rules have too many words to decide it. */
  static final class TooManyWordsException extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private final List<PolicyRule> rules;
  private final long mostLookups;
  private long lookups;

  /**
   * @param mostLookups of all questions together, such as {@link #MOST_LOOKUPS}
   */
  RuleCover(List<PolicyRule> rules, long mostLookups) {
    this.rules = rules;
    this.mostLookups = mostLookups;
  }

  /**
   * True if the rules allow everything that the other rule allows.
   *
   * @throws TooManyWordsException if all calls together need too many lookups
   */
  boolean covers(PolicyRule other) {
    return all(
        rules,
        other.verbs(),
        PolicyRule::matchesVerb,
        able -> coverPaths(able, other.paths()) && coverResources(able, other));
  }

  private static boolean isUnnamed(PolicyRule rule) {
    return rule.names().isEmpty();
  }

  private boolean coverResources(List<PolicyRule> able, PolicyRule other) {
    return all(
        able,
        other.groups(),
        PolicyRule::matchesGroup,
        inGroup ->
            all(
                inGroup,
                other.resources(),
                PolicyRule::coversResource,
                last -> coverNames(last, other.names())));
  }

  private boolean coverNames(List<PolicyRule> able, Set<String> names) {
    return able.stream().anyMatch(RuleCover::isUnnamed)
        || !names.isEmpty()
            && names.stream()
                .allMatch(name ->
                    able.stream().anyMatch(rule -> counts(1) && rule.names().contains(name)));
  }

  private boolean coverPaths(List<PolicyRule> able, Set<String> paths) {
    return paths.stream()
        .allMatch(path ->
            able.stream().anyMatch(rule -> counts(rule.paths().size()) && rule.coversPath(path)));
  }

  /**
   * True if the rules that apply to a word pass a test, for each of the words. The same rules are
   * tested once.
   */
  private boolean all(
      List<PolicyRule> from,
      Set<String> words,
      BiPredicate<PolicyRule, String> applies,
      Predicate<List<PolicyRule>> test) {
    return words.stream()
        .map(word -> applying(from, word, applies))
        .distinct()
        .allMatch(places -> test.test(places.stream().mapToObj(from::get).toList()));
  }

  /** Returns the places of the rules that apply to a word. */
  private BitSet applying(
      List<PolicyRule> from, String word, BiPredicate<PolicyRule, String> applies) {
    BitSet places = new BitSet();
    IntStream.range(0, from.size())
        .filter(i -> counts(1) && applies.test(from.get(i), word))
        .forEach(places::set);
    return places;
  }

  /** Counts lookups; true if more are allowed. */
  private boolean counts(int more) {
    if (lookups / TURN != (lookups + more) / TURN) {
      giveWay();
    }
    lookups += more;
    if (lookups > mostLookups) {
      throw new TooManyWordsException();
    }
    return true;
  }

  /** Yields to other requests: a virtual thread keeps its carrier as long as it computes. */
  @SuppressWarnings("ThreadPriorityCheck")
  private static void giveWay() {
    Thread.yield();
  }

  /** Returns the number of lookups so far. */
  long lookups() {
    return lookups;
  }
}
