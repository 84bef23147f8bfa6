package dev.stint.controllers.job;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.reconcile.FencedCluster;
import dev.stint.reconcile.leader.Sharding;
import java.util.HashMap;
import java.util.Map;

/**
 * The shards of Jobs that a controller holds, how it writes for each, and how much it has read of
 * each since it was taken. What a watch reported before may be older than the last write of the
 * former holder, so Jobs are listed first, then pods, and nothing is decided before.
 */
final class HeldShards {
  /** The progress of reading a shard. */
  private enum Stage {
    TAKEN,
    LISTING_JOBS,
    LISTING_PODS,
    READ
  }

  private static final class Held {
    final Cluster writes;
    Stage stage;

    Held(Cluster writes, Stage stage) {
      this.writes = writes;
      this.stage = stage;
    }
  }

  private final Sharding sharding;
  private final Map<Integer, Held> held = new HashMap<>();
  private final Cluster nothing;

  /**
   * Creates shards of which none is held.
   *
   * @param reads the API, for reading
   */
  HeldShards(Sharding sharding, Cluster reads) {
    this.sharding = sharding;
    this.nothing = new FencedCluster(reads, () -> false);
  }

  /** Creates the one shard of a controller that decides all Jobs. */
  static HeldShards all(Cluster cluster) {
    HeldShards all = new HeldShards(Sharding.NONE, cluster);
    all.held.put(0, new Held(cluster, Stage.READ));
    return all;
  }

  /**
   * Records that a shard is held.
   *
   * @param writes sends writes only while it is
   */
  void take(int shard, Cluster writes) {
    held.put(shard, new Held(writes, Stage.TAKEN));
  }

  /** Records that a shard is not held any more. */
  void drop(int shard) {
    held.remove(shard);
  }

  /**
   * True if an object belongs to a shard that is held.
   *
   * @param uid a Job's uid; empty for objects without a Job, which belong to shard 0
   */
  boolean hold(String uid) {
    return held.containsKey(sharding.shardOf(uid));
  }

  /** True if an object belongs to a shard that is held and has been read since it was taken. */
  boolean haveRead(String uid) {
    Held found = held.get(sharding.shardOf(uid));
    return found != null && found.stage == Stage.READ;
  }

  /**
   * Returns the API for writes about an object, which ends with the present term of its shard;
   * refuses them with {@link ClusterException#isWithheld} if the shard is not held.
   */
  Cluster writer(String uid) {
    Held found = held.get(sharding.shardOf(uid));
    return found == null ? nothing : found.writes;
  }

  /** Records that a list of all Jobs is about to begin. */
  void onListingJobs() {
    advance(Stage.TAKEN, Stage.LISTING_JOBS);
  }

  /** Records the end of a list of all Jobs; true if pods must be listed now. */
  boolean onJobsListed() {
    return advance(Stage.LISTING_JOBS, Stage.LISTING_PODS);
  }

  /** Records the end of a list of all pods. */
  void onPodsListed() {
    advance(Stage.LISTING_PODS, Stage.READ);
  }

  private boolean advance(Stage from, Stage to) {
    boolean any = false;
    for (Held each : held.values()) {
      if (each.stage == from) {
        each.stage = to;
        any = true;
      }
    }
    return any;
  }
}
