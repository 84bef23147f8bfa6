package dev.stint.cli.serve;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import javax.management.NotificationEmitter;

/**
 * Collects the whole heap whenever its old generation has grown by a third: the serial collector
 * lets that grow up to its limit first, full of what requests have left (decision 102).
 */
final class SmallHeap {
  /** The least growth, in bytes, that is worth a collection. */
  private static final long LEAST_GROWTH = 12 << 20;

  /** The old generation of the serial collector; other collectors need no help. */
  private static final String OLD = "Tenured Gen";

  private SmallHeap() {}

  /** Begins with it, for this process. */
  static void keep() {
    ManagementFactory.getMemoryPoolMXBeans().stream()
        .filter(pool -> pool.getName().equals(OLD) && pool.getUsage().getMax() > 0)
        .forEach(SmallHeap::keep);
  }

  private static void keep(MemoryPoolMXBean old) {
    NotificationEmitter memory = (NotificationEmitter) ManagementFactory.getMemoryMXBean();
    memory.addNotificationListener((_, _) -> collect(old), null, null);
    old.setUsageThreshold(threshold(old.getUsage().getUsed(), old.getUsage().getMax()));
  }

  private static void collect(MemoryPoolMXBean old) {
    System.gc();
    old.setUsageThreshold(threshold(old.getUsage().getUsed(), old.getUsage().getMax()));
  }

  /**
   * Returns the use of the old generation from which on it is collected.
   *
   * @param live the bytes that a collection has left
   * @param most the most bytes that it may have
   */
  static long threshold(long live, long most) {
    return Math.min(live + Math.max(live / 3, LEAST_GROWTH), most);
  }
}
