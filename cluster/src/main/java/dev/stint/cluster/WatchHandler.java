package dev.stint.cluster;

import org.jspecify.annotations.Nullable;

/** Takes what a watch reports. Called in order, never by two threads at once; must not block. */
public interface WatchHandler {
  void event(WatchEvent event);

  /**
   * The watch ended by itself and reports no more.
   *
   * @param cause {@code GONE} where the revision is too old and the caller must list again; null
   *     where it merely ended
   */
  void closed(@Nullable ClusterException cause);
}
