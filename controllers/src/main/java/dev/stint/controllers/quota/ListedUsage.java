package dev.stint.controllers.quota;

import dev.stint.cluster.ObjectList;
import dev.stint.model.Kind;
import dev.stint.model.Quantity;
import dev.stint.model.quota.QuotaAccount;
import dev.stint.model.quota.QuotaAccount.Counted;
import java.util.HashSet;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The usage of the objects of one kind, which are listed in parts. No object is kept: all of a
 * namespace together may be more than the heap.
 */
final class ListedUsage {
  private final QuotaAccount account;
  private final Kind kind;
  private final NavigableMap<String, Quantity> used = new TreeMap<>();
  private final Set<String> counted = new HashSet<>();
  private String revision = "";

  ListedUsage(QuotaAccount account, Kind kind) {
    this.account = account;
    this.kind = kind;
  }

  /** Adds a part. One of another revision starts the list anew, and parts may be repeated. */
  CompletableFuture<@Nullable Void> add(ObjectList part) {
    if (!part.resourceVersion().equals(revision)) {
      revision = part.resourceVersion();
      used.clear();
      counted.clear();
    }
    Stream<Counted> fresh =
        part.items().stream()
            .filter(object -> counted.add(object.uid()))
            .map(object -> new Counted(kind, object.tree()));
    QuotaAccount.add(used, account.counted(fresh));
    return CompletableFuture.completedFuture(null);
  }

  NavigableMap<String, Quantity> used() {
    return used;
  }
}
