package dev.stint.reconcile.leader;

import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Follows Leases for their candidates. */
@FunctionalInterface
interface LeaseSource {
  /**
   * Reads a Lease and reports it, and then each change from there.
   *
   * @param onReport receives the Lease; null if there is none
   * @return ends it
   */
  Runnable follow(ObjectRef lease, Consumer<@Nullable KubeObject> onReport);
}
