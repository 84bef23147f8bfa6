package dev.stint.reconcile;

/** A controller: follows the API, and brings the objects into their desired state. */
public interface Controller extends AutoCloseable {
  /** Starts following the API. Returns at once. */
  void start();

  /** Looks again at all objects, as a filter in its options accepts others than before. */
  default void reconsider() {}

  /** Stops following the API and deciding. Does not wait for writes in flight. */
  @Override
  void close();
}
