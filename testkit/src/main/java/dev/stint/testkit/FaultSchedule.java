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

/** The faults to inject, and the watches that can be ended. Thread-safe. */
final class FaultSchedule {
  private final List<Rule> rules = new ArrayList<>();
  private final Set<Runnable> watches = ConcurrentHashMap.newKeySet();

  /** Returns the failure of a request. */
  interface Failure {
    ClusterException of(ApiRequest request);
  }

  /**
   * The outcome of a request.
   *
   * @param delay before anything else
   * @param failure null if it succeeds
   * @param afterwards true if the request is carried out all the same
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

  /** Returns the outcome of a request, and counts it against the rule that matches. */
  synchronized Effect nextEffect(ApiRequest request) {
    Optional<Rule> found = rules.stream().filter(rule -> rule.which.test(request)).findFirst();
    found.ifPresent(this::use);
    return found.map(rule -> rule.effect).orElse(Effect.NONE);
  }

  private void use(Rule rule) {
    if (rule.left != Integer.MAX_VALUE && --rule.left == 0) {
      rules.remove(rule);
    }
  }

  /** Records that a watch has begun, with the task that breaks it off. */
  void addWatch(Runnable drop) {
    watches.add(drop);
  }

  void removeWatch(Runnable drop) {
    watches.remove(drop);
  }

  void dropWatches() {
    List.copyOf(watches).forEach(Runnable::run);
  }
}
