package dev.stint.controllers.cronjob;

import java.util.HashMap;
import java.util.Map;

/**
 * The problems that were told of CronJobs since their last start, so that none is told again and
 * again. Of each reason only the last message is kept: messages may name the time that was due, so
 * there can be any number of them.
 */
final class ToldProblems {
  /** The last message of each reason, by the uid of the CronJob. */
  private final Map<String, Map<String, String>> last = new HashMap<>();

  /** Records that a message is told of a CronJob; false if it was the last one for its reason. */
  boolean isNews(String uid, String reason, String message) {
    return !message.equals(last.computeIfAbsent(uid, _ -> new HashMap<>()).put(reason, message));
  }

  /** Forgets what was told of a CronJob, since it has started a Job or is gone. */
  void forget(String uid) {
    last.remove(uid);
  }
}
