package dev.stint.cli.report;

import dev.stint.cli.output.TerminalText;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Lines that a CI service shows in its own way, around the report of a Job that failed. */
public enum CiMessages {
  /** No known service. */
  NONE,
  /** GitHub Actions: an annotation for each failure. */
  GITHUB,
  /** GitLab: a section for each Job. */
  GITLAB;

  /** Returns the service in whose environment the command runs. */
  public static CiMessages of(Map<String, String> environment) {
    if ("true".equals(environment.get("GITHUB_ACTIONS"))) {
      return GITHUB;
    }
    return "true".equals(environment.get("GITLAB_CI")) ? GITLAB : NONE;
  }

  /** Returns the lines before the report of a Job. */
  public List<String> before(String job, JobOutcome outcome, Instant now) {
    return this == GITLAB && outcome.hasFailed()
        ? List.of(section("start", job, now) + job + " has failed")
        : List.of();
  }

  /**
   * Returns the lines after the report of a Job.
   *
   * @param failures lines about what failed
   */
  public List<String> after(String job, JobOutcome outcome, List<String> failures, Instant now) {
    if (!outcome.hasFailed()) {
      return List.of();
    }
    return switch (this) {
      case NONE -> List.of();
      case GITLAB -> List.of(section("end", job, now));
      case GITHUB -> List.of(annotation(job, outcome, failures));
    };
  }

  private static String section(String what, String job, Instant now) {
    return TerminalText.sequence("\u001b[0K")
        + "section_%s:%d:stint_%s".formatted(what, now.getEpochSecond(), job)
        + TerminalText.sequence("\r\u001b[0K");
  }

  private static String annotation(String job, JobOutcome outcome, List<String> failures) {
    String text = String.join("\n", outcome.verdict(), String.join("\n", failures)).strip();
    return "::error title=" + property(job + " has failed") + "::" + data(text);
  }

  private static String data(String text) {
    return TerminalText.escaped(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A");
  }

  private static String property(String text) {
    return data(text).replace(":", "%3A").replace(",", "%2C");
  }
}
