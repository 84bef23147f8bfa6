package dev.stint.store.pack;

/**
 * A compressed value.
 *
 * @param steps the steps that make it from the other ({@link ValueDelta})
 * @param like the other value, shared with many packed values
 * @param length the length of the unpacked value
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record PackedValue(byte[] steps, byte[] like, int length) {
  /** Returns the value, unpacked again with each call. */
  public byte[] open() {
    return ValueDelta.apply(like, steps, length);
  }
}
