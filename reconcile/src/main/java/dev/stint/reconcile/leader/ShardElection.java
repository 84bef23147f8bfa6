package dev.stint.reconcile.leader;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.DeleteOptions;
import dev.stint.cluster.EventLoop;
import dev.stint.model.Kind;
import dev.stint.model.ObjectRef;
import dev.stint.reconcile.ClusterRequests;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A replica's part in an election with shards. Each shard has a Lease, and each replica is a
 * candidate for all of them, but claims only its share ({@link ShardBalance}). Each replica has a
 * Lease of its own besides, so that the others know of it. A replica that holds more than its share
 * gives shards up once the same replicas have been there for the duration of a lease, so that one
 * that comes and goes moves nothing.
 *
 * <p>A shard is given up in this order: its work stops, its requests under way are answered, its
 * Lease is released. Everything happens on the event loop, callbacks included.
 */
public final class ShardElection {
  private static final Logger LOG = LoggerFactory.getLogger(ShardElection.class);

  /** The number of lease durations after which the Lease of a replica that is gone is deleted. */
  private static final int REMEMBERED = 10;

  /** Does the work of the shards that this process holds. */
  public interface Worker {
    /** Reports that this process holds a shard from now on, for as long as the term holds. */
    void onTaken(int shard, Term term);

    /**
     * Ends the work of a shard that this process may still hold.
     *
     * @return completes when nothing of it is under way any more, be it of this term or of a former
     *     one
     */
    CompletableFuture<@Nullable Void> onGivenUp(int shard);

    /** Reports that this process no longer holds a shard; the term has ended already. */
    void onLost(int shard);
  }

  private final Cluster cluster;
  private final String namespace;
  private final String identity;
  private final LeaseTimes times;
  private final EventLoop loop;
  private final Worker worker;
  private final String memberPrefix;
  private final LeaseFeed feed;
  private final LeaderElector membership;
  private final List<Candidate> candidates;
  private Set<String> members = Set.of();
  private Instant membersSince = Instant.MIN;
  private boolean stopping;
  private Runnable cancelTimer = () -> {};

  /**
   * Creates a part in an election that has not started yet.
   *
   * @param lease the prefix of the names of all Leases, and their namespace
   * @param identity the identity of this process; no two parts have the same
   * @param loop its clock must never be set: it measures durations
   * @param wall the wall clock, for times that others read
   */
  public ShardElection(
      Cluster cluster,
      ObjectRef lease,
      String identity,
      Sharding sharding,
      LeaseTimes times,
      EventLoop loop,
      InstantSource wall,
      Worker worker) {
    this.cluster = cluster;
    this.namespace = lease.namespace();
    this.identity = identity;
    this.times = times;
    this.loop = loop;
    this.worker = worker;
    this.memberPrefix = ShardOverview.replicaLease(lease.name());
    this.feed = new LeaseFeed(cluster, namespace, lease.name() + "-", loop, this::balance);
    this.membership =
        new LeaderElector(
            cluster,
            config(ref(memberPrefix + suffix(identity)), LeaseRole.MEMBER),
            loop,
            wall,
            new Membership(),
            feed,
            () -> true);
    this.candidates =
        IntStream.range(0, sharding.count())
            .mapToObj(shard ->
                new Candidate(shard, ref(ShardOverview.shardLease(lease.name(), shard)), wall))
            .toList();
  }

  private ObjectRef ref(String name) {
    return new ObjectRef(Kind.LEASE, namespace, name);
  }

  private LeaderElectionConfig config(ObjectRef lease, LeaseRole role) {
    return new LeaderElectionConfig(lease, identity, times, role);
  }

  /** Returns a name for an identity, which may have characters that no name has. */
  private static String suffix(String identity) {
    return UUID.nameUUIDFromBytes(identity.getBytes(StandardCharsets.UTF_8))
        .toString()
        .substring(24);
  }

  /** A replica needs nothing but its Lease to be known. */
  private static final class Membership implements LeaderCallbacks {
    @Override
    public void onStartedLeading(Term term) {}

    @Override
    public void onStoppedLeading(String reason) {}
  }

  /** This process as a candidate for one shard. */
  private final class Candidate implements LeaderCallbacks {
    private final int shard;
    private final String name;
    private final LeaderElector elector;
    private boolean wanted;
    private boolean held;
    private boolean leaving;

    /** The number of terms so far, by which the end of one is told from that of the next. */
    private int terms;

