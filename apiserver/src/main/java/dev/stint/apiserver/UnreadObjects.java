package dev.stint.apiserver;

import dev.stint.model.KubeObject;
import dev.stint.store.Entry;
import java.util.AbstractList;
import java.util.List;
import java.util.RandomAccess;
import java.util.function.Function;

/**
 * The objects of stored entries, each made whenever it is asked for: old values are stored packed,
 * and all objects of a namespace may not fit into memory.
 */
final class UnreadObjects extends AbstractList<KubeObject> implements RandomAccess {
  private final List<Entry> entries;
  private final Function<Entry, KubeObject> object;

  UnreadObjects(List<Entry> entries, Function<Entry, KubeObject> object) {
    this.entries = entries;
    this.object = object;
  }

  @Override
  public KubeObject get(int index) {
    return object.apply(entries.get(index));
  }

  @Override
  public int size() {
    return entries.size();
  }
}
