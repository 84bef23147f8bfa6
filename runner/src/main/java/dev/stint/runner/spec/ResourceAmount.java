package dev.stint.runner.spec;

import java.lang.management.ManagementFactory;

/**
 * An amount of the resources that pods share: cpu and memory.
 *
 * @param milliCpu thousandths of a core
 */
public record ResourceAmount(long milliCpu, long memoryBytes) {
  public static final ResourceAmount NONE = new ResourceAmount(0, 0);

  /** More than any pod can request. */
  public static final ResourceAmount UNLIMITED = new ResourceAmount(Long.MAX_VALUE, Long.MAX_VALUE);

  /** Returns this machine's resources, or the part that this program is allowed to see. */
  public static ResourceAmount ofThisMachine() {
    return Here.ALL;
  }

  /** Returns the sum; saturates at the largest number. */
  public ResourceAmount plus(ResourceAmount other) {
    return new ResourceAmount(sum(milliCpu, other.milliCpu), sum(memoryBytes, other.memoryBytes));
  }

  public ResourceAmount minus(ResourceAmount other) {
    return new ResourceAmount(milliCpu - other.milliCpu, memoryBytes - other.memoryBytes);
  }

  /** Returns the larger of both, for each resource. */
  ResourceAmount max(ResourceAmount other) {
    return new ResourceAmount(
        Math.max(milliCpu, other.milliCpu), Math.max(memoryBytes, other.memoryBytes));
  }

  /** True if this amount fits into another one. A resource that is not requested always fits. */
  public boolean fitsInto(ResourceAmount free) {
    return (milliCpu == 0 || milliCpu <= free.milliCpu)
        && (memoryBytes == 0 || memoryBytes <= free.memoryBytes);
  }

  private static long sum(long one, long other) {
    long sum = one + other;
    return sum < 0 ? Long.MAX_VALUE : sum;
  }

  /** Computed once, since it does not change. */
  private static final class Here {
    static final ResourceAmount ALL =
        new ResourceAmount(1000L * java.lang.Runtime.getRuntime().availableProcessors(), memory());

    private static long memory() {
      return ManagementFactory.getOperatingSystemMXBean()
              instanceof com.sun.management.OperatingSystemMXBean machine
          ? machine.getTotalMemorySize()
          : java.lang.Runtime.getRuntime().maxMemory();
    }
  }
}
