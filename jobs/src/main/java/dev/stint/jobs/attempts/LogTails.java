package dev.stint.jobs.attempts;

import dev.stint.cluster.ClusterException;
import java.io.IOException;
import java.util.List;

/** Reads the last lines of an attempt's log. */
public final class LogTails {
  private static final int LONGEST_LINE = 500;

  private LogTails() {}

  /**
   * Returns the last lines, or one that says why they cannot be read; none if the attempt never
   * started.
   */
  public static List<String> read(LogSource logs, ContainerAttemptView attempt, long lines) {
    if (lines <= 0 || attempt.startedAt() == null && attempt.exitCode() == null) {
      return List.of();
    }
    LineBeginnings beginnings = new LineBeginnings();
    try {
      LogSource.View view = LogSource.View.of(false, lines, null);
      logs.copy(attempt, true, view, null, beginnings);
    } catch (IOException | ClusterException gone) {
      return List.of("(cannot read the log: " + gone.getMessage() + ")");
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    return beginnings.all().stream().map(LogTails::cut).toList();
  }

  private static String cut(String line) {
    return line.length() <= LONGEST_LINE ? line : line.substring(0, LONGEST_LINE) + "…";
  }
}
