package dev.stint.cli.run;

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
import dev.stint.runner.log.LogTree;
import java.io.IOException;
import java.nio.file.Path;

/** The logs of one Job of a {@code run --follow}, printed as they are written. */
final class RunLogs {
  private final FollowedLogs logs;
  private final Thread thread;

  private RunLogs(FollowedLogs logs, Thread thread) {
    this.logs = logs;
    this.thread = thread;
  }

  /**
   * Starts to print the logs of attempts that have not ended yet.
   *
   * @param prefix the Job's name in the prefix of each line; empty for none
   */
  static RunLogs start(
      Console console,
      Cluster cluster,
      Timers timers,
      Path directory,
      KubeObject job,
      String prefix) {
    FollowedLogs logs =
        FollowedLogs.ofAll(
            console,
            new FollowedLogs.Place(
                () -> cluster, job.namespace(), timers, RandomGenerators::unpredictable),
            new LogSource.Local(new LogTree(directory), job.namespace(), job.name()),
            prefix);
    JobChanges.pods(cluster, job).forEach(pod -> logs.skipEnded(PodAttempts.of(pod)));
    Thread thread = Thread.ofVirtual().start(() -> follow(logs, job.name(), console));
    return new RunLogs(logs, thread);
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
    logs.stop();
    try {
      thread.join();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
