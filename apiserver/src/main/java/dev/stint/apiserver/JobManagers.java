package dev.stint.apiserver;

import dev.stint.model.Kind;
import dev.stint.store.CompactedException;
import dev.stint.store.Snapshot;
import dev.stint.store.StoreView;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Detects Jobs that name a manager; Kubernetes' tables then have a column for it. */
final class JobManagers {
  /** The result for one revision. */
  private record Found(@Nullable String namespace, long revision, boolean named) {}

  private final StoredObjects stored;

  /** The last result: all pages of a list ask for the same one. */
  private volatile @Nullable Found last;

  JobManagers(StoredObjects stored) {
    this.stored = stored;
  }

  /**
   * True if some Job names a manager.
   *
   * @param namespace null for all
   * @param revision the revision to look at; the current one if it is no longer known
   */
  boolean hasManagedJob(@Nullable String namespace, long revision) {
    Found known = last;
    if (known == null
        || known.revision != revision
        || !Objects.equals(known.namespace, namespace)) {
      known = new Found(namespace, revision, anyNamesManager(namespace, revision));
      last = known;
    }
    return known.named;
  }

  private boolean anyNamesManager(@Nullable String namespace, long revision) {
    StoreView store = stored.store();
    String prefix = StorageKeys.prefix(Kind.JOB, namespace);
    Snapshot snapshot;
    try {
      snapshot = store.list(prefix, Math.min(revision, store.revision()));
    } catch (CompactedException tooOld) {
      snapshot = store.list(prefix);
    }
    return snapshot.entries().stream()
        .map(stored.shared()::peek)
        .anyMatch(job -> job.specText("managedBy") != null);
  }
}
