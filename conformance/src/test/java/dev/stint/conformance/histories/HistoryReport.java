package dev.stint.conformance.histories;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The agreement of our controller with recorded histories. */
final class HistoryReport {
  private final Map<Explanation, Integer> explained = new EnumMap<>(Explanation.class);
  private final List<String> unexplained = new ArrayList<>();
  private int histories;
  private int agreeing;
  private int steps;
  private int skipped;
  private int statuses;
  private int sameWrites;

  void add(JobHistory recorded, JobHistory replayed) {
    histories++;
    List<StepComparison> all = StepComparison.of(recorded, replayed);
    boolean agrees = recorded.made().equals(replayed.made());
    if (!agrees) {
      unexplained.add(
          heading(recorded) + "\n  made " + recorded.made() + "\n  ours " + replayed.made());
    }
    boolean differed = false;
    for (int i = 0; i < all.size(); i++) {
      StepComparison step = all.get(i);
      steps++;
      statuses += step.recorded().outcome().statuses().size();
      sameWrites += step.hasSameWrites() ? 1 : 0;
      if (step.agrees()) {
        differed = false;
        continue;
      }
      agrees = false;
      Explanation why = explanation(step, differed);
      differed = why != Explanation.AGREES_AGAIN;
      if (why == null) {
        unexplained.add(heading(recorded) + "\n" + told(all.subList(0, i + 1)));
      } else {
        explained.merge(why, 1, Integer::sum);
      }
      if (why == null || !why.passes()) {
        skipped += all.size() - i - 1;
        break;
      }
    }
    agreeing += agrees ? 1 : 0;
  }

  private static @Nullable Explanation explanation(StepComparison step, boolean differed) {
    for (Explanation each : Explanation.values()) {
      if ((differed || each != Explanation.AGREES_AGAIN) && each.explains(step)) {
        return each;
      }
    }
    return null;
  }

  private static String heading(JobHistory history) {
    return "history " + history.id() + ": " + history.job();
  }

  private static String told(List<StepComparison> steps) {
    StringBuilder text = new StringBuilder();
    steps.forEach(step -> text.append(step).append('\n'));
    return text.toString();
  }

  List<String> unexplained() {
    return unexplained;
  }

  String summary() {
    return ("%d histories, %d steps, %d statuses of Kubernetes: %d histories agree, %d steps after"
            + " a lasting difference are not compared, %d steps have the very same writes;"
            + " explained: %s; unexplained: %d")
        .formatted(
            histories,
            steps + skipped,
            statuses,
            agreeing,
            skipped,
            sameWrites,
            explained,
            unexplained.size());
  }
}
