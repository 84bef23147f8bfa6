package dev.stint.store;

/**
 * A value that takes less room than it should.
 *
 * @param steps how it comes out of the other ({@link ValueDelta})
 * @param like another value, which it is expressed by; shared with many
 * @param length of the value itself
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record PackedValue(byte[] steps, byte[] like, int length) {
  /** The value, made anew with each call. */
  byte[] open() {
    return ValueDelta.apply(like, steps, length);
  }
}
