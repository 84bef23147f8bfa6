package dev.stint.store;

/** A watch that is being served. */
public interface Subscription extends AutoCloseable {

  /**
   * The newest revision up to which every matching event has been delivered (the listener has
   * returned from it). Grows without events too, as other keys change: the value for a bookmark.
   */
  long revision();

  /** No batch is begun after this; one that is being delivered is not waited for. */
  @Override
  void close();
}
