package dev.stint.apiserver;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.model.KubeObject;
import dev.stint.store.Entry;
import dev.stint.store.Snapshot;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of a list. Long pages hold no objects: those are made one by one as they are needed.
 *
 * @param revision of the whole list
 * @param last the key that the next page starts after; null if this is the last page
 * @param remaining the number of entries that follow, whether they match or not
 * @param log tells how long the store itself holds what is replaced meanwhile
 */
public record ListPage(
    List<Item> items, long revision, @Nullable String last, int remaining, Log log) {
  /**
   * The length of the objects up to which a page holds them: a longer one may wait for a slow
   * client, and nobody counts what it holds.
   */
  public static final int HELD_BYTES = 64 << 10;

  /** The length of the objects that are prepared at once. */
  public static final int PREPARED_BYTES = 512 << 10;

  private static final int PREPARED = 500;

  /** The store's log, which holds for a while what is replaced. */
  @FunctionalInterface
  public interface Log {
    /**
     * Runs a task, on another thread, once the log does not hold all any more that was replaced
     * after a revision.
     *
     * @return ends this
     */
    Runnable onForgotten(long revision, Runnable task);

    /** Returns its newest revision. */
    default long newest() {
      return 0;
    }

    /**
     * Returns how many times more its content may be replaced as a whole, until what a client has
     * not read yet is let go. There is memory for that much.
     */
    default int generations() {
      return 0;
    }
  }

  /** An object of a list. */
  public interface Item {
    /** Returns the object. Throws {@code GONE} if its value is. */
    KubeObject object();

    /** Returns the approximate length of its text. */
    int length();

    /** Returns the same item without holding its value: that may be gone when it is asked for. */
    default Item lettingGo() {
      return this;
    }
  }

  private record Held(Stored stored, KubeObject object) implements Item {
    @Override
    public int length() {
      return stored.length();
    }
  }

  private record Stored(SharedObjects objects, Entry entry) implements Item {
    @Override
    public Item lettingGo() {
      return new Forgettable(objects, entry);
    }

    @Override
    public KubeObject object() {
      return objects.peek(entry);
    }

    @Override
    public int length() {
      return entry.length();
    }
  }

  /** An item whose value is there only as long as the store has it. */
  private static final class Forgettable extends WeakReference<Entry> implements Item {
    private final SharedObjects objects;
    private final int length;

    Forgettable(SharedObjects objects, Entry entry) {
      super(entry);
      this.objects = objects;
      this.length = entry.length();
    }

    @Override
    public KubeObject object() {
      Entry entry = get();
      if (entry == null) {
        throw new ClusterException(
            Reason.GONE,
            "an object of the list was replaced before the client read it, and is not kept any"
                + " more");
      }
      return objects.peek(entry);
    }

    @Override
    public int length() {
      return length;
    }
  }

  /** Collects items, and holds their objects as long as they are short. */
  private static final class Items {
    private final List<Item> all = new ArrayList<>();
    private long length;

    void add(Stored item, KubeObject object) {
      boolean held = length <= HELD_BYTES;
      length += item.length();
      if (length <= HELD_BYTES) {
        all.add(new Held(item, object));
        return;
      }
      if (held) {
        all.replaceAll(ListPage::stored);
      }
      all.add(item);
    }
  }

  /** Returns the approximate length of all objects. */
  public long length() {
    return items.stream().mapToLong(Item::length).sum();
  }

  /** Returns the same page without its objects, which are made one by one as they are needed. */
  public ListPage withoutObjects() {
    return new ListPage(
        items.stream().map(ListPage::stored).toList(), revision, last, remaining, log);
  }

  private static Item stored(Item item) {
    return item instanceof Held held ? held.stored : item;
  }

  static ListPage of(ListQuery query, Snapshot snapshot, SharedObjects objects, Log log) {
    List<Entry> entries = snapshot.entries();
    String suffix = query.name() == null ? "" : "/" + query.name();
    Items items = new Items();
    int at = start(query, entries);
    int prepared = query.name() == null ? at : entries.size();
    for (; at < entries.size() && !isFull(query, items.all); at++) {
      if (at == prepared) {
        prepared = prepared(query, entries, at, objects);
      }
      Entry entry = entries.get(at);
      if (entry.key().endsWith(suffix)) {
        KubeObject object = objects.peek(entry);
        if (query.matching().test(object)) {
          items.add(new Stored(objects, entry), object);
        }
      }
    }
    boolean more = at < entries.size() && !isSinglePage(query);
    String last = more ? entries.get(at - 1).key() : null;
    return new ListPage(items.all, snapshot.revision(), last, entries.size() - at, log);
  }

  /** Prepares entries for the selectors, no more than a page may have, and returns their end. */
  private static int prepared(
      ListQuery query, List<Entry> entries, int from, SharedObjects objects) {
    int most = query.limit() > 0 ? Math.min(query.limit(), PREPARED) : PREPARED;
    int end = from + 1;
    long length = entries.get(from).length();
    while (end < entries.size() && end - from < most && length <= PREPARED_BYTES) {
      length += entries.get(end).length();
      end++;
    }
    List<Entry> next = entries.subList(from, end);
    query.matching().prepare(() -> next.stream().map(objects::peek).toList());
    return end;
  }

  /** True if at most one entry can match, so that there is no next page. */
  private static boolean isSinglePage(ListQuery query) {
    return query.name() != null && (query.namespace() != null || !query.kind().namespaced());
  }

  private static boolean isFull(ListQuery query, List<Item> items) {
    return query.limit() > 0 && items.size() >= query.limit();
  }

  private static int start(ListQuery query, List<Entry> entries) {
    String after = query.after();
    if (after == null) {
      return 0;
    }
    Entry wanted = new Entry(after, new byte[0], 0, 0);
    int found = Collections.binarySearch(entries, wanted, Comparator.comparing(Entry::key));
    return found < 0 ? -found - 1 : found + 1;
  }
}
