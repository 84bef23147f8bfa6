package dev.stint.simulation;

import dev.stint.cluster.ClusterRequest;
import dev.stint.cluster.ClusterRequest.Verb;
import dev.stint.controllers.gc.OwnerReference;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.Timestamps;
import dev.stint.model.job.JobCondition;
import dev.stint.model.job.JobStatus;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The laws of CronJobs (Kubernetes documentation, CronJob), whose schedules are all of the form
 * {@code *}{@code /N * * * *}. They count minutes, and know nothing of how schedules are read.
 */
final class CronLaws {
  private static final String DUE = "batch.kubernetes.io/cronjob-scheduled-timestamp";

  /** What is known of a CronJob. */
  private static final class Cron {
    private KubeObject object;
    private boolean gone;

    /** The last time at which it was not suspended. */
    private Instant lastOn = Instant.MIN;

    /** When the controller last asked for it. */
    private Instant asked = Instant.MIN;

    /** The uids of its Jobs, even if they are gone. */
    private final Set<String> own = new HashSet<>();

    /** How its Jobs ended, by uid. */
    private final Map<String, Run> ended = new HashMap<>();

    private Cron(KubeObject object) {
      this.object = object;
    }

    private boolean isSuspended() {
      return Boolean.TRUE.equals(Json.bool(object.spec(), "suspend"));
    }

    private String policy() {
      return Objects.requireNonNullElse(Json.text(object.spec(), "concurrencyPolicy"), "");
    }

    private Duration period() {
      String schedule = String.valueOf(Json.text(object.spec(), "schedule"));
      return Duration.ofMinutes(Long.parseLong(schedule.substring(2, schedule.indexOf(' '))));
    }

    private boolean isDue(Instant time) {
      return time.getEpochSecond() % period().toSeconds() == 0 && time.getNano() == 0;
    }

    /** Returns the first due time after this one. */
    private Instant after(Instant time) {
      return latest(time).plus(period());
    }

    /** Returns the last due time up to this one. */
    private Instant latest(Instant time) {
      long period = period().toSeconds();
      return Instant.ofEpochSecond(time.getEpochSecond() / period * period);
    }

    private Instant created() {
      return Objects.requireNonNull(object.creationTimestamp());
    }

    private @Nullable Instant lastSchedule() {
      return time("lastScheduleTime");
    }

    private @Nullable Instant lastSuccess() {
      return time("lastSuccessfulTime");
    }

    private @Nullable Instant time(String member) {
      return Timestamps.parse(Json.text(object.status(), member));
    }

    private int limit(boolean succeeded) {
      String name = succeeded ? "successfulJobsHistoryLimit" : "failedJobsHistoryLimit";
      return Objects.requireNonNull(Json.integer(object.spec(), name));
    }
  }

  /** The end of a Job. */
  private record Run(boolean succeeded, @Nullable Instant completed, Instant begun, Instant due) {
    boolean isNotOlder(Run other) {
      return !begun.isBefore(other.begun) || due.isAfter(other.due);
    }
  }

  private final Map<String, Cron> crons = new LinkedHashMap<>();

  /** The CronJobs that made them, by the uids of Jobs, even of those that were taken from them. */
  private final Map<String, Cron> makers = new HashMap<>();

  /** The stored Jobs that CronJobs made, by uid. */
  private final Map<String, KubeObject> jobs = new HashMap<>();

  /** The uids of Jobs that the controller may delete, as far as it has asked for that. */
  private final Set<String> deletable = new HashSet<>();

  private @Nullable InstantSource clock;

  void begin(InstantSource clockOfProcess) {
    clock = clockOfProcess;
  }

  private Instant now() {
    return clock == null ? SimulatedSystem.START : clock.instant();
  }

  /**
   * Checks what the controller asks for; returns what is wrong with it. It decides on starts by the
   * CronJob that it has asked for last, at that time or later, and on deletions by what it knows.
   */
  @Nullable String onRequest(ClusterRequest request) {
    if (request.verb() == Verb.GET && request.ref().kind().equals(Kind.CRON_JOB)) {
      crons.values().stream()
          .filter(cron -> !cron.gone && cron.object.ref().equals(request.ref()))
          .forEach(cron -> cron.asked = now());
    } else if (request.verb() == Verb.DELETE) {
      jobs.values().stream()
          .filter(job -> job.ref().equals(request.ref()) && mayDelete(job))
          .forEach(job -> deletable.add(job.uid()));
    } else if (request.verb() == Verb.CREATE && request.ref().kind().equals(Kind.JOB)) {
      KubeObject job = KubeObject.of(Objects.requireNonNull(request.body()));
      Cron cron = cronOf(job);
      return cron == null ? null : wrongTime(cron, due(job));
    }
    return null;
  }

