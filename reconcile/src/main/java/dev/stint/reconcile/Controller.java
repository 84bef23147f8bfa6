package dev.stint.reconcile;

/** Something that follows the API and makes happen what should be so. */
public interface Controller extends AutoCloseable {
  /** Starts following the API. Returns at once. */
  void start();

  /** Stops following the API and deciding; writes that are under way are not waited for. */
  @Override
  void close();
}
