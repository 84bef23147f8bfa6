package dev.stint.cli.simulate.outcome;

import dev.stint.cli.flag.DurationConverter;
import dev.stint.model.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import tools.jackson.databind.node.ObjectNode;

/** Derives a model of future attempts from recorded ones, and describes it. */
public final class ModelCalibration {
  private final ObservedAttempts observed;
  private final EmpiricalModel model;

  /**
   * @param observed at least one attempt
   */
  public ModelCalibration(ObservedAttempts observed) {
    this.observed = observed;
    this.model = EmpiricalModel.of(observed.attempts());
  }

  public OutcomeModel model() {
    return model;
  }

  /** Returns one line: the number of attempts, their durations, and how many failed with what. */
  public String line() {
    return "Like %s: %s, median %s, p95 %s; %s%s"
        .formatted(
            observed.source(),
            counted(observed.attempts().size()),
            DurationConverter.took(percentile(50)),
            DurationConverter.took(percentile(95)),
            failures(),
            observed.leftOut() == 0 ? "" : "; " + observed.leftOut() + " left out");
  }

  /** Returns the warning that there are few attempts; empty if there are enough. */
  public Optional<String> warning() {
    int size = observed.attempts().size();
    return size >= EmpiricalModel.FEW
        ? Optional.empty()
        : Optional.of(
            "warning: %s of %s %s little; the result may be far off"
                .formatted(counted(size), observed.source(), size == 1 ? "says" : "say"));
  }

  private static String counted(int size) {
    return size == 1 ? "1 attempt" : size + " attempts";
  }

  private String failures() {
    Map<Integer, Long> codes = codes();
    if (codes.isEmpty()) {
      return "none failed";
    }
    String counts =
        codes.entrySet().stream()
            .map(code -> code.getKey() + ": " + code.getValue())
            .collect(Collectors.joining(", "));
    return percent(share(observed.attempts())) + " failed (exit code " + counts + ")" + byNumber();
  }

  /** Returns the shares of failures by the number of the attempt, if the model tells them apart. */
  private String byNumber() {
    int last = model.byNumber().size();
    return last == 1
        ? ""
        : IntStream.rangeClosed(1, last)
            .mapToObj(number ->
                "%s of attempt %d%s"
                    .formatted(
                        percent(share(model.byNumber().get(number - 1))),
                        number,
                        number == last ? " and later" : ""))
            .collect(Collectors.joining(", ", ", ", ""));
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * share);
  }

  private static double share(List<ObservedAttempt> attempts) {
    return (double) attempts.stream().filter(ObservedAttempt::failed).count() / attempts.size();
  }

  private Map<Integer, Long> codes() {
    return observed.attempts().stream()
        .filter(ObservedAttempt::failed)
        .collect(
            Collectors.groupingBy(ObservedAttempt::exitCode, TreeMap::new, Collectors.counting()));
  }

  private Duration percentile(int percent) {
    List<Duration> sorted =
        new ArrayList<>(observed.attempts().stream().map(ObservedAttempt::duration).toList());
    sorted.sort(null);
    return sorted.get((int) ((sorted.size() * (long) percent + 99) / 100) - 1);
  }

  /** Returns the same as JSON. */
  public ObjectNode json() {
    ObjectNode tree =
        Json.object()
            .put("source", observed.source())
            .put("attempts", observed.attempts().size())
            .put("leftOut", observed.leftOut());
    tree.putObject("seconds")
        .put("p50", percentile(50).toMillis() / 1000.0)
        .put("p95", percentile(95).toMillis() / 1000.0);
    tree.put("failureShare", share(observed.attempts()));
    ObjectNode codes = tree.putObject("exitCodes");
    codes().forEach((code, count) -> codes.put(code.toString(), count));
    model
        .byNumber()
        .forEach(group -> tree.withArrayProperty("failureShareByAttempt").add(share(group)));
    return tree;
  }
}
