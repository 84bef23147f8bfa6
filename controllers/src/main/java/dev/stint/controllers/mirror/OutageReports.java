package dev.stint.controllers.mirror;

import dev.stint.model.KubeObject;
import java.util.HashSet;
import java.util.Set;

/**
 * The Jobs that say that their worker is away, in the present outage. Each is told once, and once
 * more if it is deleted: another mirror may reach the worker and correct the Job, and two mirrors
 * that contradict each other would never end.
 */
final class OutageReports {
  private record Told(String uid, boolean isDeleted) {
    static Told of(KubeObject job) {
      return new Told(job.uid(), job.deletionTimestamp() != null);
    }
  }

  private final Set<Told> told = new HashSet<>();

  /** Notes that a Job was told. */
  void add(KubeObject job) {
    told.add(Told.of(job));
  }

  /** True if a Job was told since the outage began, and not deleted since. */
  boolean has(KubeObject job) {
    return told.contains(Told.of(job));
  }

  /** Forgets a Job that is gone. */
  void forget(String uid) {
    told.remove(new Told(uid, false));
    told.remove(new Told(uid, true));
  }

  /** Forgets all Jobs, since the outage has ended or another one has begun. */
  void clear() {
    told.clear();
  }
}