  private static @Nullable String wrongTime(Cron cron, Instant due) {
    Integer deadline = Json.integer(cron.object.spec(), "startingDeadlineSeconds");
    if (!cron.after(due).isAfter(cron.asked)) {
      return "is to start for " + due + ", and was due later, too";
    }
    return deadline != null && cron.asked.isAfter(due.plusSeconds(deadline))
        ? "is to start for " + due + " after its deadline"
        : null;
  }

  /** Checks a durable change; returns what is wrong with it. */
  @Nullable String changed(@Nullable KubeObject before, @Nullable KubeObject after) {
    KubeObject any = Objects.requireNonNull(after == null ? before : after);
    if (any.kind().equals(Kind.CRON_JOB)) {
      return onCronJob(before, after);
    }
    return any.kind().equals(Kind.JOB) ? onJob(before, after) : null;
  }

  private @Nullable String onJob(@Nullable KubeObject before, @Nullable KubeObject after) {
    if (before != null && after == null) {
      jobs.remove(before.uid());
    }
    if (after == null) {
      return null;
    }
    jobs.computeIfPresent(after.uid(), (_, _) -> after);
    Cron cron = cronOf(after);
    if (cron == null) {
      return null;
    }
    String wrong = before == null && !cron.gone ? wrongStart(cron, due(after)) : null;
    if (before == null && !OwnerReference.of(after).stream().allMatch(OwnerReference::blocks)) {
      wrong = "does not block its CronJob";
    }
    jobs.put(after.uid(), after);
    cron.own.add(after.uid());
    makers.put(after.uid(), cron);
    noteEnd(cron, after);
    return wrong;
  }

  private @Nullable Cron cronOf(KubeObject job) {
    return job.annotation(DUE) == null ? null : crons.get(String.valueOf(job.controllerUid()));
  }

  private @Nullable String onCronJob(@Nullable KubeObject before, @Nullable KubeObject after) {
    if (after == null) {
      crons.get(Objects.requireNonNull(before).uid()).gone = true;
      return null;
    }
    Cron cron = crons.computeIfAbsent(after.uid(), _ -> new Cron(after));
    Instant last = cron.lastSchedule();
    Instant success = cron.lastSuccess();
    if (!cron.isSuspended()) {
      cron.lastOn = now();
    }
    cron.object = after;
    for (JsonNode active : after.tree().at("/status/active")) {
      if (!cron.own.contains(active.path("uid").asString(""))) {
        return "has a Job that is not its own: " + active;
      }
    }
    if (goesBack(last, cron.lastSchedule())) {
      return "was started last at " + last + " and later at " + cron.lastSchedule();
    }
    return wrongSuccess(cron, success);
  }

  private static boolean goesBack(@Nullable Instant before, @Nullable Instant after) {
    return before != null && (after == null || after.isBefore(before));
  }

  private static @Nullable String wrongSuccess(Cron cron, @Nullable Instant before) {
    Instant now = cron.lastSuccess();
    if (goesBack(before, now)) {
      return "had its last success at " + before + " and later at " + now;
    }
    return now != null && cron.ended.values().stream().noneMatch(run -> now.equals(run.completed()))
        ? "had no success at " + now
        : null;
  }

  private void noteEnd(Cron cron, KubeObject job) {
    JobStatus status = JobStatus.read(job.status());
    if (status.isTrue(JobCondition.COMPLETE) || status.isTrue(JobCondition.FAILED)) {
      cron.ended.computeIfAbsent(
          job.uid(),
          _ ->
              new Run(
                  status.isTrue(JobCondition.COMPLETE),
                  status.isTrue(JobCondition.COMPLETE) ? status.completionTime() : null,
                  Objects.requireNonNullElse(status.startTime(), job.creationTimestamp()),
                  due(job)));
    }
  }

  private static Instant due(KubeObject job) {
    return Objects.requireNonNull(Timestamps.parse(job.annotation(DUE)));
  }

