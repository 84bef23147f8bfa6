package dev.stint.bench.day;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Follows Jobs from their creation to their deletion. Times are nanoseconds of one clock. Events of
 * a Job may come before the answer to its creation.
 */
final class JobTracker {
  private final long longestLife;
  private final Map<String, Long> due = new HashMap<>();
  private final Set<String> acknowledged = new HashSet<>();
  private final Set<String> complete = new HashSet<>();
  private final Set<String> failed = new HashSet<>();
  private final List<String> faults = new ArrayList<>();
  private LatenciesOfMinute completions = new LatenciesOfMinute();
  private int created;
  private int gone;
  private int unanswered;
  private long slowestGone;

  /**
   * @param longestLife from the time when a Job is due to the time when it must be gone
   */
  JobTracker(Duration longestLife) {
    this.longestLife = longestLife.toNanos();
  }

  /** A Job is about to be created. */
  synchronized void onDue(String job, long now) {
    due.put(job, now);
  }

  synchronized void onCreated(String job) {
    created++;
    if (due.containsKey(job)) {
      acknowledged.add(job);
    }
  }

  /** A creation was not answered in time, and is sent again. */
  synchronized void onUnanswered() {
    unanswered++;
  }

  synchronized void onRefused(String job, String answer) {
    due.remove(job);
    faults.add("the creation of %s was refused: %s".formatted(job, answer));
  }

  synchronized void onComplete(String job, long now) {
    Long start = due.get(job);
    if (start != null && complete.add(job)) {
      completions.add(now - start);
    }
  }

  /** Adds a fault once for each Job: each event of the Job says that it failed. */
  synchronized void onFailed(String job, String reason) {
    if (failed.add(job)) {
      faults.add("%s failed: %s".formatted(job, reason));
    }
  }

  synchronized void onDeleted(String job, long now) {
    Long start = due.remove(job);
    acknowledged.remove(job);
    failed.remove(job);
    if (start == null) {
      return;
    }
    gone++;
    slowestGone = Math.max(slowestGone, now - start);
    if (!complete.remove(job)) {
      faults.add(job + " went away and was not Complete");
    } else if (now - start > longestLife) {
      faults.add(
          "%s went away %d s late".formatted(job, (now - start - longestLife) / 1_000_000_000));
    }
  }

  synchronized void onFault(String fault) {
    faults.add(fault);
  }

  /** The server ended by itself. This comes first, since it explains what follows. */
  synchronized void onServerEnded() {
    faults.addFirst("the server ended");
  }

  /** Names the Jobs that are still there although their time is over. */
  synchronized void onEnd() {
    due.keySet().stream()
        .limit(5)
        .forEach(job -> faults.add("%s is %s".formatted(job, state(job))));
    if (due.size() > 5) {
      faults.add(due.size() + " Jobs in all are lost or did not go away");
    }
  }

  private String state(String job) {
    return complete.contains(job)
        ? "Complete and did not go away"
        : acknowledged.contains(job) ? "lost or never Complete" : "without an answer";
  }

  synchronized boolean hasJobs() {
    return !due.isEmpty();
  }

  synchronized int created() {
    return created;
  }

  synchronized int gone() {
    return gone;
  }

  synchronized int unanswered() {
    return unanswered;
  }

  synchronized double slowestGoneSeconds() {
    return slowestGone / 1e9;
  }

  /** Returns the times from creations to Complete since the last call. */
  synchronized LatenciesOfMinute takeCompletions() {
    LatenciesOfMinute taken = completions;
    completions = new LatenciesOfMinute();
    return taken;
  }

  synchronized List<String> faults() {
    return List.copyOf(faults);
  }
}
