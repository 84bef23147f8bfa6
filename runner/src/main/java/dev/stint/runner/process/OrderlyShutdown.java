package dev.stint.runner.process;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How long work that waits for the disk may take at the end. */
final class OrderlyShutdown {
  private static final Logger LOG = LoggerFactory.getLogger(OrderlyShutdown.class);
  private static final long SECONDS = 5;

  private OrderlyShutdown() {}

  /**
   * Ends the work, once what it has to do by now is done.
   *
   * @param otherwise what may be missing where that takes too long
   */
  static void end(ExecutorService work, String otherwise) {
    work.shutdown();
    try {
      if (!work.awaitTermination(SECONDS, TimeUnit.SECONDS)) {
        LOG.warn("{}: the disk is slow", otherwise);
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }
}
