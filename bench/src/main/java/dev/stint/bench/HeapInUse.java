package dev.stint.bench;

import java.lang.management.ManagementFactory;

/** What is on the heap and not garbage. */
final class HeapInUse {
  private HeapInUse() {}

  /** In bytes, after full collections. */
  static long bytes() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
