package dev.stint.cli.follow;

import dev.stint.cli.job.FollowedLogs;
import dev.stint.cli.output.Console;
import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.Timers;
import dev.stint.embedded.RandomGenerators;
import dev.stint.jobs.JobChanges;
import dev.stint.jobs.attempts.LogSource;
import dev.stint.jobs.attempts.PodAttempts;
import dev.stint.model.KubeObject;
import java.io.IOException;
import java.time.Duration;

/** The logs of one Job of a {@code run --follow}, printed as they are written. */
final class RunLogs {
  /** The time for the rest of the logs after an interruption: their reader may not read. */
  private static final Duration REST = Duration.ofSeconds(2);

  private final FollowedLogs logs;
  private final Thread thread;

  private RunLogs(FollowedLogs logs, Thread thread) {
    this.logs = logs;
    this.thread = thread;
  }

  /**
   * Prepares to print the logs of attempts.
   *
   * @param prefix the Job's name in the prefix of each line; empty for none
   * @param begun true to leave out attempts that have ended before
   */
  static RunLogs of(
      Console console,
      Cluster cluster,
      Timers timers,
      LogSource source,
      KubeObject job,
      String prefix,
      boolean begun) {
    FollowedLogs logs =
        FollowedLogs.ofAll(
            console,
            new FollowedLogs.JobLocation(
                () -> cluster, job.namespace(), timers, RandomGenerators::unpredictable),
            source,
            prefix);
    if (begun) {
      JobChanges.pods(cluster, job).forEach(pod -> logs.skipEnded(PodAttempts.of(pod)));
    }
    Thread thread = Thread.ofVirtual().unstarted(() -> follow(logs, job.name(), console));
    return new RunLogs(logs, thread);
  }

  /** Starts to print them. */
  void start() {
    thread.start();
  }

  private static void follow(FollowedLogs logs, String job, Console console) {
    try {
      logs.follow(job, java.util.List.of());
    } catch (IOException | ClusterException fault) {
      console.say(job + ": its logs are not followed any more: " + fault.getMessage());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Prints what was written so far, and ends. */
  void finish() {
    finish(Duration.ofSeconds(Long.MAX_VALUE));
  }

  /** Prints what can be printed at once of what was written so far, and ends. */
  void finishSoon() {
    finish(REST);
  }

  private void finish(Duration most) {
    logs.stop();
    try {
      if (thread.isAlive() && !thread.join(most)) {
        thread.interrupt();
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
