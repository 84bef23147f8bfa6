package dev.stint.reconcile.leader;

import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An election with shards as its Leases show it to somebody who takes no part in it. Whether a
 * Lease has expired is judged by the clock of the observer, which may differ from those of the
 * replicas.
 *
 * @param lease the Lease that all replicas of one configuration share
 * @param configuration the state of that Lease
 * @param shards the state of the Lease of each shard, in order
 * @param replicas the Leases of replicas, in the order of their holders
 */
public record ShardOverview(
    ObjectRef lease, Hold configuration, List<Hold> shards, List<Hold> replicas) {
  private static final String SHARD = "-shard-";
  private static final String REPLICA = "-replica-";

  /**
   * The state of one Lease.
   *
   * @param holder who holds it or held it last; empty for none
   * @param renewed when it was last renewed; null if it never was
   * @param duration how long the holder has it from then on
   */
  public record Hold(String holder, @Nullable Instant renewed, Duration duration) {
    private static final Hold NONE = new Hold("", null, Duration.ZERO);

    private static Hold of(LeaseRecord record) {
      return new Hold(record.holder(), record.renewed(), record.duration());
    }

    /** True if the holder may work now. */
    public boolean isHeld(Instant now) {
      return !holder.isEmpty() && renewed != null && now.isBefore(renewed.plus(duration));
    }
  }

  /** Returns the name of the Lease of a shard. */
  static String shardLease(String name, int shard) {
    return name + SHARD + shard;
  }

  /** Returns the beginning of the names of replicas' Leases. */
  static String replicaLease(String name) {
    return name + REPLICA;
  }

  /** Returns the elections that these Leases belong to, in the order of their names. */
  public static List<ShardOverview> of(Collection<KubeObject> leases) {
    return leases.stream()
        .flatMap(lease -> Stream.ofNullable(of(lease, leases)))
        .sorted(Comparator.comparing(each -> each.lease().toString()))
        .toList();
  }

  private static @Nullable ShardOverview of(KubeObject lease, Collection<KubeObject> all) {
    LeaseRecord record = LeaseRecord.read(lease.spec());
    Sharding sharding = LeaderElectionConfig.sharding(record.holder());
    if (sharding == null) {
      return null;
    }
    var beside =
        all.stream()
            .filter(each -> each.namespace().equals(lease.namespace()))
            .collect(Collectors.toMap(KubeObject::name, each -> LeaseRecord.read(each.spec())));
    List<Hold> shards = new ArrayList<>();
    IntStream.range(0, sharding.count())
        .mapToObj(shard -> beside.get(shardLease(lease.name(), shard)))
        .forEach(each -> shards.add(each == null ? Hold.NONE : Hold.of(each)));
    List<Hold> replicas =
        beside.entrySet().stream()
            .filter(each -> each.getKey().startsWith(replicaLease(lease.name())))
            .map(each -> Hold.of(each.getValue()))
            .filter(each -> !each.holder().isEmpty())
            .sorted(Comparator.comparing(Hold::holder))
            .toList();
    return new ShardOverview(lease.ref(), Hold.of(record), List.copyOf(shards), replicas);
  }

  /** Returns the shards that a replica holds now. */
  public List<Integer> shardsOf(String replica, Instant now) {
    return IntStream.range(0, shards.size())
        .filter(i -> shards.get(i).isHeld(now) && shards.get(i).holder().equals(replica))
        .boxed()
        .toList();
  }
}
