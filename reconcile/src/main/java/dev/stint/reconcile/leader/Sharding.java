package dev.stint.reconcile.leader;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;

/**
 * The division of objects into shards, by the hash of their uid. All replicas must use the same
 * count, so neither the hash nor the way to a shard may ever change.
 *
 * @param count the number of shards
 */
public record Sharding(int count) {
  /** The largest count: each shard costs a Lease, and a renewal of it every two seconds. */
  public static final int MOST = 64;

  /** All objects in one shard. */
  public static final Sharding NONE = new Sharding(1);

  /**
   * Checks the count.
   *
   * @throws IllegalArgumentException with a message for users
   */
  public Sharding {
    if (count < 1 || count > MOST) {
      throw new IllegalArgumentException("the number of shards must be 1 to " + MOST);
    }
  }

  /** Returns the shard of an object; shard 0 for an empty uid. */
  public int shardOf(String uid) {
    if (count == 1) {
      return 0;
    }
    CRC32 hash = new CRC32();
    hash.update(uid.getBytes(StandardCharsets.UTF_8));
    return (int) (hash.getValue() % count);
  }
}
