package dev.stint.apiserver;

import dev.stint.store.StoreView;

/** The log of a store, for lists that wait to be read. */
record StoreLog(StoreView store) implements ListPage.Log {
  /** The share of the heap for what was replaced, and is held for such lists alone. */
  private static final int OF_HEAP = 8;

  @Override
  public Runnable onForgotten(long revision, Runnable task) {
    return store.onForgotten(
        revision, each -> Thread.ofVirtual().name("stint-unread-list").start(each), task);
  }

  @Override
  public long newest() {
    return store.revision();
  }

  @Override
  public int generations() {
    return generations(Runtime.getRuntime().maxMemory(), store.logBytes());
  }

  /** All lists together hold what was replaced meanwhile, however many they are. */
  static int generations(long heap, long logBytes) {
    return logBytes == 0 ? 0 : (int) Math.min(Integer.MAX_VALUE, heap / OF_HEAP / logBytes);
  }
}
