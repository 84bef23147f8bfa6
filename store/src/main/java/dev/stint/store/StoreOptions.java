package dev.stint.store;

/**
 * How a store behaves.
 *
 * @param maxLogEvents how many of the newest events are held for watches, at least 1
 * @param maxLogBytes how many bytes of keys and values these events may hold; most of them are
 *     shared with the current entries. The newest event is held whatever its size.
 * @param durability when a write is acknowledged
 */
public record StoreOptions(int maxLogEvents, long maxLogBytes, Durability durability) {

  /** When a write is acknowledged. */
  public enum Durability {
    /** Once it is on disk: it survives the loss of power. */
    STRICT,
    /** Once the operating system has it: it survives {@code kill -9}, not the loss of power. */
    RELAXED
  }

  public StoreOptions {
    if (maxLogEvents < 1 || maxLogBytes < 0) {
      throw new IllegalArgumentException("maxLogEvents must be at least 1, maxLogBytes at least 0");
    }
  }

  /** 65,536 events, 64 MiB, strict. */
  public static StoreOptions defaults() {
    return new StoreOptions(1 << 16, 64L << 20, Durability.STRICT);
  }

  /** These options with another durability. */
  public StoreOptions with(Durability durability) {
    return new StoreOptions(maxLogEvents, maxLogBytes, durability);
  }
}
