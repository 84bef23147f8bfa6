package dev.stint.store;

/**
 * A key and its value as of one revision.
 *
 * <p>A value that nobody asked for in a while may be held packed, which nobody notices but for the
 * time that it takes to unpack.
 */
public final class Entry {
  private final String key;
  private final long createRevision;
  private final long revision;

  /** The value as {@code byte[]}, or {@link PackedValue}. */
  private volatile Object held;

  /**
   * @param value not to be changed
   * @param createRevision the revision at which the key last came to be
   * @param revision the revision of this value
   */
  public Entry(String key, byte[] value, long createRevision, long revision) {
    this.key = key;
    this.held = value;
    this.createRevision = createRevision;
    this.revision = revision;
  }

  public String key() {
    return key;
  }

  /** The value. Not to be changed. */
  public byte[] value() {
    return held instanceof PackedValue packed ? packed.open() : (byte[]) held;
  }

  /** The length of the value in bytes. */
  int length() {
    return held instanceof PackedValue packed ? packed.length() : ((byte[]) held).length;
  }

  /** The revision at which the key last came to be. */
  public long createRevision() {
    return createRevision;
  }

  /** The revision of the value. */
  public long revision() {
    return revision;
  }

  /** Holds the value packed from here on, where that saves room. Called by one thread at a time. */
  void pack(ValuePacker packer) {
    if (held instanceof byte[] value) {
      PackedValue packed = packer.pack(key, value);
      if (packed != null) {
        held = packed;
      }
    }
  }

  boolean isPacked() {
    return held instanceof PackedValue;
  }

  @Override
  public String toString() {
    return key + "@" + revision;
  }
}
