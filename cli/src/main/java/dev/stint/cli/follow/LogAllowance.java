package dev.stint.cli.follow;

import dev.stint.cluster.Timers;
import dev.stint.jobs.attempts.LogSource;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The time that a command spends on logs of a cluster while its user waits for the end. A log has
 * no limit of its own, since it may be followed, and a node that is away answers late or never:
 * neither a signal nor the exit status may wait for that.
 */
final class LogAllowance {
  /**
   * The time for logs that cannot be read, all together. A log that can is there much earlier, and
   * CI kills a command that it has told to end after about as long.
   */
  static final Duration MOST = Duration.ofSeconds(10);

  private final Timers timers;
  private final InstantSource clock;
  private final CompletableFuture<@Nullable Void> over = new CompletableFuture<>();
  private Duration left = MOST;

  /** Reads a log. */
  private interface Reading {
    void run() throws IOException, InterruptedException;
  }

  LogAllowance(Timers timers, InstantSource clock) {
    this.timers = timers;
    this.clock = clock;
  }

  /** No more logs are read, from now on. */
  void giveUp() {
    over.complete(null);
  }

  /** No more logs are read after the allowed time. */
  void giveUpSoon() {
    Runnable _ = timers.after(MOST, this::giveUp);
  }

  /** Returns a source that fails once its logs have been given up. */
  LogSource limited(LogSource logs) {
    return (attempt, latest, view, follow, out) ->
        read(() -> logs.copy(attempt, latest, view, follow, out));
  }

  private void read(Reading reading) throws IOException {
    if (over.isDone()) {
      throw new IOException("it was not waited for any more");
    }
    Instant start = clock.instant();
    CompletableFuture<String> fault = new CompletableFuture<>();
    Thread reader = Thread.ofVirtual().start(() -> fault.complete(fault(reading)));
    Runnable timer = timers.after(left, this::giveUp);
    CompletableFuture.anyOf(fault, over).join();
    String message = fault.getNow("it has not come in time");
    timer.run();
    reader.interrupt();
    if (!message.isEmpty()) {
      charge(Duration.between(start, clock.instant()));
      throw new IOException(message);
    }
  }

  /** Returns the message of a fault; empty if there is none. */
  private static String fault(Reading reading) {
    try {
      reading.run();
      return "";
    } catch (IOException | RuntimeException fault) {
      return String.valueOf(fault.getMessage());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return "interrupted";
    }
  }

  private void charge(Duration time) {
    left = left.minus(time);
    if (!left.isPositive()) {
      giveUp();
    }
  }
}
