package dev.stint.model.cron;

import dev.stint.model.cron.CronSchedule.FormatException;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.field.MessagePhrases;
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
   * @param before the former specification; null for a new CronJob
   */
  static void check(FieldPath spec, @Nullable FieldPath before, FieldErrors faults) {
    schedule(spec, before, faults);
    FieldPath zone = spec.get("timeZone");
    if (before == null || !before.get("timeZone").sameAs(zone)) {
      timeZone(zone, faults);
    }
    FieldPath policy = spec.get("concurrencyPolicy");
    if (policy.isEmpty()) {
      faults.required(policy, "is required: Allow, Forbid or Replace");
    } else {
      faults.notSupportedUnlessIn(policy, CONCURRENCY_POLICIES);
    }
    COUNTS.forEach(count -> faults.invalidIfNegative(spec.get(count)));
    jobTemplate(spec.get("jobTemplate", "spec"), faults);
  }

  private static void schedule(FieldPath spec, @Nullable FieldPath before, FieldErrors faults) {
    FieldPath schedule = spec.get("schedule");
    if (schedule.isEmpty()) {
      faults.required(schedule, "is required, such as \"30 2 * * *\" or \"@hourly\"");
      return;
    }
    try {
      CronSchedule.parse(schedule.text());
    } catch (FormatException e) {
      faults.invalid(schedule, String.valueOf(e.getMessage()));
    }
    if (namesZone(schedule)) {
      if (before == null || !namesZone(before.get("schedule"))) {
        faults.invalid(schedule, "must not contain TZ or CRON_TZ; use timeZone");
      } else if (spec.get("timeZone").exists()) {
        faults.invalid(schedule, "must not contain TZ or CRON_TZ beside timeZone");
      }
    }
  }

  private static boolean namesZone(FieldPath schedule) {
    return schedule.text().contains("TZ");
  }

  private static void timeZone(FieldPath zone, FieldErrors faults) {
    if (zone.exists() && TimeZones.find(zone.text()) == null) {
      faults.invalid(
          zone,
          zone.isEmpty()
              ? "must name a time zone, such as Europe/Berlin, or be left out"
              : MessagePhrases.quoted(zone.text())
                  + " is not a known time zone; name one like Europe/Berlin");
    }
  }

  private static void jobTemplate(FieldPath spec, FieldErrors faults) {
    JobValidation.templateSpec(spec, faults);
    FieldPath selector = spec.get("selector");
    if (selector.exists()) {
      faults.invalid(selector, "must be left out: each Job is given its own");
    }
    FieldPath manual = spec.get("manualSelector");
    if (manual.isTrue()) {
      faults.notSupported(manual.path(), "must be false or left out: each Job is given its own");
    }
  }
}
