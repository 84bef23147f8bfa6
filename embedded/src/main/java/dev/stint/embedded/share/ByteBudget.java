package dev.stint.embedded.share;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The limits of the bytes that several connections hold together, and that each of them holds. If
 * they hold too many together, those that hold most are ended, as far as they can be.
 */
final class ByteBudget {
  private final long most;
  private final long mostOfOne;
  private final Set<Share> shares = new HashSet<>();
  private long taken;

  ByteBudget(long most, long mostOfOne) {
    this.most = most;
    this.mostOfOne = mostOfOne;
  }

  /** Returns the budget of a single connection. */
  static Share ofOne(long most) {
    return new ByteBudget(most, most).share();
  }

  /** Returns the share of another connection. */
  synchronized Share share() {
    Share share = new Share();
    shares.add(share);
    return share;
  }

  /** Closes the largest shares, as long as there are too few bytes; returns what ends them. */
  private List<Runnable> makeRoom(long bytes, Share wanting) {
    List<Runnable> ends = new ArrayList<>();
    while (taken + bytes > most) {
      Share largest =
          shares.stream()
              .filter(share -> share.end != null)
              .max(Comparator.comparingLong(share -> share.own))
              .orElse(wanting);
      LongConsumer end = largest.end;
      long bytesOfLargest = largest.own;
      if (end == null || bytesOfLargest <= wanting.own + bytes) {
        break;
      }
      largest.close();
      ends.add(() -> end.accept(bytesOfLargest));
    }
    return ends;
  }

  /** The bytes of one connection. */
  final class Share implements AutoCloseable {
    private long own;
    private boolean closed;

    /** Ends the connection in favour of others; null if it cannot be. */
    private @Nullable LongConsumer end;

    /** Sets what ends the connection, given its bytes, if a smaller one needs the room. */
    void onEnd(LongConsumer task) {
      synchronized (ByteBudget.this) {
        end = task;
      }
    }

    /**
     * Takes bytes; false, taking none, if there are too few, or this share is closed. May end
     * larger shares.
     */
    boolean take(long bytes) {
      List<Runnable> ends;
      boolean fits;
      synchronized (ByteBudget.this) {
        if (closed || own + bytes > mostOfOne) {
          return false;
        }
        ends = makeRoom(bytes, this);
        fits = taken + bytes <= most;
        if (fits) {
          own += bytes;
          taken += bytes;
        }
      }
      ends.forEach(Runnable::run);
      return fits;
    }

    /** Gives bytes back. */
    void give(long bytes) {
      synchronized (ByteBudget.this) {
        if (!closed) {
          own -= bytes;
          taken -= bytes;
        }
      }
    }

    long taken() {
      synchronized (ByteBudget.this) {
        return own;
      }
    }

    /** Gives everything back, for good. */
    @Override
    public void close() {
      synchronized (ByteBudget.this) {
        closed = true;
        shares.remove(this);
        taken -= own;
        own = 0;
      }
    }
  }
}
