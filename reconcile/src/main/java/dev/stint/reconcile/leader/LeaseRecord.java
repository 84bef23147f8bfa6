package dev.stint.reconcile.leader;

import dev.stint.model.Json;
import dev.stint.model.Timestamps;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * A Lease's {@code spec}.
 *
 * @param holder the identity of the leader; empty for none
 * @param duration the time for which others wait for the holder to renew
 * @param acquired when the holder began to lead, by the holder's clock; null if not given
 * @param renewed when the holder last renewed, by the holder's clock; never compared with another
 *     clock
 * @param transitions the number of changes of the holder
 */
record LeaseRecord(
    String holder,
    Duration duration,
    @Nullable Instant acquired,
    @Nullable Instant renewed,
    int transitions) {
  /** The format of MicroTime: Kubernetes reads exactly six digits. */
  private static final DateTimeFormatter MICROS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

  static LeaseRecord read(@Nullable ObjectNode spec) {
    Integer seconds = Json.integer(spec, "leaseDurationSeconds");
    Integer transitions = Json.integer(spec, "leaseTransitions");
    return new LeaseRecord(
        Objects.requireNonNullElse(Json.text(spec, "holderIdentity"), ""),
        Duration.ofSeconds(seconds == null ? 0 : seconds),
        Timestamps.parse(Json.text(spec, "acquireTime")),
        Timestamps.parse(Json.text(spec, "renewTime")),
        transitions == null ? 0 : transitions);
  }

  /** Returns the {@code spec}, with all other members of {@code before}. */
  ObjectNode write(@Nullable ObjectNode before) {
    ObjectNode spec = before == null ? Json.object() : before.deepCopy();
    spec.put("holderIdentity", holder);
    spec.put("leaseDurationSeconds", (int) duration.toSeconds());
    time(spec, "acquireTime", acquired);
    time(spec, "renewTime", renewed);
    return spec.put("leaseTransitions", transitions);
  }

  private static void time(ObjectNode spec, String member, @Nullable Instant time) {
    if (time != null) {
      spec.put(member, MICROS.format(time));
    }
  }
}
