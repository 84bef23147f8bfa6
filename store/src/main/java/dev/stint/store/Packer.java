package dev.stint.store;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.Deflater;
import org.jspecify.annotations.Nullable;

/**
 * Packs values that are mostly like one another: the pods of a Job differ in a tenth of their text.
 * Each is expressed by what it has in common with an earlier value beside it, which stays as it is.
 * For one thread.
 */
final class Packer implements AutoCloseable {
  /** What is shorter is not worth it. */
  private static final int SHORTEST = 512;

  /** What is longer takes too long to pack and unpack. */
  private static final int LONGEST = 64 << 10;

  /** For how many places an earlier value is remembered. */
  private static final int MOST_PLACES = 256;

  private final Deflater deflater = new Deflater(Deflater.BEST_SPEED, true);
  private final byte[] out = new byte[LONGEST];

  /** By the place of the key: what stands before its last slash. */
  private final Map<String, byte[]> earlier =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, byte[]> eldest) {
          return size() > MOST_PLACES;
        }
      };

  /** The value, packed; null where it is better left as it is. */
  @Nullable Packed pack(String key, byte[] value) {
    if (value.length < SHORTEST || value.length > LONGEST) {
      return null;
    }
    String place = key.substring(0, key.lastIndexOf('/') + 1);
    byte[] like = earlier.get(place);
    if (like == null) {
      earlier.put(place, value);
      return null;
    }
    int length = deflate(value, like);
    if (length > value.length / 3) {
      earlier.put(place, value); // Those to come are rather like this one.
      return null;
    }
    return new Packed(Arrays.copyOf(out, length), like, value.length);
  }

  private int deflate(byte[] value, byte[] like) {
    deflater.reset();
    deflater.setDictionary(like);
    deflater.setInput(value);
    deflater.finish();
    int length = deflater.deflate(out);
    return deflater.finished() ? length : Integer.MAX_VALUE;
  }

  @Override
  public void close() {
    deflater.end();
  }
}