    Candidate(int shard, ObjectRef lease, InstantSource wall) {
      this.shard = shard;
      this.name = lease.name();
      this.elector =
          new LeaderElector(
              cluster,
              config(lease, LeaseRole.SHARD),
              loop,
              wall,
              this,
              feed,
              () -> wanted && !leaving && !stopping);
    }

    @Override
    public void onStartedLeading(Term term) {
      if (stopping) {
        return; // The Lease is about to be released.
      }
      held = true;
      terms++;
      worker.onTaken(shard, term);
    }

    @Override
    public void onStoppedLeading(String reason) {
      held = false;
      worker.onLost(shard);
    }

    /** Returns the holder as far as it is known; null for none. */
    @Nullable String holder() {
      ObservedLease lease = feed.get(name);
      return held ? identity : lease == null ? null : lease.holder(loop.now());
    }

    void giveUp() {
      LOG.info("Giving up shard {}: another replica has fewer", shard);
      leaving = true;
      int ending = terms;
      worker
          .onGivenUp(shard)
          .handle((_, _) -> true)
          .thenComposeAsync(_ -> terms == ending ? handOver() : ClusterRequests.NOTHING, loop)
          .whenCompleteAsync((_, _) -> leaving = false, loop);
    }

    private CompletableFuture<@Nullable Void> handOver() {
      held = false;
      return elector.resign();
    }

    /** Ends the work, and then the candidacy. */
    CompletableFuture<@Nullable Void> leave() {
      return worker.onGivenUp(shard).thenCompose(_ -> elector.release());
    }
  }

  /** Starts to take part. Returns at once. */
  public void start() {
    loop.execute(() -> {
      feed.start();
      membership.start();
      candidates.forEach(candidate -> candidate.elector.start());
      tick();
    });
  }

  /**
   * Ends the work of all shards, releases them, and leaves. Must be called on the event loop.
   *
   * @return completes when nothing is under way any more, and all Leases are released or that has
   *     failed
   */
  public CompletableFuture<@Nullable Void> stop() {
    end();
    List<CompletableFuture<?>> ends = new ArrayList<>();
    candidates.forEach(candidate -> ends.add(candidate.leave()));
    ends.add(membership.release());
    return CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new));
  }

  /** Leaves at once; the Leases expire by themselves. Must be called on the event loop. */
  public void close() {
    end();
    candidates.forEach(candidate -> candidate.elector.close());
    membership.close();
  }

  private void end() {
    stopping = true;
    cancelTimer.run();
    feed.close();
  }

  private void tick() {
    if (!stopping) {
      balance();
      cancelTimer = loop.after(times.retryPeriod(), this::tick);
    }
  }

  /** Claims what is free and belongs here, and gives up what belongs to others. */
  private void balance() {
    if (stopping) {
      return;
    }
    observeMembers();
    List<@Nullable String> holders = new ArrayList<>();
    candidates.forEach(candidate -> holders.add(candidate.holder()));
    List<String> owners = ShardBalance.owners(holders, members);
    boolean steady = !loop.now().isBefore(membersSince.plus(times.leaseDuration()));
    for (Candidate candidate : candidates) {
      candidate.wanted = owners.get(candidate.shard).equals(identity);
      if (candidate.leaving) {
        continue;
      }
      if (candidate.wanted && !candidate.held) {
        candidate.elector.reconsider();
      } else if (!candidate.wanted && candidate.held && steady) {
        candidate.giveUp();
      }
    }
  }

  private void observeMembers() {
    Instant now = loop.now();
    boolean cleans = candidates.getFirst().held;
    Set<String> live = new TreeSet<>(Set.of(identity));
    for (ObservedLease each : feed.beginningWith(memberPrefix)) {
      String holder = each.holder(now);
      if (holder != null) {
        live.add(holder);
      } else if (cleans && now.isAfter(each.since().plus(remembered()))) {
        forget(each);
      }
    }
    if (!live.equals(members)) {
      members = live;
      membersSince = now;
      LOG.info("{} replicas share {} shards", live.size(), candidates.size());
    }
  }

  private Duration remembered() {
    return times.leaseDuration().multipliedBy(REMEMBERED);
  }

  /** Deletes the Lease of a replica that is gone; one that comes back creates it again. */
  private void forget(ObservedLease gone) {
    feed.forget(gone);
    cluster
        .delete(gone.lease().ref(), DeleteOptions.only(gone.lease().uid()))
        .exceptionally(failure -> {
          LOG.debug("Cannot delete {}", gone.lease(), failure);
          return null;
        });
  }
}
