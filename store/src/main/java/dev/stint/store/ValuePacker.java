package dev.stint.store;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Packs values that are mostly like one another: the pods of a Job differ in a tenth of their text.
 * Each is expressed by what it has in common with an earlier value beside it, which stays as it is.
 * For one thread.
 */
final class ValuePacker {
  /** What is shorter is not worth it. */
  private static final int SHORTEST = 512;

  /** What is longer takes too long to pack and unpack. */
  private static final int LONGEST = 64 << 10;

  /** For how many places an earlier value is remembered. */
  private static final int MOST_PLACES = 256;

  /** By the place of the key: what stands before its last slash. */
  private final Map<String, ValueDelta> earlier =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, ValueDelta> eldest) {
          return size() > MOST_PLACES;
        }
      };

  /** The value, packed; null where it is better left as it is. */
  @Nullable PackedValue pack(String key, byte[] value) {
    if (value.length < SHORTEST || value.length > LONGEST) {
      return null;
    }
    String place = key.substring(0, key.lastIndexOf('/') + 1);
    ValueDelta like = earlier.get(place);
    byte[] steps = like == null ? null : like.of(value, value.length / 3);
    if (like == null || steps == null) {
      earlier.put(place, new ValueDelta(value)); // Those to come are rather like this one.
      return null;
    }
    return new PackedValue(steps, like.known(), value.length);
  }
}
