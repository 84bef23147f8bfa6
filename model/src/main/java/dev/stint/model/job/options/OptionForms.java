package dev.stint.model.job.options;

import dev.stint.model.ExponentialBackoff;
import dev.stint.model.GoDuration;
import dev.stint.model.job.after.After;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The forms of the annotations' values. Each method throws an {@link IllegalArgumentException} with
 * a complaint that follows the annotation's name.
 */
final class OptionForms {
  private static final Pattern BACKOFF = Pattern.compile("\\s*(\\S+?)\\s*,\\s*max\\s+(\\S+)\\s*");
  private static final Duration SHORTEST = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofHours(24);

  private OptionForms() {}

  /** Reads delays such as {@code 1s, max 1m}. */
  static ExponentialBackoff backoff(String text) {
    String form = "needs a delay and a maximum, such as \"1s, max 1m\"";
    Matcher parts = BACKOFF.matcher(text);
    require(parts.matches(), form);
    Duration base = duration(parts.group(1), form);
    Duration max = duration(parts.group(2), form);
    require(
        base.isPositive() && base.compareTo(max) <= 0 && max.compareTo(LONGEST) <= 0,
        "needs a delay above 0s and a maximum from that delay up to 24h");
    return new ExponentialBackoff(base, max);
  }

  /** Reads a deadline such as {@code 5m}. */
  static Duration startupDeadline(String text) {
    String form = "needs a duration from 1s up to 24h, such as \"5m\"";
    Duration limit = duration(text.strip(), form);
    require(limit.compareTo(SHORTEST) >= 0 && limit.compareTo(LONGEST) <= 0, form);
    return limit;
  }

  /** Reads {@code true} or {@code false}. */
  static Boolean yesOrNo(String text) {
    require(text.equals("true") || text.equals("false"), "needs \"true\" or \"false\"");
    return text.equals("true");
  }

  /** Reads {@code true} or {@code false} for a Job whose containers restart in their pods. */
  static Boolean restartsPerIndex(String text, JobShape job) {
    require(
        job.perIndex() && job.restarts(),
        "needs spec.backoffLimitPerIndex and restartPolicy OnFailure");
    return yesOrNo(text);
  }

  /** Reads the Jobs after which a Job starts; only one with indexes starts index by index. */
  static After after(String text, JobShape job) {
    After after = After.parse(text);
    require(!after.isByIndex() || job.indexed(), "needs completionMode Indexed for =index");
    return after;
  }

  private static Duration duration(String text, String complaint) {
    Duration duration = GoDuration.parse(text);
    if (duration == null) {
      throw new IllegalArgumentException(complaint);
    }
    return duration;
  }

  static void require(boolean sound, String complaint) {
    if (!sound) {
      throw new IllegalArgumentException(complaint);
    }
  }
}
