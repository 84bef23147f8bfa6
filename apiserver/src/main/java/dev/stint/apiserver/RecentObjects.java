package dev.stint.apiserver;

import dev.stint.model.KubeObject;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The objects of recent revisions, a bounded number: of two that meet in a slot the later stays.
 * Where many are asked for again that were driven out, as there is more under way at a time than
 * there are slots, the slots become twice as many. For use by any thread.
 */
final class RecentObjects {
  private record Recent(long revision, KubeObject object) {}

  private final int least;
  private final int most;
  private final AtomicInteger missed = new AtomicInteger();
  private volatile AtomicReferenceArray<@Nullable Recent> slots;

  /**
   * @param least how many slots there are at first; a power of two
   * @param most how many there can be; a power of two
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

  /** Takes note that an object had to be read from its text. */
  void missed(long revision) {
    AtomicReferenceArray<@Nullable Recent> now = slots;
    Recent found = now.get(slot(now, revision));
    boolean drivenOut = found != null && found.revision > revision;
    boolean recent = found != null && found.revision - revision < most;
    if (drivenOut && recent && now.length() < most && missed.incrementAndGet() > now.length() / 2) {
      grow(now);
    }
  }

  /** Holds none, and has as many slots as at first. */
  synchronized void forget() {
    missed.set(0);
    slots = new AtomicReferenceArray<>(least);
  }

  int size() {
    return slots.length();
  }

  /** What is put meanwhile may be lost, which costs the time to read it. */
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
