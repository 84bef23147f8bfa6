package dev.stint.testkit;

import dev.stint.cluster.ClusterException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What is to go wrong, and the watches that can be broken off. For use by any thread. */
final class FaultSchedule {
  private final List<Rule> rules = new ArrayList<>();
  private final Set<Runnable> watches = ConcurrentHashMap.newKeySet();

  /** Says why a request fails. */
  interface Failure {
    ClusterException of(ApiRequest request);
  }

  /**
   * What becomes of a request.
   *
   * @param delay before anything else
   * @param failure null where it goes well
   * @param afterwards whether what it asks for is done nevertheless
   */
  record Effect(Duration delay, @Nullable Failure failure, boolean afterwards) {
    static final Effect NONE = new Effect(Duration.ZERO, null, false);
  }

  private static final class Rule {
    final Predicate<ApiRequest> which;
    final Effect effect;
    int left;

    Rule(int left, Predicate<ApiRequest> which, Effect effect) {
      this.left = left;
      this.which = which;
      this.effect = effect;
    }
  }

  synchronized void add(int count, Predicate<ApiRequest> which, Effect effect) {
    rules.add(new Rule(count, which, effect));
  }

  synchronized void clear() {
    rules.clear();
  }

  /** What becomes of a request, which is used up by that. */
  synchronized Effect next(ApiRequest request) {
    Optional<Rule> found = rules.stream().filter(rule -> rule.which.test(request)).findFirst();
    found.ifPresent(this::use);
    return found.map(rule -> rule.effect).orElse(Effect.NONE);
  }

  private void use(Rule rule) {
    if (rule.left != Integer.MAX_VALUE && --rule.left == 0) {
      rules.remove(rule);
    }
  }

  /** A watch has begun that running this would break off. */
  void watching(Runnable drop) {
    watches.add(drop);
  }

  void ended(Runnable drop) {
    watches.remove(drop);
  }

  void dropWatches() {
    List.copyOf(watches).forEach(Runnable::run);
  }
}
