package dev.stint.runner.process;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Shuts down executors whose work waits for the disk. */
final class OrderlyShutdown {
  private static final Logger LOG = LoggerFactory.getLogger(OrderlyShutdown.class);
  private static final long SECONDS = 5;

  private OrderlyShutdown() {}

  /**
   * Shuts down the executor once its queued work is done.
   *
   * @param consequence what follows if that takes too long
   */
  static void shutDown(ExecutorService work, String consequence) {
    work.shutdown();
    try {
      if (!work.awaitTermination(SECONDS, TimeUnit.SECONDS)) {
        LOG.warn("The disk did not finish its work within {} s: {}", SECONDS, consequence);
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }
}
