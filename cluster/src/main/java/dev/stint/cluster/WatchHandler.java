package dev.stint.cluster;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Receives the events of a watch. Called in order, never by two threads at once; must not block.
 */
public interface WatchHandler {
  void onEvent(WatchEvent event);

  /**
   * Receives events that arrived together, in order. Handlers that forward events override it to
   * forward them at once.
   */
  default void onEvents(List<WatchEvent> batch) {
    batch.forEach(this::onEvent);
  }

  /**
   * Called when the watch ended by itself; no event follows.
   *
   * @param cause {@code GONE} if the revision is too old and the caller must list again; null if it
   *     merely ended
   */
  void onClosed(@Nullable ClusterException cause);
}
