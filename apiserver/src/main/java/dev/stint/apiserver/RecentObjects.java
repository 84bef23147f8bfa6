package dev.stint.apiserver;

import dev.stint.model.KubeObject;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A bounded cache of objects by revision. If two share a slot, the later one stays. If many evicted
 * objects are requested again, because more of them are in use than there are slots, the number of
 * slots doubles. The oldest are evicted while all together are too long. Thread-safe.
 */
final class RecentObjects {
  private record Recent(long revision, KubeObject object, int length) {}

  private final int least;
  private final int most;
  private final long mostBytes;
  private final AtomicInteger missed = new AtomicInteger();
  private volatile Slots slots;

  /**
   * @param least the initial number of slots; a power of two
   * @param most the largest number of slots; a power of two
   * @param mostBytes the length of all objects together that is kept
   */
  RecentObjects(int least, int most, long mostBytes) {
    if (Integer.bitCount(least) != 1 || Integer.bitCount(most) != 1) {
      throw new IllegalArgumentException("not powers of two: " + least + ", " + most);
    }
    this.least = least;
    this.most = most;
    this.mostBytes = mostBytes;
    this.slots = new Slots(least);
  }

  /**
   * @param length the length of the object's text
   */
  void put(long revision, KubeObject object, int length) {
    slots.put(new Recent(revision, object, length), mostBytes);
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

  /** Returns the length of all objects together. */
  long bytes() {
    return slots.bytes.get();
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
        to.put(each, mostBytes);
      }
    }
    missed.set(0);
    slots = to;
  }

  /** The slots, and the length of what is in them. */
  private static final class Slots {
    private final AtomicReferenceArray<@Nullable Recent> all;
    private final AtomicLong bytes = new AtomicLong();

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

    void put(Recent added, long mostBytes) {
      if (set(added.revision, added) > mostBytes) {
        evict(added.revision, mostBytes);
      }
    }

    /** Evicts in the order of revisions, the last of which is the newest. */
    private synchronized void evict(long newest, long mostBytes) {
      oldest = Math.clamp(oldest, newest - count() + 1, newest);
      for (int i = 0; i < count() && bytes.get() > mostBytes; i++) {
        set(oldest++, null);
      }
    }

    /** Sets a slot, and returns the length of all that is left. */
    private long set(long revision, @Nullable Recent value) {
      Recent before = all.getAndSet(slot(revision), value);
      return bytes.addAndGet(length(value) - length(before));
    }

    private static long length(@Nullable Recent each) {
      return each == null ? 0 : each.length;
    }

    private int slot(long revision) {
      return (int) (revision & (all.length() - 1));
    }
  }
}
