package dev.stint.cluster;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Takes what a watch reports. Called in order, never by two threads at once; must not block. */
public interface WatchHandler {
  void event(WatchEvent event);

  /**
   * Takes events that came together, in order; for those who hand them on, which costs less all at
   * once.
   */
  default void events(List<WatchEvent> batch) {
    batch.forEach(this::event);
  }

  /**
   * The watch ended by itself and reports no more.
   *
   * @param cause {@code GONE} where the revision is too old and the caller must list again; null
   *     where it merely ended
   */
  void closed(@Nullable ClusterException cause);
}
