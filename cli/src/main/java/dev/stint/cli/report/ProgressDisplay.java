package dev.stint.cli.report;

import dev.stint.cli.output.Console;
import dev.stint.cli.output.TerminalText;
import dev.stint.jobs.JobCounts;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Shows progress on standard error: a live bar on a terminal, a line now and then elsewhere.
 *
 * <p>Not safe for use by several threads at once.
 */
public final class ProgressDisplay {
  private static final Duration REDRAW = Duration.ofMillis(100);
  private static final Duration LINE = Duration.ofSeconds(5);
  private static final Duration UNCHANGED_LINE = Duration.ofMinutes(1);
  private static final String CLEAR = TerminalText.sequence("\r\u001b[K");

  private final Console console;
  private final Progress progress;
  private final ProgressBar style;
  private final boolean live;
  private Instant shown;
  private @Nullable JobCounts last;
  private boolean drawn;

  public ProgressDisplay(Console console, Progress progress) {
    this.console = console;
    this.progress = progress;
    this.style = ProgressBar.of(console);
    this.live = console.terminal() && !"dumb".equals(console.environment().get("TERM"));
    this.shown = progress.start();
  }

  /**
   * Waits for a future, and calls a task each time that an interval has passed.
   *
   * @throws RuntimeException that of the future
   */
  public static <T extends @Nullable Object> T await(
      CompletableFuture<T> done, Duration interval, Runnable meanwhile) {
    try {
      while (true) {
        try {
          return done.get(interval.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException notYet) {
          meanwhile.run();
        }
      }
    } catch (ExecutionException fault) {
      throw fault.getCause() instanceof RuntimeException known
          ? known
          : new IllegalStateException(fault.getCause());
    } catch (InterruptedException interrupted) {
      throw new IllegalStateException(interrupted);
    }
  }

  /** Shows the counts if it is time to; may be called at every change. */
  public void show(JobCounts counts, Instant now) {
    Duration since = Duration.between(shown, now);
    if (live) {
      if (!drawn || since.compareTo(REDRAW) >= 0) {
        draw(counts, now);
      }
    } else if (since.compareTo(LINE) >= 0
        && (since.compareTo(UNCHANGED_LINE) >= 0 || !counts.equals(last))) {
      console.say(progress.line(counts, now));
      shown = now;
      last = counts;
    }
  }

  /** Writes one line, above the bar if there is one. */
  public void say(String line) {
    clear();
    console.say(line);
  }

  /** Removes the bar, so that other output can follow; the next {@link #show} draws it again. */
  public void clear() {
    if (drawn) {
      console.err().print(CLEAR);
      console.err().flush();
      drawn = false;
    }
  }

  private void draw(JobCounts counts, Instant now) {
    console.err().print(CLEAR + progress.bar(counts, now, console.columns(), style));
    console.err().flush();
    drawn = true;
    shown = now;
  }
}
