package dev.stint.apiserver;

import dev.stint.apiserver.catalogue.ApiCatalogue;
import dev.stint.model.Kind;
import dev.stint.store.Entry;
import dev.stint.store.Snapshot;
import dev.stint.store.StoreView;
import java.util.Collections;
import java.util.HashMap;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The shares of memory that namespaces take. While memory is scarce, a namespace gets more if it
 * holds less than half of what the fullest one holds: whoever fills the memory leaves room for all
 * others. So do those that hold more, up to their average, unless there is only one of them:
 * namespaces that have equal shares go on together.
 *
 * <p>The shares are counted when memory is scarce, and again after as many writes as make a
 * difference; so they cost nothing before.
 */
final class NamespaceShares {
  private final Supplier<ApiCatalogue> catalogue;
  private @Nullable Shares last;

  /** The bytes of each namespace's objects at a revision. */
  record Shares(long revision, int entries, Map<String, Long> bytes) {
    boolean isCurrent(long revisionNow) {
      return revisionNow - revision <= 64 + entries / 64;
    }

    boolean mayGrow(String namespace) {
      long half = bytes.isEmpty() ? 0 : Collections.max(bytes.values()) / 2;
      long own = bytes.getOrDefault(namespace, 0L);
      LongSummaryStatistics full =
          bytes.values().stream()
              .mapToLong(Long::longValue)
              .filter(each -> each >= half)
              .summaryStatistics();
      return own < half || full.getCount() > 1 && own <= full.getAverage();
    }
  }

  /**
   * @param catalogue returns the resources that are served now
   */
  NamespaceShares(Supplier<ApiCatalogue> catalogue) {
    this.catalogue = catalogue;
  }

  /** True if a namespace may take more memory while that is scarce. */
  synchronized boolean mayGrow(String namespace, StoreView store) {
    Shares known = last;
    if (known == null || !known.isCurrent(store.revision())) {
      known = count(store);
      last = known;
    }
    return known.mayGrow(namespace);
  }

  private Shares count(StoreView store) {
    Map<String, Long> bytes = new HashMap<>();
    int entries = 0;
    for (Kind kind : catalogue.get().storedKinds()) {
      if (kind.namespaced()) {
        String prefix = StorageKeys.prefix(kind, null);
        Snapshot all = store.list(prefix);
        entries += all.entries().size();
        all.entries().forEach(entry -> add(bytes, entry, prefix.length()));
      }
    }
    return new Shares(store.revision(), entries, bytes);
  }

  private static void add(Map<String, Long> bytes, Entry entry, int prefix) {
    int end = Math.max(prefix, entry.key().indexOf('/', prefix));
    bytes.merge(entry.key().substring(prefix, end), (long) entry.length(), Long::sum);
  }
}
