package dev.stint.cli.report;

import dev.stint.cli.flag.DurationConverter;
import dev.stint.jobs.CompletionRate;
import dev.stint.jobs.JobCounts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The progress of a Job, in words. Pure: the same counts and times give the same text.
 *
 * @param name the Job, or a name for several
 * @param before the counts when this process began to observe, so that a resumed Job does not seem
 *     fast
 * @param start the time of these counts
 */
public record Progress(String name, JobCounts before, Instant start) {
  private static final int BAR_MIN = 10;
  private static final int BAR_MAX = 40;

  /**
   * Returns one line for a log: {@code hello: 3 of 10 succeeded, 2 running (12s, 0.3/s, 28s left)}.
   */
  public String line(JobCounts now, Instant time) {
    List<String> times = times(now, time);
    completionRate()
        .timeLeft(now, time)
        .ifPresent(left -> times.add(DurationConverter.brief(left) + " left"));
    return line(now, times);
  }

  /** Returns the last line, without a time left, even if work was not done. */
  public String lastLine(JobCounts last, Instant end) {
    return line(last, times(last, end));
  }

  private List<String> times(JobCounts now, Instant time) {
    List<String> times =
        new ArrayList<>(List.of(DurationConverter.brief(completionRate().elapsed(time))));
    completionRate().rate(now, time).ifPresent(perSecond -> times.add(rateText(perSecond)));
    return times;
  }

  private String line(JobCounts now, List<String> times) {
    List<String> facts = new ArrayList<>(List.of(succeeded(now)));
    facts.addAll(details(now));
    return name + ": " + String.join(", ", facts) + " (" + String.join(", ", times) + ")";
  }

  /** Returns the successes, such as {@code 3 of 10 succeeded}. */
  public static String succeeded(JobCounts now) {
    String wanted = now.completions() == null ? "" : " of " + now.completions();
    return now.succeeded() + wanted + " succeeded";
  }

  /**
   * Returns a bar that fits a terminal; a narrow one drops the least important facts.
   *
   * @param columns the width of the terminal
   */
  public String bar(JobCounts now, Instant time, int columns, ProgressBar style) {
    int room = Math.max(1, columns - 1); // A full line would wrap.
    List<String> facts = new ArrayList<>(facts(now, time));
    while (facts.size() > 1 && width(facts) + BAR_MIN > room) {
      facts.removeLast();
    }
    int length = Math.min(BAR_MAX, room - width(facts));
    boolean drawn = now.completions() != null && length >= BAR_MIN;
    String text = (drawn ? name + " ".repeat(length + 3) : name + " ") + String.join("  ", facts);
    String cut = text.length() <= room ? text : text.substring(0, room);
    return drawn
        ? name + " " + style.draw(share(now), length) + cut.substring(name.length() + 1 + length)
        : cut;
  }

  private CompletionRate completionRate() {
    return new CompletionRate(before, start);
  }

  /** Returns the facts of a bar, the most important first. */
  private List<String> facts(JobCounts now, Instant time) {
    List<String> facts = new ArrayList<>();
    facts.add(
        now.completions() == null
            ? now.succeeded() + " succeeded"
            : now.succeeded() + "/" + now.completions());
    completionRate()
        .timeLeft(now, time)
        .ifPresent(left -> facts.add(DurationConverter.brief(left) + " left"));
    facts.addAll(details(now));
    completionRate().rate(now, time).ifPresent(perSecond -> facts.add(rateText(perSecond)));
    return facts;
  }

  private static List<String> details(JobCounts now) {
    List<String> details = new ArrayList<>();
    add(details, now.failedIndexes(), now.failedIndexes() == 1 ? "index failed" : "indexes failed");
    add(details, now.failed(), now.failed() == 1 ? "pod failed" : "pods failed");
    add(details, now.ready(), "running");
    add(details, now.active() - now.ready(), "not ready");
    add(details, now.terminating(), "stopping");
    return details;
  }

  private static void add(List<String> details, long count, String what) {
    if (count > 0) {
      details.add(count + " " + what);
    }
  }

  private int width(List<String> facts) {
    return name.length() + 3 + String.join("  ", facts).length();
  }

  private static double share(JobCounts now) {
    Long completions = now.completions();
    return completions == null || completions == 0
        ? 0
        : Math.min(1.0, (double) now.settled() / completions);
  }

  public static String rateText(double perSecond) {
    return perSecond >= 10
        ? String.format(Locale.ROOT, "%.0f/s", perSecond)
        : perSecond >= 0.1
            ? String.format(Locale.ROOT, "%.1f/s", perSecond)
            : String.format(Locale.ROOT, "%.1f/min", perSecond * 60);
  }
}
