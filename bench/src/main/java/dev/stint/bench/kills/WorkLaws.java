package dev.stint.bench.kills;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The laws for the indexes of a Job, whatever was killed: none runs twice, except those that a loss
 * of power cut off, and their logs are whole.
 */
final class WorkLaws {
  private final String job;
  private final int lines;
  private final boolean wasDiskFull;
  private final List<String> violations = new ArrayList<>();

  private WorkLaws(String job, int lines, boolean wasDiskFull) {
    this.job = job;
    this.lines = lines;
    this.wasDiskFull = wasDiskFull;
  }

  /**
   * Checks the attempts of a Job that nobody deleted.
   *
   * @param lines the number of lines that an attempt prints
   * @param wasDiskFull true if Stint may have ended by itself, which ends pods: they run again; and
   *     the record of an attempt may be cut short
   * @param finished the number of attempts by index that had begun when the index was known to have
   *     finished; none begins after that
   * @return what is wrong
   */
  static List<String> ofComplete(
      String job,
      int lines,
      boolean wasDiskFull,
      Map<Integer, List<RecordedAttempt>> attempts,
      Map<Integer, Integer> finished,
      JobLogs logs) {
    WorkLaws laws = new WorkLaws(job, lines, wasDiskFull);
    laws.checkRuns(attempts, finished);
    laws.checkLogs(attempts, logs);
    laws.checkRecord(attempts.keySet(), logs);
    return laws.violations;
  }

  /** Checks the attempts of a Job that may have been deleted meanwhile. */
  static List<String> ofDeleted(
      String job,
      int lines,
      boolean wasDiskFull,
      Map<Integer, List<RecordedAttempt>> attempts,
      JobLogs logs) {
    WorkLaws laws = new WorkLaws(job, lines, wasDiskFull);
    attempts.forEach(laws::checkBoots);
    laws.checkLogs(attempts, logs);
    return laws.violations;
  }

  private void violate(String law) {
    violations.add(job + ": " + law);
  }

  private void checkRuns(
      Map<Integer, List<RecordedAttempt>> attempts, Map<Integer, Integer> finished) {
    attempts.forEach((index, each) -> {
      checkBoots(index, each);
      if (each.stream().noneMatch(RecordedAttempt::isEnded)) {
        violate("index %d never ended: %s".formatted(index, each));
      }
      if (each.size() > finished.getOrDefault(index, each.size())) {
        violate("index %d ran again after it had finished: %s".formatted(index, each));
      }
    });
  }

  private void checkBoots(int index, List<RecordedAttempt> attempts) {
    Set<String> boots = new HashSet<>();
    for (RecordedAttempt each : attempts) {
      boolean isFirst = boots.add(each.boot());
      boolean mayRunAgain =
          wasDiskFull && attempts.stream().filter(RecordedAttempt::isEnded).count() <= 1;
      if (!isFirst && !mayRunAgain) {
        violate("index %d began twice without a loss of power: %s".formatted(index, attempts));
      }
    }
  }

  private void checkLogs(Map<Integer, List<RecordedAttempt>> attempts, JobLogs logs) {
    Map<String, Integer> logged = new HashMap<>();
    for (String file : logs.files().stream().filter(text -> !text.isEmpty()).toList()) {
      String tag = file.substring(0, Math.max(0, file.indexOf(' ')));
      List<String> found = file.lines().toList();
      List<String> right = new ArrayList<>();
      for (int k = 1; k <= found.size(); k++) {
        right.add(tag + " " + k);
      }
      if (!found.equals(right) || !file.endsWith("\n")) {
        violate("a log is not whole: " + found);
      }
      if (logged.put(tag, found.size()) != null) {
        violate("two logs of the attempt " + tag);
      }
    }
    for (List<RecordedAttempt> each : attempts.values()) {
      for (RecordedAttempt attempt : each) {
        checkLog(attempt, logged.getOrDefault(attempt.tag(), 0));
      }
    }
  }

  private void checkLog(RecordedAttempt attempt, int logged) {
    int least = attempt.isEnded() ? lines : attempt.printed();
    if (logged < least) {
      violate("%d of %d lines in the log of %s".formatted(logged, least, attempt));
    }
  }

  /** A kill may prevent that the last ends are recorded. */
  private void checkRecord(Set<Integer> indexes, JobLogs logs) {
    if (!wasDiskFull) {
      logs.unreadable().forEach(line -> violate("not whole in _attempts.jsonl: " + line));
    }
    for (int index : indexes) {
      int times = Collections.frequency(logs.succeeded(), index);
      if (times > 1) {
        violate("_attempts.jsonl has %d successes of index %d".formatted(times, index));
      }
    }
  }
}
