package dev.stint.reconcile.leader;

import dev.stint.model.ObjectRef;
import dev.stint.reconcile.Reflector;

/** Follows Leases for their candidates. */
@FunctionalInterface
interface LeaseSource {
  /**
   * Reads a Lease and reports its changes from there, as a {@link Reflector} of one object does.
   *
   * @return ends it
   */
  Runnable follow(ObjectRef lease, Reflector.Listener listener);
}
