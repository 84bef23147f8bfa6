package dev.stint.embedded.benchmark;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.List;

/** Measures the resources that this process uses from now on. */
final class ProcessUsage {
  private static final double NANOS = 1e9;

  private final OperatingSystemMXBean system =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
  private final List<MemoryPoolMXBean> heap =
      ManagementFactory.getMemoryPoolMXBeans().stream()
          .filter(pool -> pool.getType() == MemoryType.HEAP)
          .toList();
  private final long cpu = system.getProcessCpuTime();
  private final long start = System.nanoTime();

  ProcessUsage() {
    heap.forEach(MemoryPoolMXBean::resetPeakUsage);
  }

  double wallSeconds() {
    return (System.nanoTime() - start) / NANOS;
  }

  double cpuSeconds() {
    return (system.getProcessCpuTime() - cpu) / NANOS;
  }

  long peakHeapBytes() {
    return heap.stream().mapToLong(pool -> pool.getPeakUsage().getUsed()).sum();
  }
}
