package dev.stint.cli.report;

import dev.stint.cli.output.TerminalText;
import dev.stint.jobs.DisplayText;
import dev.stint.jobs.attempts.ContainerAttemptView;
import dev.stint.jobs.attempts.ContainerAttemptView.State;
import dev.stint.jobs.attempts.Sidecars;
import dev.stint.model.KubeObject;
import dev.stint.model.job.JobSpec;
import dev.stint.model.job.JobStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** A report in JUnit's XML format: a suite for each Job, a test case for each index. */
public final class JUnitReport {
  /** The number of failures of a Job whose logs are in the report. */
  private static final int MOST_LOGS = 100;

  /** Programs show names of test cases in one line. */
  private static final int LONGEST_ITEM = 200;

  private JUnitReport() {}

  /** The result of a test case. */
  enum Result {
    PASSED,
    FAILED,
    SKIPPED
  }

  /**
   * A test case.
   *
   * @param message why it did not pass
   * @param text the end of its log
   */
  record Case(String name, double seconds, Result result, String message, String text) {}

  /** A Job. */
  public record Suite(String name, double seconds, List<Case> cases) {
    private long count(Result result) {
      return cases.stream().filter(each -> each.result() == result).count();
    }
  }

  /**
   * Returns the suite of a Job.
   *
   * @param attempts all of them
   * @param items returns what an index works on, for people
   * @param tail returns the end of an attempt's log
   * @param problem why the Job did not succeed; empty if it did
   */
  public static Suite suite(
      KubeObject job,
      List<ContainerAttemptView> attempts,
      IntFunction<Optional<String>> items,
      Function<ContainerAttemptView, List<String>> tail,
      String problem) {
    List<Case> cases = new ArrayList<>();
    JobSpec spec = JobSpec.read(Objects.requireNonNull(job.spec()));
    Integer completions = spec.completions();
    if (spec.isIndexed() && completions != null) {
      cases.addAll(indexes(job, completions, last(job, attempts), items, tail));
    }
    if (cases.stream().noneMatch(each -> each.result() == Result.FAILED)
        && (cases.isEmpty() || !problem.isEmpty())) {
      Result result = problem.isEmpty() ? Result.PASSED : Result.FAILED;
      cases.add(new Case(job.name(), seconds(job), result, problem, lastLog(attempts, tail)));
    }
    return new Suite(job.name(), seconds(job), cases);
  }

  private static List<Case> indexes(
      KubeObject job,
      int completions,
      Map<Integer, ContainerAttemptView> last,
      IntFunction<Optional<String>> items,
      Function<ContainerAttemptView, List<String>> tail) {
    JobStatus status = JobStatus.read(job.status());
    List<Case> cases = new ArrayList<>();
    int logs = 0;
    for (int index = 0; index < completions; index++) {
      ContainerAttemptView attempt = last.get(index);
      String name = name(index, attempt, items);
      double seconds = seconds(attempt);
      if (status.completedIndexes().contains(index)) {
        cases.add(new Case(name, seconds, Result.PASSED, "", ""));
      } else if (attempt != null && attempt.state() == State.FAILED) {
        String log = logs++ < MOST_LOGS ? String.join("\n", tail.apply(attempt)) : "";
        cases.add(new Case(name, seconds, Result.FAILED, message(attempt), log));
      } else {
        cases.add(new Case(name, seconds, Result.SKIPPED, "it did not run to its end", ""));
      }
    }
    return cases;
  }

  private static String name(
      int index, @Nullable ContainerAttemptView attempt, IntFunction<Optional<String>> items) {
    String known = attempt == null ? null : attempt.item();
    String item = known == null ? items.apply(index).orElse("") : known;
    return "index " + index + (item.isEmpty() ? "" : ": " + DisplayText.cut(item, LONGEST_ITEM));
  }

