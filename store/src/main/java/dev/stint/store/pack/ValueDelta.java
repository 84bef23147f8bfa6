package dev.stint.store.pack;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Delta compression of values against a known one. The result is a sequence of steps. Each step is
 * the number of new bytes (a varint), these bytes, and, unless the value ends there, the offset and
 * length of a common piece in the known value (two varints).
 *
 * <p>Similar texts share a few long pieces, so this takes a tenth of a general compressor's time,
 * in both directions.
 */
final class ValueDelta {
  private static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** The shortest piece that is copied from the known value: a copy takes up to six bytes. */
  private static final int PIECE = Long.BYTES;

  private static final int SLOT_BITS = 12;

  private final byte[] known;

  /** The offset plus one of a piece in the known value, by a hash of the piece's first bytes. */
  private final int[] places = new int[1 << SLOT_BITS];

  /**
   * @param known the known value; must not be changed
   */
  ValueDelta(byte[] known) {
    this.known = known;
    for (int place = known.length - PIECE; place >= 0; place--) {
      places[slot(word(known, place))] = place + 1;
    }
  }

  byte[] known() {
    return known;
  }

  /** Returns the value's delta; null if it is longer than {@code most} bytes. */
  byte @Nullable [] of(byte[] value, int most) {
    Steps steps = new Steps(value, most);
    int fresh = 0;
    int next = 0;
    int at = 0;
    while (at <= value.length - PIECE) {
      int place = place(word(value, at), next + at - fresh);
      if (place < 0) {
        at++;
        continue;
      }
      int length = common(value, at, place);
      if (!steps.add(fresh, at, place, length)) {
        return null;
      }
      at += length;
      fresh = at;
      next = place + length;
    }
    return steps.end(fresh);
  }

  /**
   * Returns the offset in the known value of a piece that begins with these bytes.
   *
   * @param likely the offset if the new bytes since the last piece replaced as many old ones
   * @return negative if no offset is known
   */
  private int place(long word, int likely) {
    if (likely <= known.length - PIECE && word(known, likely) == word) {
      return likely;
    }
    int place = places[slot(word)] - 1;
    return place >= 0 && word(known, place) == word ? place : -1;
  }

  private int common(byte[] value, int at, int place) {
    int length = Arrays.mismatch(value, at, value.length, known, place, known.length);
    return length < 0 ? value.length - at : length;
  }

  /** Returns the value of this length from its delta. */
  static byte[] apply(byte[] known, byte[] steps, int length) {
    byte[] value = new byte[length];
    Varints in = new Varints(steps);
    int at = 0;
    while (at < length) {
      int fresh = in.next();
      in.copy(value, at, fresh);
      at += fresh;
      if (at < length) {
        int place = in.next();
        int common = in.next();
        System.arraycopy(known, place, value, at, common);
        at += common;
      }
    }
    return value;
  }

  private static long word(byte[] bytes, int at) {
    return (long) WORD.get(bytes, at);
  }

  private static int slot(long word) {
    return (int) (word * 0x9E3779B97F4A7C15L >>> Long.SIZE - SLOT_BITS);
  }

  /** The delta, while it is written. */
  private static final class Steps {
    /** The size of three varints in bytes. */
    private static final int MOST_OVERHEAD = 15;

    private final byte[] value;
    private final byte[] out;
    private int size;

    Steps(byte[] value, int most) {
      this.value = value;
      this.out = new byte[most];
    }

    /** Adds a step; false if there is no room for it. */
    boolean add(int fresh, int at, int place, int length) {
      if (!fresh(fresh, at)) {
        return false;
      }
      put(place);
      put(length);
      return true;
    }

    byte @Nullable [] end(int fresh) {
      return fresh == value.length || fresh(fresh, value.length) ? Arrays.copyOf(out, size) : null;
    }

    private boolean fresh(int from, int to) {
      if (size + MOST_OVERHEAD + to - from > out.length) {
        return false;
      }
      put(to - from);
      System.arraycopy(value, from, out, size, to - from);
      size += to - from;
      return true;
    }

    private void put(int number) {
      int rest = number;
      while (rest > 0x7f) {
        out[size++] = (byte) (rest | 0x80);
        rest >>>= 7;
      }
      out[size++] = (byte) rest;
    }
  }

  /** The delta, while it is read. */
  private static final class Varints {
    private final byte[] in;
    private int at;

    Varints(byte[] in) {
      this.in = in;
    }

    int next() {
      int number = 0;
      for (int shift = 0; ; shift += 7) {
        byte each = in[at++];
        number |= (each & 0x7f) << shift;
        if (each >= 0) {
          return number;
        }
      }
    }

    void copy(byte[] to, int place, int length) {
      System.arraycopy(in, at, to, place, length);
      at += length;
    }
  }
}
