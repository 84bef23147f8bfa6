package dev.stint.bench.bounds;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * A fixed piece of unrelated work whose duration shows how slow this machine is right now: two
 * threads compute digests and build trees of text that exceed the caches.
 */
final class Calibration {
  private static final int THREADS = 2;
  private static final int ENTRIES = 300_000;
  private static final int DIGESTS = 24;

  private Calibration() {}

  /** Does the work, and returns its duration in seconds. */
  static double seconds() throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    long start = System.nanoTime();
    for (int i = 0; i < THREADS; i++) {
      threads.add(Thread.ofPlatform().start(Calibration::work));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    return (System.nanoTime() - start) / 1e9;
  }

  private static void work() {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      byte[] block = new byte[1 << 20];
      for (int i = 0; i < DIGESTS; i++) {
        System.arraycopy(digest.digest(block), 0, block, i, digest.getDigestLength());
      }
      TreeMap<String, Integer> tree = new TreeMap<>();
      for (int i = 0; i < ENTRIES; i++) {
        tree.put(Integer.toHexString(i * 0x9E3779B9), i);
      }
      if (tree.isEmpty()) {
        throw new IllegalStateException("the result must be used");
      }
    } catch (NoSuchAlgorithmException missing) {
      throw new IllegalStateException(missing);
    }
  }
}
