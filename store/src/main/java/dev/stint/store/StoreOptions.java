package dev.stint.store;

/**
 * The options of a store.
 *
 * @param maxLogEvents the number of newest events that are kept for watches, at least 1
 * @param maxLogBytes the size limit of their keys and values in bytes; most of them are shared with
 *     the current entries. The newest event is kept whatever its size, and so are those that are
 *     not durable yet.
 * @param durability the time at which a write is acknowledged
 */
public record StoreOptions(int maxLogEvents, long maxLogBytes, Durability durability) {

  /** The time at which a write is acknowledged. */
  public enum Durability {
    /** After it is on disk: it survives the loss of power. */
    STRICT,
    /** After the operating system has it: it survives {@code kill -9}, not the loss of power. */
    RELAXED
  }

  public StoreOptions {
    if (maxLogEvents < 1 || maxLogBytes < 0) {
      throw new IllegalArgumentException("maxLogEvents must be at least 1, maxLogBytes at least 0");
    }
  }

  /** Returns the defaults: 65,536 events, 64 MiB, strict. */
  public static StoreOptions defaults() {
    return new StoreOptions(1 << 16, 64L << 20, Durability.STRICT);
  }

  /** Returns these options with another durability. */
  public StoreOptions with(Durability durability) {
    return new StoreOptions(maxLogEvents, maxLogBytes, durability);
  }
}
