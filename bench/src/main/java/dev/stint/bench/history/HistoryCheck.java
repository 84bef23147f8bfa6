package dev.stint.bench.history;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Checks a history for everything that a client of one server may rely on. */
public final class HistoryCheck {
  private static final long MAX_STEPS = 20_000_000;

  /**
   * The result of a check.
   *
   * @param violations a text for each law that was broken
   * @param undecided the objects whose histories took too long to check
   */
  public record Report(List<String> violations, List<String> undecided) {}

  private HistoryCheck() {}

  public static Report check(RecordedHistory history) {
    Changes changes = Changes.of(history);
    List<String> violations = new ArrayList<>(changes.contradictions());
    violations.addAll(RevisionLaws.check(history, changes));
    history.streams().forEach(stream -> violations.addAll(WatchGuarantees.check(stream, changes)));
    List<String> undecided = new ArrayList<>();
    for (String key : history.keys()) {
      LinearizabilityChecker.Result result =
          LinearizabilityChecker.check(new ObjectModel(), history.of(key), MAX_STEPS);
      if (result.isUndecided()) {
        undecided.add(key);
      } else if (!result.isLinearizable()) {
        violations.add(describe(key, result));
      }
    }
    return new Report(violations, undecided);
  }

  private static String describe(String key, LinearizabilityChecker.Result result) {
    return "not linearizable: %s has no place in the order of %s, which ends with\n%s"
        .formatted(
            result.stuck(),
            key,
            result.longest().stream()
                .map(operation -> "    " + operation)
                .collect(Collectors.joining("\n")));
  }
}
