package dev.stint.embedded;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Room in the heap, which holds all objects: without it, whoever may create objects could end the
 * server, and its next start.
 */
final class HeapRoom implements BooleanSupplier {
  /** The share of the heap that objects may take. */
  private static final double MOST = 0.8;

  private static final Duration BETWEEN_COLLECTIONS = Duration.ofSeconds(5);

  private final DoubleSupplier used;
  private final DoubleSupplier live;
  private final Runnable collect;
  private final InstantSource clock;
  private Instant nextCollection = Instant.MIN;

  /**
   * @param used the share of the heap in use, garbage included
   * @param live the share that was in use after the last collection
   * @param collect collects garbage
   */
  HeapRoom(DoubleSupplier used, DoubleSupplier live, Runnable collect, InstantSource clock) {
    this.used = used;
    this.live = live;
    this.collect = collect;
    this.clock = clock;
  }

  /** Returns the room in the heap of this process. */
  static HeapRoom ofThisProcess(InstantSource clock) {
    return new HeapRoom(HeapRoom::used, () -> share(OldGeneration.live()), System::gc, clock);
  }

  private static double used() {
    Runtime runtime = Runtime.getRuntime();
    return (double) (runtime.totalMemory() - runtime.freeMemory()) / runtime.maxMemory();
  }

  /** The part of the heap where objects stay. A class of its own, since it takes time to load. */
  private static final class OldGeneration {
    private static final Optional<MemoryPoolMXBean> POOL =
        ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> pool.getType() == MemoryType.HEAP)
            .filter(MemoryPoolMXBean::isCollectionUsageThresholdSupported)
            .max(Comparator.comparingLong(pool -> pool.getUsage().getMax()));

    static @Nullable MemoryUsage live() {
      return POOL.map(MemoryPoolMXBean::getCollectionUsage).orElse(null);
    }
  }

  private static double share(@Nullable MemoryUsage usage) {
    return usage == null || usage.getMax() <= 0 ? 0 : (double) usage.getUsed() / usage.getMax();
  }

  @Override
  public boolean getAsBoolean() {
    if (used.getAsDouble() <= MOST) {
      return true;
    }
    if (isCollectionDue()) {
      collect.run();
    }
    return live.getAsDouble() <= MOST;
  }

  private synchronized boolean isCollectionDue() {
    Instant now = clock.instant();
    boolean due = !now.isBefore(nextCollection);
    if (due) {
      nextCollection = now.plus(BETWEEN_COLLECTIONS);
    }
    return due;
  }
}
