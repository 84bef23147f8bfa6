package dev.stint.controllers.job;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.reconcile.ClusterRequests;
import dev.stint.reconcile.FencedCluster;
import dev.stint.reconcile.leader.Sharding;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The shards of Jobs that a controller holds, how it writes for each, and how much it has read of
 * each since it was taken. Earlier events of a watch may be older than the last write of the former
 * holder. So the controller lists Jobs and then pods before it decides anything.
 */
final class HeldShards {
  /**
   * A shard that is held.
   *
   * @param writes sends writes only while the shard is held
   * @param read completes when the shard has been read since it was taken
   */
  private record Held(Cluster writes, CompletableFuture<@Nullable Void> read) {}

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
    all.held.put(0, new Held(cluster, ClusterRequests.NOTHING));
    return all;
  }

  /**
   * Records that a shard is held.
   *
   * @param writes sends writes only while the shard is held
   * @param read completes when its Jobs and pods have been listed
   */
  void take(int shard, Cluster writes, CompletableFuture<@Nullable Void> read) {
    held.put(shard, new Held(writes, read));
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

  /**
   * Completes, on the event loop, when the shard of an object has been read since it was taken;
   * never if it is not held.
   */
  CompletableFuture<@Nullable Void> read(String uid) {
    Held found = held.get(sharding.shardOf(uid));
    return found == null ? new CompletableFuture<>() : found.read();
  }

  /**
   * Returns the API for writes about an object, which ends with the present term of its shard;
   * refuses them with {@link ClusterException#isWithheld} if the shard is not held.
   */
  Cluster writer(String uid) {
    Held found = held.get(sharding.shardOf(uid));
    return found == null ? nothing : found.writes;
  }
}
