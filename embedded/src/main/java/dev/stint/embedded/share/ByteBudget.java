package dev.stint.embedded.share;

/** The bytes that several connections may take up together, and each of them at most. */
final class ByteBudget {
  private final long most;
  private final long mostOfOne;
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
  Share share() {
    return new Share();
  }

  /** The bytes of one connection. */
  final class Share implements AutoCloseable {
    private long own;
    private boolean closed;

    /** Takes bytes; false, taking none, if there are too few, or this share is closed. */
    boolean take(long bytes) {
      synchronized (ByteBudget.this) {
        if (closed || own + bytes > mostOfOne || taken + bytes > most) {
          return false;
        }
        own += bytes;
        taken += bytes;
        return true;
      }
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
        taken -= own;
        own = 0;
      }
    }
  }
}