  /** Returns the last attempt of each index; of its containers, one that failed. */
  private static Map<Integer, ContainerAttemptView> last(
      KubeObject job, List<ContainerAttemptView> attempts) {
    Set<String> sidecars = Sidecars.of(job);
    Map<Integer, ContainerAttemptView> last = new HashMap<>();
    for (ContainerAttemptView attempt : attempts) {
      if (attempt.index() != null && !sidecars.contains(attempt.container())) {
        last.merge(attempt.index(), attempt, JUnitReport::later);
      }
    }
    return last;
  }

  private static ContainerAttemptView later(ContainerAttemptView one, ContainerAttemptView other) {
    boolean same = one.pod().equals(other.pod()) && one.run() == other.run();
    return same && one.state() == State.FAILED ? one : other;
  }

  private static String lastLog(
      List<ContainerAttemptView> attempts, Function<ContainerAttemptView, List<String>> tail) {
    return attempts.stream()
        .filter(each -> each.state() == State.FAILED)
        .reduce((_, last) -> last)
        .map(each -> String.join("\n", tail.apply(each)))
        .orElse("");
  }

  private static String message(ContainerAttemptView attempt) {
    String why = attempt.explanation();
    String code = attempt.exitCode() == null ? "failed" : "exit code " + attempt.exitCode();
    return why.isEmpty() ? code : code + ", " + why;
  }

  private static double seconds(@Nullable ContainerAttemptView attempt) {
    Duration took = attempt == null ? null : attempt.duration(Instant.EPOCH);
    return took == null ? 0 : took.toMillis() / 1000.0;
  }

  private static double seconds(KubeObject job) {
    return JobOutcome.of(job)
        .map(JobOutcome::took)
        .map(took -> took.toMillis() / 1000.0)
        .orElse(0.0);
  }

  /** Returns the XML of a report. */
  public static String text(List<Suite> suites) {
    StringBuilder xml = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    xml.append("<testsuites>\n");
    for (Suite suite : suites) {
      xml.append(
          "<testsuite name=\"%s\" tests=\"%d\" failures=\"%d\" skipped=\"%d\" time=\"%s\">\n"
              .formatted(
                  escaped(suite.name()),
                  suite.cases().size(),
                  suite.count(Result.FAILED),
                  suite.count(Result.SKIPPED),
                  time(suite.seconds())));
      suite.cases().forEach(each -> append(suite, each, xml));
      xml.append("</testsuite>\n");
    }
    return xml.append("</testsuites>\n").toString();
  }

  private static void append(Suite suite, Case each, StringBuilder xml) {
    xml.append(
        "<testcase classname=\"%s\" name=\"%s\" time=\"%s\""
            .formatted(escaped(suite.name()), escaped(each.name()), time(each.seconds())));
    switch (each.result()) {
      case PASSED -> xml.append("/>\n");
      case SKIPPED ->
          xml.append("><skipped message=\"%s\"/></testcase>\n".formatted(escaped(each.message())));
      case FAILED ->
          xml.append(
              "><failure message=\"%s\">%s</failure></testcase>\n"
                  .formatted(escaped(each.message()), escaped(each.text())));
    }
  }

  private static String time(double seconds) {
    return String.format(Locale.ROOT, "%.3f", seconds);
  }

  /** Returns text for XML, which allows neither control characters nor half of a pair. */
  private static String escaped(String text) {
    String plain = TerminalText.escaped(text);
    StringBuilder escaped = new StringBuilder(plain.length() + 16);
    plain
        .codePoints()
        .forEach(c -> {
          switch (c) {
            case '&' -> escaped.append("&amp;");
            case '<' -> escaped.append("&lt;");
            case '>' -> escaped.append("&gt;");
            case '"' -> escaped.append("&quot;");
            case 0xfffe, 0xffff -> escaped.append('\ufffd');
            default -> escaped.appendCodePoint(c >= 0xd800 && c <= 0xdfff ? 0xfffd : c);
          }
        });
    return escaped.toString();
  }
}
