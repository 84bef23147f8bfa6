package dev.stint.apiserver.strategy;

import dev.stint.model.Names;
import java.util.UUID;
import java.util.random.RandomGenerator;

/** Makes uids and generated names. Safe for use by several threads, whatever the generator is. */
public final class NameGenerator {
  private final RandomGenerator random;

  public NameGenerator(RandomGenerator random) {
    this.random = random;
  }

  /** A random UUID (version 4). */
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

  /** A name that begins so and ends at random. */
  String name(String base) {
    synchronized (random) {
      return Names.generated(base, random);
    }
  }
}
