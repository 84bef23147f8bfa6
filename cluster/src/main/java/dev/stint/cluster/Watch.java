package dev.stint.cluster;

/** A running watch. */
public interface Watch extends AutoCloseable {
  /**
   * Ends the watch. No event is delivered after this returns to the thread that events are
   * delivered on.
   */
  @Override
  void close();
}
