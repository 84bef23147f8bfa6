package dev.stint.embedded;

import java.security.SecureRandom;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/** Creates generators of random numbers in real time. */
public final class RandomGenerators {
  private RandomGenerators() {}

  /**
   * Returns a fast generator for one thread, since it makes every name. It is seeded so that no two
   * processes make the same names.
   */
  public static RandomGenerator unpredictable() {
    return RandomGeneratorFactory.of("L128X256MixRandom")
        .create(new SecureRandom().generateSeed(32));
  }
}
