package dev.stint.apiserver.outcome;

import dev.stint.model.Names;
import java.util.UUID;
import java.util.random.RandomGenerator;

/** Makes uids and generated names. Thread-safe, even if the generator is not. */
public final class NameGenerator {
  private final RandomGenerator random;

  public NameGenerator(RandomGenerator random) {
    this.random = random;
  }

  /** Returns a random UUID (version 4). */
  String uid() {
    long high;
    long low;
    synchronized (random) {
      high = random.nextLong();
      low = random.nextLong();
    }
    long version4 = (high & ~0xF000L) | 0x4000L;
    long variant2 = (low & ~(3L << 62)) | (2L << 62);
    return new UUID(version4, variant2).toString();
  }

  /** Returns a name with this prefix and a random suffix. */
  String name(String base) {
    synchronized (random) {
      return Names.generated(base, random);
    }
  }
}
