package dev.stint.embedded;

import dev.stint.apiserver.ObjectRoom;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Room in the heap, which holds all objects: without it, whoever may create objects could end the
 * server, and its next start.
 */
final class HeapRoom implements Supplier<ObjectRoom> {
  /** The share of the heap that objects may take. */
  static final double MOST = 0.8;

  /** The share of the heap that one namespace may fill, so that others have the rest. */
  static final double MOST_OF_ONE = 0.72;

  /** A collection stops all that goes on, for a second in a large heap. */
  private static final Duration BETWEEN_COLLECTIONS = Duration.ofMinutes(1);

  private final double scarceFrom;
  private final DoubleSupplier used;
  private final DoubleSupplier live;
  private final Runnable forget;
  private final Runnable collect;
  private final InstantSource clock;
  private Instant nextCollection = Instant.MIN;

  /**
   * @param scarceFrom the share of used heap above which room is scarce; {@link #MOST} if it never
   *     is, but ends at once
   * @param used the share of the heap in use, garbage included
   * @param live the share that was in use after the last collection
   * @param forget clears the caches
   * @param collect collects garbage
   */
  HeapRoom(
      double scarceFrom,
      DoubleSupplier used,
      DoubleSupplier live,
      Runnable forget,
      Runnable collect,
      InstantSource clock) {
    this.scarceFrom = scarceFrom;
    this.used = used;
    this.live = live;
    this.forget = forget;
    this.collect = collect;
    this.clock = clock;
  }

  /**
   * Returns the room in the heap of this process.
   *
   * @param scarceFrom the share of used heap above which room is scarce
   * @param forget clears the caches
   */
  static HeapRoom ofThisProcess(double scarceFrom, InstantSource clock, Runnable forget) {
    long most = Runtime.getRuntime().maxMemory();
    return new HeapRoom(
        scarceFrom, HeapRoom::used, () -> share(Pools.live(), most), forget, System::gc, clock);
  }

  private static double used() {
    Runtime runtime = Runtime.getRuntime();
    return (double) (runtime.totalMemory() - runtime.freeMemory()) / runtime.maxMemory();
  }

  /** The parts of the heap. A class of its own, since it takes time to load. */
  private static final class Pools {
    private static final List<MemoryPoolMXBean> HEAP =
        ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> pool.getType() == MemoryType.HEAP)
            .toList();

    static Stream<MemoryUsage> live() {
      return HEAP.stream().map(MemoryPoolMXBean::getCollectionUsage).filter(Objects::nonNull);
    }
  }

  /**
   * Returns the share of the whole heap that its parts use. Collectors divide the heap in their own
   * ways, and objects stay in any part while the one for old objects is full.
   */
  static double share(Stream<MemoryUsage> parts, long most) {
    return (double) parts.mapToLong(MemoryUsage::getUsed).sum() / most;
  }

  @Override
  public ObjectRoom get() {
    if (used.getAsDouble() <= scarceFrom) {
      return ObjectRoom.AMPLE;
    }
    if (isCollectionDue()) {
      forget.run();
      collect.run();
    }
    double taken = live.getAsDouble();
    return taken <= scarceFrom
        ? ObjectRoom.AMPLE
        : taken <= MOST ? ObjectRoom.SCARCE : ObjectRoom.NONE;
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
