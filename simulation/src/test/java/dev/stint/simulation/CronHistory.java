package dev.stint.simulation;

import dev.stint.model.KubeObject;
import dev.stint.model.Timestamps;
import dev.stint.model.job.JobCondition;
import dev.stint.model.job.JobStatus;
import dev.stint.store.StoreEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The durable Jobs of CronJobs, and how much is stored. */
final class CronHistory {
  private static final String DUE = "batch.kubernetes.io/cronjob-scheduled-timestamp";

  private final Map<String, SortedMap<Instant, Instant>> starts = new HashMap<>();
  private final Map<String, String> outcomes = new HashMap<>();
  private final List<String> repeated = new ArrayList<>();
  private long events;
  private long others;
  private long bytes;

  void onEvent(StoreEvent event) {
    int more = (event.after() == null ? 0 : 1) - (event.before() == null ? 0 : 1);
    events += event.key().contains("/events/") ? more : 0;
    others += event.key().contains("/events/") ? 0 : more;
    bytes += event.after() == null ? 0 : event.after().length();
    bytes -= event.before() == null ? 0 : event.before().length();
    if (event.after() != null && event.key().contains("/jobs/")) {
      KubeObject job = KubeObject.of(event.after().value(), Long.toString(event.revision()));
      if (event.before() == null) {
        onCreated(job);
      }
      noteOutcome(job);
    }
  }

  private void onCreated(KubeObject job) {
    String cronJob = job.name().substring(0, job.name().lastIndexOf('-'));
    Instant due = Timestamps.parse(job.annotation(DUE));
    Instant before =
        starts.computeIfAbsent(cronJob, _ -> new TreeMap<>()).put(due, job.creationTimestamp());
    if (before != null) {
      repeated.add(job.name());
    }
  }

  private void noteOutcome(KubeObject job) {
    JobStatus status = JobStatus.read(job.status());
    for (String outcome : List.of(JobCondition.COMPLETE, JobCondition.FAILED)) {
      if (status.isTrue(outcome)) {
        outcomes.put(job.name(), outcome);
      }
    }
  }

  /** Returns when the Jobs of a CronJob were created, by the time at which they were due. */
  SortedMap<Instant, Instant> starts(String cronJob) {
    return starts.getOrDefault(cronJob, new TreeMap<>());
  }

  /** Returns the names of Jobs that were created more than once. */
  List<String> repeated() {
    return repeated;
  }

  /** Returns how a Job ended; null if it did not. */
  @Nullable String outcome(String job) {
    return outcomes.get(job);
  }

  /** Returns the number of stored events. */
  long events() {
    return events;
  }

  /** Returns the number of stored objects besides events. */
  long others() {
    return others;
  }

  /** Returns the bytes of all values. */
  long bytes() {
    return bytes;
  }
}
