package dev.stint.store;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** All entries at one moment. */
public interface Entries {
  /** Returns the entry of a key; null if it is missing. */
  @Nullable Entry get(String key);

  /** True if some key starts with the prefix: cheaper than a list. */
  boolean hasPrefix(String prefix);

  /** Returns the entries whose keys start with the prefix, in order, without copying them. */
  List<Entry> list(String prefix);
}
