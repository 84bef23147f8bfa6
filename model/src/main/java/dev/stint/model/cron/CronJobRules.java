package dev.stint.model.cron;

import dev.stint.model.cron.CronSchedule.FormatException;
import dev.stint.model.field.At;
import dev.stint.model.field.Faults;
import dev.stint.model.field.Words;
import dev.stint.model.job.JobValidation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rules of a CronJob's {@code spec}. */
final class CronJobRules {
  private static final List<String> CONCURRENCY_POLICIES = List.of("Allow", "Forbid", "Replace");
  private static final List<String> COUNTS =
      List.of("startingDeadlineSeconds", "successfulJobsHistoryLimit", "failedJobsHistoryLimit");

  private CronJobRules() {}

  /**
   * @param before the specification to be replaced; null for a new CronJob
   */
  static void check(At spec, @Nullable At before, Faults faults) {
    schedule(spec, before, faults);
    At zone = spec.get("timeZone");
    if (before == null || !before.get("timeZone").sameAs(zone)) {
      timeZone(zone, faults);
    }
    At policy = spec.get("concurrencyPolicy");
    if (policy.isEmpty()) {
      faults.required(policy, "is needed: Allow, Forbid or Replace");
    } else {
      faults.notSupportedUnlessIn(policy, CONCURRENCY_POLICIES);
    }
    COUNTS.forEach(count -> faults.invalidIfNegative(spec.get(count)));
    jobTemplate(spec.get("jobTemplate", "spec"), faults);
  }

  private static void schedule(At spec, @Nullable At before, Faults faults) {
    At schedule = spec.get("schedule");
    if (schedule.isEmpty()) {
      faults.required(schedule, "is needed, such as \"30 2 * * *\" or \"@hourly\"");
      return;
    }
    try {
      CronSchedule.parse(schedule.text());
    } catch (FormatException e) {
      faults.invalid(schedule, String.valueOf(e.getMessage()));
    }
    if (namesZone(schedule)) {
      if (before == null || !namesZone(before.get("schedule"))) {
        faults.invalid(schedule, "must not hold TZ or CRON_TZ; use timeZone");
      } else if (spec.get("timeZone").exists()) {
        faults.invalid(schedule, "must not hold TZ or CRON_TZ beside timeZone");
      }
    }
  }

  private static boolean namesZone(At schedule) {
    return schedule.text().contains("TZ");
  }

  private static void timeZone(At zone, Faults faults) {
    if (zone.exists() && TimeZones.find(zone.text()) == null) {
      faults.invalid(
          zone,
          zone.isEmpty()
              ? "must name a time zone, such as Europe/Berlin, or be left out"
              : Words.quoted(zone.text()) + " is no known time zone; name one like Europe/Berlin");
    }
  }

  private static void jobTemplate(At spec, Faults faults) {
    JobValidation.templateSpec(spec, faults);
    At selector = spec.get("selector");
    if (selector.exists()) {
      faults.invalid(selector, "must be left out: each Job is given its own");
    }
    At manual = spec.get("manualSelector");
    if (manual.isTrue()) {
      faults.notSupported(manual.path(), "must be false or left out: each Job is given its own");
    }
  }
}
