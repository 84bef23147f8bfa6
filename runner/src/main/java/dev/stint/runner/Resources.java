package dev.stint.runner;

import java.lang.management.ManagementFactory;

/**
 * An amount of what pods share a machine by.
 *
 * @param milliCpu thousandths of a core
 */
public record Resources(long milliCpu, long memoryBytes) {
  public static final Resources NONE = new Resources(0, 0);

  /** More than anybody can ask for. */
  public static final Resources UNLIMITED = new Resources(Long.MAX_VALUE, Long.MAX_VALUE);

  /** What this machine has, or as much of it as this program is allowed to see. */
  public static Resources ofThisMachine() {
    return Here.ALL;
  }

  /** The sum; what is too large for a number stays at the largest. */
  public Resources plus(Resources other) {
    return new Resources(sum(milliCpu, other.milliCpu), sum(memoryBytes, other.memoryBytes));
  }

  public Resources minus(Resources other) {
    return new Resources(milliCpu - other.milliCpu, memoryBytes - other.memoryBytes);
  }

  /** The larger of both, for each resource. */
  public Resources max(Resources other) {
    return new Resources(
        Math.max(milliCpu, other.milliCpu), Math.max(memoryBytes, other.memoryBytes));
  }

  /** Whether this much can be had of another amount. What is not asked for always can. */
  public boolean fitsInto(Resources free) {
    return (milliCpu == 0 || milliCpu <= free.milliCpu)
        && (memoryBytes == 0 || memoryBytes <= free.memoryBytes);
  }

  private static long sum(long one, long other) {
    long sum = one + other;
    return sum < 0 ? Long.MAX_VALUE : sum;
  }

  /** Asked for once, as it does not change. */
  private static final class Here {
    static final Resources ALL =
        new Resources(1000L * java.lang.Runtime.getRuntime().availableProcessors(), memory());

    private static long memory() {
      return ManagementFactory.getOperatingSystemMXBean()
              instanceof com.sun.management.OperatingSystemMXBean machine
          ? machine.getTotalMemorySize()
          : java.lang.Runtime.getRuntime().maxMemory();
    }
  }
}
