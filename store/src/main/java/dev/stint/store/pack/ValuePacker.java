package dev.stint.store.pack;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Packs similar values: the pods of a Job differ in a tenth of their text. Each is stored as a
 * delta to an earlier, unpacked value with the same key prefix. Not thread-safe.
 */
public final class ValuePacker {
  /** Shorter values are not worth packing. */
  private static final int SHORTEST = 512;

  /** Longer values take too long to pack and unpack. */
  private static final int LONGEST = 64 << 10;

  /** The number of key prefixes for which an earlier value is remembered. */
  private static final int MOST_PLACES = 256;

  /** The earlier values by key prefix, up to the last slash. */
  private final Map<String, ValueDelta> earlier =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, ValueDelta> eldest) {
          return size() > MOST_PLACES;
        }
      };

  /** Returns the packed value; null if packing does not pay. */
  public @Nullable PackedValue pack(String key, byte[] value) {
    if (value.length < SHORTEST || value.length > LONGEST) {
      return null;
    }
    String place = key.substring(0, key.lastIndexOf('/') + 1);
    ValueDelta like = earlier.get(place);
    byte[] steps = like == null ? null : like.of(value, value.length / 3);
    if (like == null || steps == null) {
      earlier.put(place, new ValueDelta(value)); // Later values are probably similar.
      return null;
    }
    return new PackedValue(steps, like.known(), value.length);
  }
}
