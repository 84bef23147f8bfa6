package dev.stint.embedded;

import dev.stint.model.ObjectRef;
import dev.stint.reconcile.leader.LeaseRole;
import dev.stint.reconcile.leader.LeaseTimes;
import dev.stint.reconcile.leader.Sharding;
import org.jspecify.annotations.Nullable;

/**
 * A candidate for leader election.
 *
 * @param lease the Lease that is contended for
 * @param identity the candidate's name; no two processes share one
 * @param sharding how all candidates share the work; null if the leader does it alone
 */
public record LeaderCandidate(
    ObjectRef lease, String identity, LeaseTimes times, @Nullable Sharding sharding) {
  /**
   * Returns the holder of the Lease. All replicas with the same number of shards hold it together,
   * so that a replica with another number waits until they are gone.
   */
  String holder() {
    return sharding == null ? identity : "replicas-with-" + sharding.count() + "-shards";
  }

  /** Returns the role of the holder. */
  LeaseRole role() {
    return sharding == null ? LeaseRole.LEADER : LeaseRole.CONFIGURATION;
  }
}
