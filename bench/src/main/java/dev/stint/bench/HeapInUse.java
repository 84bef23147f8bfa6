package dev.stint.bench;

import java.lang.management.ManagementFactory;

/** The heap in use, without garbage. */
final class HeapInUse {
  private HeapInUse() {}

  /** Returns the bytes in use after full collections. */
  static long bytes() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