  private @Nullable String wrongStart(Cron cron, Instant due) {
    Instant last = cron.lastSchedule();
    Instant on = cron.isSuspended() ? cron.lastOn : now();
    if (!cron.isDue(due) || due.isAfter(now()) || !due.isAfter(cron.created())) {
      return "is started though it was not due at " + due;
    } else if (last != null && !due.isAfter(last)) {
      return "is started for " + due + " after " + last;
    } else if (on.isBefore(due) && on.isBefore(cron.asked)) {
      return "is started while it is suspended";
    }
    return besides(cron);
  }

  /** Only with the policy Allow a Job runs beside another one. */
  private @Nullable String besides(Cron cron) {
    boolean replaces = cron.policy().equals("Replace");
    return cron.policy().equals("Allow")
        ? null
        : unfinished(cron)
            .filter(job -> !replaces || job.deletionTimestamp() == null)
            .findFirst()
            .map(job -> "is started beside " + job + ", with the policy " + cron.policy())
            .orElse(null);
  }

  private Stream<KubeObject> jobsOf(Cron cron) {
    return jobs.values().stream().filter(job -> cron.object.uid().equals(job.controllerUid()));
  }

  private Stream<KubeObject> unfinished(Cron cron) {
    return jobsOf(cron).filter(job -> !cron.ended.containsKey(job.uid()));
  }

  /** True if the controller has asked for a deletion to which it had a right. */
  boolean isDeletable(KubeObject job) {
    return deletable.contains(job.uid());
  }

  /** True if a Job may be deleted for a later one, or as one of too many. */
  private boolean mayDelete(KubeObject job) {
    Cron cron = Objects.requireNonNull(makers.get(job.uid()));
    // The controller may not know yet that the Job has ended, or was taken from it.
    boolean isReplaced = cron.policy().equals("Replace") && !cron.after(due(job)).isAfter(now());
    Run run = cron.ended.get(job.uid());
    return isReplaced || run != null && isSurplus(cron, run);
  }

  /** True if enough others have ended likewise that are not older. */
  private static boolean isSurplus(Cron cron, Run run) {
    long others =
        cron.ended.values().stream()
            .filter(each -> each != run && each.succeeded() == run.succeeded())
            .filter(each -> each.isNotOlder(run))
            .count();
    return others >= cron.limit(run.succeeded());
  }

  /** Returns the CronJobs that exist. */
  Stream<KubeObject> stored() {
    return crons.values().stream().filter(cron -> !cron.gone).map(cron -> cron.object);
  }

  /**
   * Returns what was not started though nothing has kept it from that. A deadline may have.
   *
   * @param since the time from which on nothing has failed
   */
  @Nullable String missed(Instant since) {
    for (Cron cron : crons.values()) {
      Instant due = cron.latest(now());
      Instant last = cron.lastSchedule();
      boolean isLate = last == null || last.isBefore(due);
      if (isLate && due.isAfter(since) && due.isAfter(cron.created()) && mayStart(cron)) {
        return cron.object + " was due at " + due + " and was started last at " + last;
      }
    }
    return null;
  }

  private boolean mayStart(Cron cron) {
    boolean isFree = !cron.policy().equals("Forbid") || unfinished(cron).findAny().isEmpty();
    boolean isOn = !cron.gone && !cron.isSuspended() && cron.object.deletionTimestamp() == null;
    return isOn && isFree && Json.integer(cron.object.spec(), "startingDeadlineSeconds") == null;
  }

  /** Returns what is wrong once nothing changes any more. */
  @Nullable String atEnd() {
    for (Cron cron : crons.values()) {
      if (cron.gone) {
        continue;
      }
      if (!cron.object.tree().at("/status/active").isEmpty() || unfinished(cron).count() > 0) {
        return cron.object + " is active for ever";
      }
      Instant last = cron.lastSuccess();
      for (KubeObject job : jobsOf(cron).toList()) {
        Instant completed = cron.ended.get(job.uid()).completed();
        if (completed != null && (last == null || last.isBefore(completed))) {
          return cron.object + " does not know the success of " + job;
        }
      }
      for (boolean succeeded : new boolean[] {true, false}) {
        long kept =
            jobsOf(cron).filter(job -> cron.ended.get(job.uid()).succeeded() == succeeded).count();
        if (kept > cron.limit(succeeded)) {
          return cron.object + " keeps " + kept + " Jobs";
        }
      }
    }
    return null;
  }
}
