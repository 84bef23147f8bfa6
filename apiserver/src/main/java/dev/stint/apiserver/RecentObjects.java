package dev.stint.apiserver;

import dev.stint.model.KubeObject;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A bounded cache of objects by revision. If two share a slot, the later one stays. If many evicted
 * objects are requested again, because more of them are in use than there are slots, the number of
 * slots doubles. Thread-safe.
 */
final class RecentObjects {
  private record Recent(long revision, KubeObject object) {}

  private final int least;
  private final int most;
  private final AtomicInteger missed = new AtomicInteger();
  private volatile AtomicReferenceArray<@Nullable Recent> slots;

  /**
   * @param least the initial number of slots; a power of two
   * @param most the largest number of slots; a power of two
   */
  RecentObjects(int least, int most) {
    if (Integer.bitCount(least) != 1 || Integer.bitCount(most) != 1) {
      throw new IllegalArgumentException("not powers of two: " + least + ", " + most);
    }
    this.least = least;
    this.most = most;
    this.slots = new AtomicReferenceArray<>(least);
  }

  void put(long revision, KubeObject object) {
    AtomicReferenceArray<@Nullable Recent> now = slots;
    now.set(slot(now, revision), new Recent(revision, object));
  }

  @Nullable KubeObject get(long revision) {
    AtomicReferenceArray<@Nullable Recent> now = slots;
    Recent found = now.get(slot(now, revision));
    if (found == null || found.revision != revision) {
      return null;
    }
    return found.object;
  }

  /** Records that an object had to be parsed from its text. */
  void missed(long revision) {
    AtomicReferenceArray<@Nullable Recent> now = slots;
    Recent found = now.get(slot(now, revision));
    boolean drivenOut = found != null && found.revision > revision;
    boolean recent = found != null && found.revision - revision < most;
    if (drivenOut && recent && now.length() < most && missed.incrementAndGet() > now.length() / 2) {
      grow(now);
    }
  }

  /** Clears the cache, and resets it to the initial number of slots. */
  synchronized void forget() {
    missed.set(0);
    slots = new AtomicReferenceArray<>(least);
  }

  int size() {
    return slots.length();
  }

  /**
   * Doubles the slots. Concurrent additions may be lost, which costs only the time to parse again.
   */
  private synchronized void grow(AtomicReferenceArray<@Nullable Recent> from) {
    if (slots != from) {
      return;
    }
    AtomicReferenceArray<@Nullable Recent> to = new AtomicReferenceArray<>(2 * from.length());
    for (int i = 0; i < from.length(); i++) {
      Recent each = from.get(i);
      if (each != null) {
        to.set(slot(to, each.revision), each);
      }
    }
    missed.set(0);
    slots = to;
  }

  private static int slot(AtomicReferenceArray<@Nullable Recent> slots, long revision) {
    return (int) (revision & (slots.length() - 1));
  }
}
