package dev.stint.runner.spec;

import dev.stint.model.Json;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * One probe of a container ("Configure Liveness, Readiness and Startup Probes").
 *
 * @param successThreshold the number of successes in a row that make it pass
 * @param failureThreshold the number of failures in a row that make it fail
 * @param graceSeconds the grace period of a container that this probe ends; null for the pod's
 */
public record ProbeSpec(
    Handler handler,
    Duration initialDelay,
    Duration period,
    Duration timeout,
    int successThreshold,
    int failureThreshold,
    @Nullable Long graceSeconds) {
  /**
   * Reads a probe.
   *
   * @param member such as {@code livenessProbe}
   * @return null if the container has none
   */
  public static @Nullable ProbeSpec of(ObjectNode container, String member) {
    ObjectNode probe = Json.objectAt(container, member);
    Handler handler = Handler.of(probe, container);
    if (handler == null) {
      return null;
    }
    return new ProbeSpec(
        handler,
        Duration.ofSeconds(number(probe, "initialDelaySeconds", 0, 0)),
        Duration.ofSeconds(number(probe, "periodSeconds", 1, 10)),
        Duration.ofSeconds(number(probe, "timeoutSeconds", 1, 1)),
        number(probe, "successThreshold", 1, 1),
        number(probe, "failureThreshold", 1, 3),
        Json.longInteger(probe, "terminationGracePeriodSeconds"));
  }

  private static int number(@Nullable ObjectNode probe, String member, int least, int otherwise) {
    Integer given = Json.integer(probe, member);
    return given == null || given < least ? otherwise : given;
  }
}
