package dev.stint.embedded;

import dev.stint.model.ObjectRef;
import dev.stint.reconcile.leader.LeaderElectionConfig;
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
  /** Returns how the candidate holds the Lease. */
  LeaderElectionConfig config() {
    return sharding == null
        ? LeaderElectionConfig.ofLeader(lease, identity, times)
        : LeaderElectionConfig.ofReplica(lease, sharding, times);
  }
}
