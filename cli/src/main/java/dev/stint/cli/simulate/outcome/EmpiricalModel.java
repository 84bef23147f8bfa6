package dev.stint.cli.simulate.outcome;

import dev.stint.runner.runtime.SimulatedRuntime.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/**
 * Outcomes like those that happened: each attempt is drawn from the observed ones of its number, so
 * that a second attempt fails as often as second attempts did. Duration and exit code stay
 * together.
 *
 * @param byNumber the attempts with number 1, 2, and so on; the last ones are for all later numbers
 */
record EmpiricalModel(List<List<ObservedAttempt>> byNumber) implements OutcomeModel {
  /** Fewer attempts say little. */
  static final int FEW = 5;

  /**
   * Groups attempts by their number. Few attempts of one number are joined with those before.
   *
   * @param attempts at least one
   */
  static EmpiricalModel of(List<ObservedAttempt> attempts) {
    TreeMap<Integer, List<ObservedAttempt>> numbers = new TreeMap<>();
    attempts.forEach(
        each -> numbers.computeIfAbsent(each.number(), _ -> new ArrayList<>()).add(each));
    List<List<ObservedAttempt>> groups = new ArrayList<>();
    numbers
        .values()
        .forEach(group -> {
          if (groups.isEmpty() || group.size() >= FEW && groups.getLast().size() >= FEW) {
            groups.add(group);
          } else {
            groups.getLast().addAll(group);
          }
        });
    return new EmpiricalModel(groups.stream().map(List::copyOf).toList());
  }

  @Override
  public Outcome draw(int attempt, RandomGenerator random) {
    List<ObservedAttempt> group = byNumber.get(Math.min(attempt, byNumber.size()) - 1);
    ObservedAttempt drawn = group.get(random.nextInt(group.size()));
    return new Outcome(drawn.duration(), drawn.exitCode());
  }
}
