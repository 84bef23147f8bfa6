package dev.stint.cluster.protobuf;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A buffer that is filled from its end, so that the length of a message is known when it is written
 * before the message.
 */
final class ReverseBuffer {
  private byte[] bytes;
  private int start;

  ReverseBuffer(int capacity) {
    bytes = new byte[capacity];
    start = capacity;
  }

  /** Returns the number of bytes that have been written. */
  int length() {
    return bytes.length - start;
  }

  void write(byte[] more) {
    ensure(more.length);
    start -= more.length;
    System.arraycopy(more, 0, bytes, start, more.length);
  }

  void write(String text) {
    write(text.getBytes(StandardCharsets.UTF_8));
  }

  void write(byte single) {
    ensure(1);
    bytes[--start] = single;
  }

  /** Writes an integer of variable length. */
  void varint(long value) {
    int size = sizeOf(value);
    ensure(size);
    start -= size;
    long rest = value;
    int at = start;
    for (int i = 1; i < size; i++) {
      bytes[at++] = (byte) (rest & 0x7f | 0x80);
      rest >>>= 7;
    }
    bytes[at] = (byte) rest;
  }

  /** Returns the number of bytes of an integer of variable length. */
  static int sizeOf(long value) {
    return (63 - Long.numberOfLeadingZeros(value | 1)) / 7 + 1;
  }

  /** Writes an integer of eight bytes. */
  void fixed64(long value) {
    ensure(Long.BYTES);
    start -= Long.BYTES;
    for (int i = 0; i < Long.BYTES; i++) {
      bytes[start + i] = (byte) (value >>> 8 * i);
    }
  }

  /** Writes an integer of four bytes, the highest one first. */
  void fixed32BigEndian(int value) {
    for (int i = 0; i < Integer.BYTES; i++) {
      write((byte) (value >>> 8 * i));
    }
  }

  private void ensure(int more) {
    if (more > start) {
      int length = length();
      byte[] larger = new byte[Math.max(2 * bytes.length, length + more)];
      System.arraycopy(bytes, start, larger, larger.length - length, length);
      bytes = larger;
      start = larger.length - length;
    }
  }

  byte[] toByteArray() {
    return Arrays.copyOfRange(bytes, start, bytes.length);
  }
}
