package dev.stint.runner.spec;

import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongBinaryOperator;

/**
 * An amount of the resources that pods share: cpu, memory, and countable devices.
 *
 * @param milliCpu thousandths of a core
 * @param devices the number of devices by the name of their resource
 */
public record ResourceAmount(long milliCpu, long memoryBytes, Map<String, Long> devices) {
  public static final ResourceAmount NONE = new ResourceAmount(0, 0);

  /** More than any pod can request, of every resource. */
  public static final ResourceAmount UNLIMITED = new ResourceAmount(Long.MAX_VALUE, Long.MAX_VALUE);

  /** Creates an amount without devices. */
  public ResourceAmount(long milliCpu, long memoryBytes) {
    this(milliCpu, memoryBytes, Map.of());
  }

  /** Returns this machine's cpu and memory, or the part that this program is allowed to see. */
  public static ResourceAmount ofThisMachine() {
    return Here.ALL;
  }

  /** Returns this amount with other devices. */
  public ResourceAmount withDevices(Map<String, Long> others) {
    return new ResourceAmount(milliCpu, memoryBytes, others);
  }

  /** Returns the number of devices of a resource. */
  public long devicesOf(String name) {
    return milliCpu == Long.MAX_VALUE ? Long.MAX_VALUE : devices.getOrDefault(name, 0L);
  }

  /** Returns the sum; saturates at the largest number. */
  public ResourceAmount plus(ResourceAmount other) {
    return with(other, ResourceAmount::sum);
  }

  /** Returns the difference. What is unlimited stays so. */
  public ResourceAmount minus(ResourceAmount other) {
    return with(other, (own, less) -> own == Long.MAX_VALUE ? own : own - less);
  }

  /** Returns the larger of both, for each resource. */
  ResourceAmount max(ResourceAmount other) {
    return with(other, Math::max);
  }

  private ResourceAmount with(ResourceAmount other, LongBinaryOperator each) {
    return new ResourceAmount(
        each.applyAsLong(milliCpu, other.milliCpu),
        each.applyAsLong(memoryBytes, other.memoryBytes),
        devices(other, each));
  }

  private Map<String, Long> devices(ResourceAmount other, LongBinaryOperator each) {
    if (devices.isEmpty() && other.devices.isEmpty()) {
      return Map.of();
    }
    Map<String, Long> all = new HashMap<>(devices);
    other.devices.keySet().forEach(name -> all.putIfAbsent(name, 0L));
    all.replaceAll((name, own) -> each.applyAsLong(own, other.devices.getOrDefault(name, 0L)));
    return Map.copyOf(all);
  }

  /** True if this amount fits into another one. A resource that is not requested always fits. */
  public boolean fitsInto(ResourceAmount free) {
    return (milliCpu == 0 || milliCpu <= free.milliCpu)
        && (memoryBytes == 0 || memoryBytes <= free.memoryBytes)
        && devices.entrySet().stream()
            .allMatch(entry ->
                entry.getValue() == 0 || entry.getValue() <= free.devicesOf(entry.getKey()));
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
