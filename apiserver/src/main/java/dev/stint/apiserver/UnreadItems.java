package dev.stint.apiserver;

import dev.stint.model.KubeObject;
import java.util.List;

/**
 * The items of a page while a client reads them, which may take any time. They hold the values of
 * their revision until the store's log has gone on as far as there is memory for. Then they hold
 * only what the store has: else whatever is replaced would stay in memory for a client that does
 * not read. Thread-safe.
 */
public final class UnreadItems {
  /** The memory of an item beside its value, at most. */
  private static final int ITEM_BYTES = 40;

  private final long revision;
  private final ListPage.Log log;
  private volatile List<? extends ListPage.Item> items;
  private int generations;
  private Runnable unfollow = () -> {};
  private boolean hasEnded;

  /** Takes over the items of a page, which nobody else may hold from now on. */
  public UnreadItems(ListPage page) {
    this.revision = page.revision();
    this.log = page.log();
    this.items = page.items();
  }

  /** Begins to follow the store's log; what is returned ends that. */
  public Runnable follow() {
    generations = log.generations();
    followFrom(revision);
    return this::end;
  }

  private synchronized void followFrom(long from) {
    if (!hasEnded) {
      unfollow = log.onForgotten(from, this::onForgotten);
    }
  }

  private synchronized void onForgotten() {
    if (generations > 0) {
      generations--;
      followFrom(log.newest());
    } else {
      items = items.stream().map(ListPage.Item::lettingGo).toList();
    }
  }

  private synchronized void end() {
    hasEnded = true;
    unfollow.run();
  }

  public int size() {
    return items.size();
  }

  /** Returns the revision of the whole list. */
  public long revision() {
    return revision;
  }

  /** Returns the memory of all items in bytes, without their values. */
  public long memory() {
    return (long) ITEM_BYTES * items.size();
  }

  /** Returns the approximate length of an object's text. */
  public int length(int index) {
    return items.get(index).length();
  }

  /** Returns the approximate length of the text of some objects. */
  public long length(int from, int to) {
    return items.subList(from, to).stream().mapToLong(ListPage.Item::length).sum();
  }

  /** Returns an object. Throws {@code GONE} if it was replaced, and the store has let it go. */
  public KubeObject object(int index) {
    return items.get(index).object();
  }

  /** Returns some objects, see {@link #object}. */
  public List<KubeObject> objects(int from, int to) {
    return items.subList(from, to).stream().<KubeObject>map(ListPage.Item::object).toList();
  }
}
