package dev.stint.store;

import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * A value that takes less room than it should.
 *
 * @param bytes deflated
 * @param like another value, which it is expressed by; shared with many
 * @param length of the value itself
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Packed(byte[] bytes, byte[] like, int length) {
  /** The value, made anew with each call. */
  byte[] open() {
    Inflater inflater = new Inflater(true);
    try {
      inflater.setDictionary(like);
      inflater.setInput(bytes);
      byte[] value = new byte[length];
      int done = inflater.inflate(value);
      if (done != length) {
        throw new IllegalStateException("only " + done + " bytes of " + length + " were packed");
      }
      return value;
    } catch (DataFormatException fault) {
      throw new IllegalStateException(fault);
    } finally {
      inflater.end();
    }
  }
}
