package dev.stint.store;

/** A running watch of a store. */
public interface Subscription extends AutoCloseable {

  /**
   * Returns the newest revision up to which every matching event has been delivered (the listener
   * has returned). It grows without matching events too, as other keys change: the value for a
   * bookmark.
   */
  long revision();

  /** Ends the watch. No further batch is delivered; a running delivery is not waited for. */
  @Override
  void close();
}
