package dev.stint.reconcile.leader;

import dev.stint.model.ObjectRef;

/**
 * The Lease that a candidate wants to hold, and how.
 *
 * @param lease the Lease; created if there is none
 * @param identity the holder that the candidate writes into the Lease; no two processes have the
 *     same, unless their role is to share the Lease
 */
public record LeaderElectionConfig(
    ObjectRef lease, String identity, LeaseTimes times, LeaseRole role) {
  /** Returns the configuration of a process that leads alone. */
  public static LeaderElectionConfig ofLeader(ObjectRef lease, String identity, LeaseTimes times) {
    return new LeaderElectionConfig(lease, identity, times, LeaseRole.LEADER);
  }

  /**
   * Returns the configuration of a replica that works beside others. All with the same number of
   * shards hold the Lease together, so that a replica with another number waits until they are
   * gone.
   */
  public static LeaderElectionConfig ofReplica(
      ObjectRef lease, Sharding sharding, LeaseTimes times) {
    String holder = "replicas-with-" + sharding.count() + "-shards";
    return new LeaderElectionConfig(lease, holder, times, LeaseRole.CONFIGURATION);
  }
}
