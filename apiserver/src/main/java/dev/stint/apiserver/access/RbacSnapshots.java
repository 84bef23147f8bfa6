package dev.stint.apiserver.access;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The newest snapshots of roles and bindings, one of each namespace. A change of a namespace costs
 * only requests in that namespace, and only they wait until it is read: whoever may fill one
 * namespace slows down no other.
 */
final class RbacSnapshots {
  private final RbacSource source;
  private final ConcurrentMap<String, Newest> held = new ConcurrentHashMap<>();
  private volatile boolean begun;

  RbacSnapshots(RbacSource source) {
    this.source = source;
  }

  /**
   * Returns the snapshot of a namespace, with all changes that were made before the call.
   *
   * @param namespace "" for what lies in none
   */
  RbacSnapshot of(String namespace) {
    if (!begun) {
      begin();
    }
    Newest known = held.get(namespace);
    Newest newest = known != null ? known : held.computeIfAbsent(namespace, Newest::new);
    RbacSnapshot snapshot = newest.snapshot();
    if (snapshot.isEmpty()) {
      held.remove(namespace, newest); // Users may ask about any number of names.
    }
    return snapshot;
  }

  /**
   * Reads all namespaces once. What they take in memory is then known before more objects are let
   * in, as it was before a restart.
   */
  private synchronized void begin() {
    if (!begun) {
      for (String namespace : source.namespaces()) {
        held.computeIfAbsent(namespace, Newest::new).snapshot();
      }
      begun = true;
    }
  }

  /** Forgets the namespaces that were emptied; nobody may ask about a deleted one again. */
  private void forgetEmptied() {
    held.values().removeIf(Newest::isEmptied);
  }

  /** Returns the namespaces that take memory. */
  Set<String> held() {
    return held.keySet();
  }

  /** The newest snapshot of a namespace. */
  private final class Newest {
    private record Read(long revision, RbacSnapshot snapshot) {}

    private static final Read NOTHING = new Read(-1, RbacSnapshot.EMPTY);

    private final String namespace;
    private volatile Read read = NOTHING;

    Newest(String namespace) {
      this.namespace = namespace;
    }

    /** The revision is read first, so that the next request sees changes made meanwhile. */
    RbacSnapshot snapshot() {
      long revision = source.revision(namespace);
      Read known = read;
      return known.revision >= revision ? known.snapshot : renewed(revision);
    }

    /** One thread reads the changes for all that need them. */
    private synchronized RbacSnapshot renewed(long needed) {
      Read known = read;
      if (known.revision >= needed) {
        return known.snapshot;
      }
      long revision = source.revision(namespace);
      RbacSnapshot next = known.snapshot.next(source, namespace);
      read = new Read(revision, next);
      if (next != known.snapshot) {
        forgetEmptied();
      }
      return next;
    }

    /** True if all that is known has been deleted since. */
    boolean isEmptied() {
      long known = read.revision;
      return known >= 0
          && known < source.revision(namespace)
          && RbacSnapshot.isEmpty(source, namespace);
    }
  }
}
