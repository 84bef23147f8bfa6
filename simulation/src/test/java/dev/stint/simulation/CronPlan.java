package dev.stint.simulation;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A CronJob, and an oracle that knows from its documentation which Jobs it starts and when. It
 * counts minutes, and knows nothing of how schedules are read.
 *
 * @param isDue the meaning of the schedule, in local time
 * @param deadline the longest delay of a start; null for any
 * @param takes the time from the start of a Job to its end
 * @param limits more fields of the CronJob and of its Jobs
 */
record CronPlan(
    String name,
    String schedule,
    ZoneId zone,
    Predicate<ZonedDateTime> isDue,
    Policy policy,
    @Nullable Duration deadline,
    Duration takes,
    Limits limits) {

  /** The way of a Job that is due while another one runs. */
  enum Policy {
    Allow,
    Forbid,
    Replace
  }

  /**
   * How many Jobs stay after their end.
   *
   * @param timeToLive null for no limit of time
   * @param fails true if all Jobs fail
   */
  record Limits(int successful, int failed, @Nullable Duration timeToLive, boolean fails) {}

  /** A time without a process. */
  record Downtime(Instant from, Instant to) {}

  String manifest() {
    return """
    {"apiVersion": "batch/v1", "kind": "CronJob", "metadata": {"name": "%s"}, "spec": {
     "schedule": "%s", "timeZone": "%s", "concurrencyPolicy": "%s", %s
     "successfulJobsHistoryLimit": %d, "failedJobsHistoryLimit": %d,
     "jobTemplate": {"spec": {%s "backoffLimit": 0, "template": {"spec": {"restartPolicy": "Never",
     "containers": [{"name": "main", "image": "none", "command": ["w"]}]}}}}}}
    """
        .formatted(
            name,
            schedule,
            zone,
            policy,
            field("startingDeadlineSeconds", deadline),
            limits.successful(),
            limits.failed(),
            field("ttlSecondsAfterFinished", limits.timeToLive()));
  }

  private static String field(String name, @Nullable Duration value) {
    return value == null ? "" : "\"%s\": %d,".formatted(name, value.toSeconds());
  }

  /**
   * Returns when each Job starts, by the time at which it is due. A start waits until there is a
   * process and, with the policy Forbid, until the Job before it has ended. It never happens if
   * that takes until the next Job is due, or beyond the deadline.
   *
   * @param created when the CronJob was created
   */
  SortedMap<Instant, Instant> starts(Instant created, Instant end, List<Downtime> downtimes) {
    SortedMap<Instant, Instant> starts = new TreeMap<>();
    List<Instant> due = due(created, end);
    Instant free = created;
    for (int i = 0; i < due.size(); i++) {
      Instant next = i + 1 < due.size() ? due.get(i + 1) : Instant.MAX;
      Instant earliest = policy == Policy.Forbid && free.isAfter(due.get(i)) ? free : due.get(i);
      Instant start = up(earliest, downtimes);
      boolean isLate = deadline != null && start.isAfter(due.get(i).plus(deadline));
      if (start.isBefore(next) && start.isBefore(end) && !isLate) {
        starts.put(due.get(i), start);
        free = up(start.plus(takes), downtimes);
      }
    }
    return starts;
  }

  private List<Instant> due(Instant after, Instant end) {
    List<Instant> due = new ArrayList<>();
    Duration minute = Duration.ofMinutes(1);
    Stream.iterate(after.plus(minute), each -> !each.isAfter(end), each -> each.plus(minute))
        .filter(each -> isDue.test(each.atZone(zone)))
        .forEach(due::add);
    return due;
  }

  /** Returns the first time from this one on at which there is a process. */
  private static Instant up(Instant time, List<Downtime> downtimes) {
    return downtimes.stream()
        .filter(each -> !time.isBefore(each.from()) && time.isBefore(each.to()))
        .map(Downtime::to)
        .findFirst()
        .orElse(time);
  }
}
