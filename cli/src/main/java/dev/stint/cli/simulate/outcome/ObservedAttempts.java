package dev.stint.cli.simulate.outcome;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The attempts of a Job that say how its next ones may end.
 *
 * @param source what they are from: a Job or a file
 * @param attempts those that ended by themselves
 * @param leftOut the number of the others: still running, stopped, or of unknown duration or exit
 *     code
 */
public record ObservedAttempts(String source, List<ObservedAttempt> attempts, int leftOut) {
  public ObservedAttempts {
    attempts = List.copyOf(attempts);
  }

  /**
   * One run of one container.
   *
   * @param number the number of the attempt at its index, from 1
   * @param attempt equal for the containers that ran together
   * @param duration null if it is unknown
   * @param exitCode null if it is unknown, or if the run was ended from outside
   */
  public record ContainerEnd(
      int number,
      String attempt,
      String container,
      @Nullable Duration duration,
      @Nullable Integer exitCode) {}

  /**
   * Joins the containers that ran together: their attempt takes as long as the longest one, and
   * fails if one fails.
   *
   * @param main the names of the main containers; if none of them ran, all containers count
   */
  public static ObservedAttempts of(String source, List<ContainerEnd> ends, Set<String> main) {
    boolean known = ends.stream().anyMatch(end -> main.contains(end.container()));
    Map<String, List<ContainerEnd>> together = new LinkedHashMap<>();
    ends.stream()
        .filter(end -> !known || main.contains(end.container()))
        .forEach(end -> together.computeIfAbsent(end.attempt(), _ -> new ArrayList<>()).add(end));
    List<ObservedAttempt> attempts = new ArrayList<>();
    together
        .values()
        .forEach(each -> {
          ObservedAttempt joined = joined(each);
          if (joined != null) {
            attempts.add(joined);
          }
        });
    return new ObservedAttempts(source, attempts, together.size() - attempts.size());
  }

  private static @Nullable ObservedAttempt joined(List<ContainerEnd> containers) {
    Duration longest = Duration.ZERO;
    int code = 0;
    for (ContainerEnd each : containers) {
      Duration duration = each.duration();
      Integer own = each.exitCode();
      if (duration == null || own == null) {
        return null;
      }
      longest = duration.compareTo(longest) > 0 ? duration : longest;
      code = code == 0 ? own : code;
    }
    return new ObservedAttempt(containers.getFirst().number(), longest, code);
  }
}
