package dev.stint.apiserver;

import java.util.UUID;
import java.util.random.RandomGenerator;

/** Makes uids and generated names. Safe for use by several threads, whatever the generator is. */
final class Identities {
  /** No vowels, and nothing that looks like one: no words come out. */
  private static final String ALPHABET = "bcdfghjklmnpqrstvwxz2456789";

  private static final int SUFFIX = 5;
  private static final int MAX_NAME = 63;

  private final RandomGenerator random;

  Identities(RandomGenerator random) {
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

  /** The base, cut so that all fits into 63 characters, and five random ones. */
  String name(String base) {
    StringBuilder name =
        new StringBuilder(base.substring(0, Math.min(base.length(), MAX_NAME - SUFFIX)));
    synchronized (random) {
      for (int i = 0; i < SUFFIX; i++) {
        name.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
      }
    }
    return name.toString();
  }
}
