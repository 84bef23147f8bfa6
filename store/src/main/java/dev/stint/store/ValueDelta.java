package dev.stint.store;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Expresses values by what they have in common with one that is known. What comes out is a row of
 * steps, each of them: how many bytes follow that are new (a varint), these, and, unless the value
 * ends there, where in the known value a common piece begins and how long it is (two varints).
 *
 * <p>Texts of one shape are put together from a few long pieces, so this takes a tenth of the time
 * that a general compressor takes, in both directions.
 */
final class ValueDelta {
  private static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** The shortest piece that is taken from the known value: it takes up to six bytes to tell. */
  private static final int PIECE = Long.BYTES;

  private static final int SLOT_BITS = 12;

  private final byte[] known;

  /** By a hash of the first bytes of a piece, one place at which it begins, plus one. */
  private final int[] places = new int[1 << SLOT_BITS];

  /**
   * @param known not to be changed
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

  /** The value by its difference; null where that takes more than so many bytes. */
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
   * Where a piece that begins with these bytes stands.
   *
   * @param likely where it does if what is new since the last piece only replaces as much
   * @return negative where nothing is known
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

  /** The value of so many bytes that {@link #of} expressed. */
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

  /** What is written. */
  private static final class Steps {
    /** Three varints. */
    private static final int MOST_OVERHEAD = 15;

    private final byte[] value;
    private final byte[] out;
    private int size;

    Steps(byte[] value, int most) {
      this.value = value;
      this.out = new byte[most];
    }

    /** Whether there is room for it. */
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

  /** What is read. */
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
