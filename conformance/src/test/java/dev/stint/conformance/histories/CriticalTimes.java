package dev.stint.conformance.histories;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.Timestamps;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/**
 * The times at which the controller may do something by itself. Nothing else should happen near
 * them, so that the order does not depend on milliseconds.
 */
final class CriticalTimes {
  private static final Duration BEFORE = Duration.ofSeconds(6);
  private static final Duration AFTER = Duration.ofMillis(2200);

  private static final Duration CLOSE = Duration.ofMillis(1500);

  /** Kubernetes may have decided this much later than another controller would. */
  private static final Duration SOON = Duration.ofSeconds(4);

  private final NavigableSet<Instant> times = new TreeSet<>();

  /** Records that pods fail now, so that their retries wait. */
  void addFailure(Instant now) {
    for (int seconds = 10; seconds <= 40; seconds *= 2) {
      times.add(now.plusSeconds(seconds));
    }
  }

  /** Records the deadline and the end of the life of a Job. */
  void addLimits(@Nullable KubeObject job) {
    if (job == null) {
      return;
    }
    Long deadline = Json.longInteger(job.spec(), "activeDeadlineSeconds");
    Instant start = Timestamps.parse(Json.text(job.status(), "startTime"));
    if (deadline != null && start != null) {
      times.add(start.plusSeconds(deadline));
    }
    Long life = Json.longInteger(job.spec(), "ttlSecondsAfterFinished");
    Instant end = finished(job);
    if (life != null && life > 0 && end != null) {
      times.add(end.plusSeconds(life));
    }
  }

  private static @Nullable Instant finished(KubeObject job) {
    ArrayNode conditions = Json.arrayAt(job.status(), "conditions");
    if (conditions == null || !RandomActions.isFinished(job)) {
      return null;
    }
    JsonNode last = conditions.get(conditions.size() - 1);
    return Timestamps.parse(Json.text(last, "lastTransitionTime"));
  }

  /** Returns how long to wait before something may happen; zero if it may now. */
  Duration wait(Instant now) {
    Instant free = now;
    for (Instant time : times) {
      if (free.isAfter(time.minus(BEFORE)) && free.isBefore(time.plus(AFTER))) {
        free = time.plus(AFTER);
      }
    }
    return Duration.between(now, free).truncatedTo(ChronoUnit.MILLIS);
  }

  /** True if one of them lies between these times, or close to them. */
  boolean isBetween(Instant from, Instant to) {
    return times.stream()
        .anyMatch(time -> time.isAfter(from.minus(CLOSE)) && time.isBefore(to.plus(SOON)));
  }

  /** Returns how long it takes until the last of them is over, at most a minute. */
  Duration waitForAll(Instant now) {
    Instant last = times.floor(now.plusSeconds(60));
    return last == null || last.plus(AFTER).isBefore(now)
        ? Duration.ZERO
        : Duration.between(now, last.plus(AFTER)).truncatedTo(ChronoUnit.MILLIS);
  }
}
