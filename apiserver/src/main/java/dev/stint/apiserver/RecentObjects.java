package dev.stint.apiserver;

import dev.stint.model.KubeObject;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A bounded cache of objects by revision. If two share a slot, the later one stays. If many evicted
 * objects are requested again, because more of them are in use than there are slots, the number of
 * slots doubles. The oldest are evicted while all together are too heavy. Thread-safe.
 */
final class RecentObjects {
  private record Recent(long revision, KubeObject object, int weight) {}

  private final int least;
  private final int most;
  private final long mostWeight;
  private final AtomicInteger missed = new AtomicInteger();
  private volatile Slots slots;

  /**
   * @param least the initial number of slots; a power of two
   * @param most the largest number of slots; a power of two
   * @param mostWeight the weight of all objects together that is kept, in bytes
   */
  RecentObjects(int least, int most, long mostWeight) {
    if (Integer.bitCount(least) != 1 || Integer.bitCount(most) != 1) {
      throw new IllegalArgumentException("not powers of two: " + least + ", " + most);
    }
    this.least = least;
    this.most = most;
    this.mostWeight = mostWeight;
    this.slots = new Slots(least);
  }

  /**
   * @param weight the memory that the object takes, in bytes
   */
  void put(long revision, KubeObject object, int weight) {
    slots.put(new Recent(revision, object, weight), mostWeight);
  }

  @Nullable KubeObject get(long revision) {
    Recent found = slots.at(revision);
    if (found == null || found.revision != revision) {
      return null;
    }
    return found.object;
  }

  /** Records that an object had to be parsed from its text. */
  void missed(long revision) {
    Slots now = slots;
    Recent found = now.at(revision);
    boolean drivenOut = found != null && found.revision > revision;
    boolean recent = found != null && found.revision - revision < most;
    if (drivenOut && recent && now.count() < most && missed.incrementAndGet() > now.count() / 2) {
      grow(now);
    }
  }

  /** Clears the cache, and resets it to the initial number of slots. */
  synchronized void forget() {
    missed.set(0);
    slots = new Slots(least);
  }

  int size() {
    return slots.count();
  }

  /** Returns the weight of all objects together, in bytes. */
  long weight() {
    return slots.weight.get();
  }

  /**
   * Doubles the slots. Concurrent additions may be lost, which costs only the time to parse again.
   */
  private synchronized void grow(Slots from) {
    if (slots != from) {
      return;
    }
    Slots to = new Slots(2 * from.count());
    for (int i = 0; i < from.count(); i++) {
      Recent each = from.at(i);
      if (each != null) {
        to.put(each, mostWeight);
      }
    }
    missed.set(0);
    slots = to;
  }

  /** The slots, and the weight of what is in them. */
  private static final class Slots {
    private final AtomicReferenceArray<@Nullable Recent> all;
    private final AtomicLong weight = new AtomicLong();

    /** The revision in whose slot the next eviction begins. */
    private long oldest;

    Slots(int count) {
      all = new AtomicReferenceArray<>(count);
    }

    int count() {
      return all.length();
    }

    @Nullable Recent at(long revision) {
      return all.get(slot(revision));
    }

    void put(Recent added, long mostWeight) {
      if (set(added.revision, added) > mostWeight) {
        evict(added.revision, mostWeight);
      }
    }

    /** Evicts in the order of revisions, the last of which is the newest. */
    private synchronized void evict(long newest, long mostWeight) {
      oldest = Math.clamp(oldest, newest - count() + 1, newest);
      for (int i = 0; i < count() && weight.get() > mostWeight; i++) {
        set(oldest++, null);
      }
    }

    /** Sets a slot, and returns the weight of all that is left. */
    private long set(long revision, @Nullable Recent value) {
      Recent before = all.getAndSet(slot(revision), value);
      return weight.addAndGet(weight(value) - weight(before));
    }

    private static long weight(@Nullable Recent each) {
      return each == null ? 0 : each.weight;
    }

    private int slot(long revision) {
      return (int) (revision & (all.length() - 1));
    }
  }
}
