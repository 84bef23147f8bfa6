package dev.stint.model.job;

import dev.stint.model.ExponentialBackoff;
import dev.stint.model.GoDuration;
import dev.stint.model.KubeObject;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import java.time.Duration;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The options of a Job for Stint's controller, beyond its specification: its annotations (decision
 * 78).
 *
 * @param podFailureBackoff the delay before a failed pod is replaced; null for the controller's
 * @param complaint the fault of the annotation and the remedy, in words that follow its name; null
 *     if there is none
 */
public record JobOptions(
    @Nullable ExponentialBackoff podFailureBackoff, @Nullable String complaint) {
  /** The annotation with the delays of failed pods, such as {@code 1s, max 1m}. */
  public static final String POD_FAILURE_BACKOFF = "stint.dev/pod-failure-backoff";

  private static final JobOptions NONE = new JobOptions(null, null);
  private static final Pattern BACKOFF = Pattern.compile("\\s*(\\S+?)\\s*,\\s*max\\s+(\\S+)\\s*");
  private static final Duration LONGEST = Duration.ofHours(24);

  /** Returns the options of a Job; options with a fault have no other effect. */
  public static JobOptions of(KubeObject job) {
    return parse(job.annotation(POD_FAILURE_BACKOFF));
  }

  /** True if both states of a Job have the same options. */
  public static boolean areSame(KubeObject one, KubeObject other) {
    return Objects.equals(
        one.annotation(POD_FAILURE_BACKOFF), other.annotation(POD_FAILURE_BACKOFF));
  }

  /** Checks the annotations of a Job, or of a template of Jobs. */
  public static void check(FieldPath metadata, FieldErrors faults) {
    FieldPath annotation = metadata.get("annotations").entry(POD_FAILURE_BACKOFF);
    if (annotation.exists()) {
      faults.invalidUnlessSound(annotation, parse(annotation.text()).complaint());
    }
  }

  private static JobOptions parse(@Nullable String text) {
    if (text == null) {
      return NONE;
    }
    Matcher parts = BACKOFF.matcher(text);
    Duration base = parts.matches() ? GoDuration.parse(parts.group(1)) : null;
    Duration max = base == null ? null : GoDuration.parse(parts.group(2));
    if (base == null || max == null) {
      return faulty("needs a delay and a maximum, such as \"1s, max 1m\"");
    }
    return base.isPositive() && base.compareTo(max) <= 0 && max.compareTo(LONGEST) <= 0
        ? new JobOptions(new ExponentialBackoff(base, max), null)
        : faulty("needs a delay above 0s and a maximum from that delay up to 24h");
  }

  private static JobOptions faulty(String complaint) {
    return new JobOptions(null, complaint);
  }
}
