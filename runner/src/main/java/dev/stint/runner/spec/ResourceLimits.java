package dev.stint.runner.spec;

import dev.stint.model.Json;
import dev.stint.model.Quantity;
import java.math.BigDecimal;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The limits of a container, {@code resources.limits}.
 *
 * @param cpuMillis thousandths of a core; null for no limit
 * @param memory bytes; null for no limit
 */
public record ResourceLimits(@Nullable Long cpuMillis, @Nullable Long memory) {
  /** The period of a limit of CPU, in microseconds: a kubelet's. */
  public static final long CPU_PERIOD_MICROS = 100_000;

  /** The least quota that the kernel accepts. */
  private static final long LEAST_QUOTA_MICROS = 1_000;

  /** The largest CPU limit that the kernel accepts (its MAX_BW); no machine has as many cores. */
  private static final long MOST_CPU_MILLIS = ((1L << 44) - 1) / (CPU_PERIOD_MICROS / 1000);

  public static ResourceLimits of(ObjectNode container) {
    ObjectNode limits = Json.objectAt(Json.objectAt(container, "resources"), "limits");
    return new ResourceLimits(amount(limits, "cpu", 1000), amount(limits, "memory", 1));
  }

  public boolean isEmpty() {
    return cpuMillis == null && memory == null;
  }

  /**
   * Returns the CPU time of each period, in microseconds, within what the kernel accepts.
   *
   * @return null for no limit
   */
  public @Nullable Long cpuQuotaMicros() {
    return cpuMillis == null || cpuMillis > MOST_CPU_MILLIS
        ? null
        : Math.max(LEAST_QUOTA_MICROS, cpuMillis * (CPU_PERIOD_MICROS / 1000));
  }

  private static @Nullable Long amount(@Nullable ObjectNode limits, String name, long times) {
    JsonNode found = limits == null ? null : limits.get(name);
    Quantity amount = found == null || found.isNull() ? null : Quantity.parse(found.asString());
    if (amount == null || amount.value().signum() <= 0) {
      return null;
    }
    return amount
        .value()
        .multiply(BigDecimal.valueOf(times))
        .setScale(0, RoundingMode.CEILING)
        .min(BigDecimal.valueOf(Long.MAX_VALUE))
        .longValue();
  }
}
