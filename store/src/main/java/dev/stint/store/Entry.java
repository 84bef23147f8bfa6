package dev.stint.store;

import dev.stint.store.pack.PackedValue;
import dev.stint.store.pack.ValuePacker;

/**
 * A key and its value at one revision.
 *
 * <p>Old values may be held packed; only the time to unpack them shows that.
 */
public final class Entry {
  private final String key;
  private final long createRevision;
  private final long revision;

  /** The value as {@code byte[]}, or {@link PackedValue}. */
  private volatile Object held;

  /**
   * @param value the value; must not be changed
   * @param createRevision the revision of the key's last creation
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

  /** Returns the value, which must not be changed. */
  public byte[] value() {
    return held instanceof PackedValue packed ? packed.open() : (byte[]) held;
  }

  /** Returns the length of the value in bytes. */
  public int length() {
    return held instanceof PackedValue packed ? packed.length() : ((byte[]) held).length;
  }

  /** Returns the revision of the key's last creation. */
  public long createRevision() {
    return createRevision;
  }

  /** Returns the revision of the value. */
  public long revision() {
    return revision;
  }

  /** Packs the value if that saves memory. Called by one thread at a time. */
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
