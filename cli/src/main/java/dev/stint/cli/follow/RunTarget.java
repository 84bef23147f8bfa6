package dev.stint.cli.follow;

import dev.stint.jobs.attempts.LogSource;
import dev.stint.model.KubeObject;
import dev.stint.runner.log.LogTree;
import org.jspecify.annotations.Nullable;

/** The Jobs of a {@code run}, on this machine or on a cluster. */
public interface RunTarget {
  /** Returns the flags with which another command finds a Job, each with a space before it. */
  String flags(KubeObject job);

  /** Returns the words about a Job that begins. */
  String started(KubeObject job);

  /** Returns the words about an unfinished Job that goes on. */
  String resumed(KubeObject job);

  /** Returns where the user finds the logs of a Job. */
  String placeOfLogs(KubeObject job);

  /** Returns the logs of a Job. */
  LogSource logs(KubeObject job);

  /** True if containers write logs here. */
  boolean hasLogs();

  /** Returns the files of all logs; null if they are on other machines. */
  @Nullable LogTree files();
}
