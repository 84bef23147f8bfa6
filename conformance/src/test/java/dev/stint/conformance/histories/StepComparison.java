package dev.stint.conformance.histories;

import dev.stint.conformance.histories.JobHistory.Outcome;
import dev.stint.conformance.histories.JobHistory.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.node.ObjectNode;

/**
 * One step as it was recorded, and what our controller makes of it.
 *
 * @param before what happened before, the first step first
 * @param recorded the step of Kubernetes
 * @param replayed our outcome
 * @param beganWithOtherPods true if the pods differed after the step before
 * @param theirs the status under Kubernetes before and after the step
 * @param ours the status under our controller before and after the step
 */
record StepComparison(
    ObjectNode job,
    List<Step> before,
    Step recorded,
    Outcome replayed,
    boolean beganWithOtherPods,
    Statuses theirs,
    Statuses ours) {
  /** The status before and after a step; empty for none. */
  record Statuses(String before, String after) {
    Statuses next(List<String> statuses) {
      String last = statuses.isEmpty() ? JobObserver.REFUSED : statuses.getLast();
      return new Statuses(after, last.equals(JobObserver.REFUSED) ? after : last);
    }
  }

  private static final Pattern COUNTED = Pattern.compile("(\\d+)x(.*)");
  private static final Pattern UNCOUNTED = Pattern.compile(" ?uncounted=(\\d+)/(\\d+)");
  private static final Pattern PASSING = Pattern.compile("(active|ready|terminating)=\\d+ ?");

  /** Returns the comparisons of all steps. */
  static List<StepComparison> of(JobHistory recorded, JobHistory replayed) {
    List<StepComparison> all = new ArrayList<>();
    Statuses theirs = new Statuses("", "");
    Statuses ours = theirs;
    boolean others = false;
    for (int i = 0; i < recorded.steps().size(); i++) {
      Step step = recorded.steps().get(i);
      Outcome outcome = replayed.steps().get(i).outcome();
      theirs = theirs.next(step.outcome().statuses());
      ours = ours.next(outcome.statuses());
      List<Step> before = recorded.steps().subList(0, i);
      StepComparison next =
          new StepComparison(recorded.job(), before, step, outcome, others, theirs, ours);
      all.add(next);
      others = !next.hasSamePods();
    }
    return all;
  }

  /** True if the statuses, the decisions in their order, and the pods are the same. */
  boolean agrees() {
    return hasSameStatus() && hasSamePods() && hasSameOrder();
  }

  boolean hasSameStatus() {
    return theirs.after().equals(ours.after());
  }

  boolean hasSamePods() {
    return recorded.outcome().pods().equals(replayed.pods());
  }

  /**
   * True if both wrote the same decisions in the same order: the conditions with their reasons, and
   * the numbers and indexes of pods that have ended, listed as uncounted or not.
   */
  boolean hasSameOrder() {
    return decisive(theirs.before(), recorded.outcome()).equals(decisive(ours.before(), replayed));
  }

  /** True if both wrote the very same statuses. */
  boolean hasSameWrites() {
    return recorded.outcome().statuses().equals(replayed.statuses());
  }

  private static List<String> decisive(String before, Outcome outcome) {
    List<String> decisions = new ArrayList<>();
    String last = decisive(before);
    for (String status : outcome.statuses()) {
      String decision = decisive(status);
      if (!decision.equals(last)) {
        decisions.add(decision);
      }
      last = decision;
    }
    return decisions;
  }

  /** Returns a status without the counts that come and go, and with uncounted pods counted. */
  static String decisive(String status) {
    Matcher listed = UNCOUNTED.matcher(status);
    String plain = status;
    if (listed.find()) {
      plain = listed.replaceFirst("");
      plain = add(plain, "succeeded", Integer.parseInt(listed.group(1)));
      plain = add(plain, "failed", Integer.parseInt(listed.group(2)));
    }
    return Stream.of(PASSING.matcher(plain).replaceAll("").split(" "))
        .sorted(StepComparison::conditionsLast)
        .collect(Collectors.joining(" "));
  }

  private static int conditionsLast(String one, String other) {
    boolean first = one.contains(":");
    boolean second = other.contains(":");
    return first || second ? Boolean.compare(first, second) : one.compareTo(other);
  }

  private static String add(String status, String name, int more) {
    if (more == 0) {
      return status;
    }
    Matcher found = Pattern.compile("\\b" + name + "=(\\d+)").matcher(status);
    return found.find()
        ? found.replaceFirst(name + "=" + (Integer.parseInt(found.group(1)) + more))
        : name + "=" + more + " " + status;
  }

  /** Returns the texts of the pods under Kubernetes. */
  List<String> recordedPods() {
    return pods(recorded.outcome());
  }

  /** Returns the texts of our pods. */
  List<String> replayedPods() {
    return pods(replayed);
  }

  private static List<String> pods(Outcome outcome) {
    List<String> pods = new ArrayList<>();
    for (String text : outcome.pods().isEmpty() ? new String[0] : outcome.pods().split(", ")) {
      Matcher counted = COUNTED.matcher(text);
      int count = counted.matches() ? Integer.parseInt(counted.group(1)) : 1;
      for (int i = 0; i < count; i++) {
        pods.add(counted.matches() ? counted.group(2) : text);
      }
    }
    return pods;
  }

  /** Returns the elements of one list without those of another. */
  static List<String> minus(List<String> all, List<String> others) {
    List<String> left = new ArrayList<>(all);
    others.forEach(left::remove);
    return left;
  }

  @Override
  public String toString() {
    return "  %s %s%n    kubernetes %s | %s%n    ours       %s | %s"
        .formatted(
            recorded.at(),
            recorded.fate(),
            recorded.outcome().statuses(),
            recorded.outcome().pods(),
            replayed.statuses(),
            replayed.pods());
  }
}
