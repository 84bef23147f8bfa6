package dev.stint.reconcile.leader;

import dev.stint.model.ObjectRef;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The Lease that a candidate wants to hold, and how.
 *
 * @param lease the Lease; created if there is none
 * @param identity the holder that the candidate writes into the Lease; no two processes have the
 *     same, unless their role is to share the Lease
 */
public record LeaderElectionConfig(
    ObjectRef lease, String identity, LeaseTimes times, LeaseRole role) {
  private static final String BEFORE_COUNT = "replicas-with-";
  private static final String AFTER_COUNT = "-shards";
  private static final Pattern REPLICAS =
      Pattern.compile(BEFORE_COUNT + "(\\d{1,3})" + AFTER_COUNT);

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
    String holder = BEFORE_COUNT + sharding.count() + AFTER_COUNT;
    return new LeaderElectionConfig(lease, holder, times, LeaseRole.CONFIGURATION);
  }

  /** Returns the sharding of the replicas that hold a Lease together; null for another holder. */
  static @Nullable Sharding sharding(String holder) {
    Matcher parts = REPLICAS.matcher(holder);
    int count = parts.matches() ? Integer.parseInt(parts.group(1)) : 0;
    return count < 1 || count > Sharding.MOST ? null : new Sharding(count);
  }
}
