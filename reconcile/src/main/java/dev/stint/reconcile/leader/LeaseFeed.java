package dev.stint.reconcile.leader;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.EventLoop;
import dev.stint.cluster.WatchEvent;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.ResourceVersions;
import dev.stint.reconcile.ClusterRequests;
import dev.stint.reconcile.Reflector;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The Leases of one election with shards, followed by one watch for all of its candidates. Used on
 * the event loop.
 */
final class LeaseFeed implements LeaseSource {
  private static final Duration RETRY = Duration.ofSeconds(1);

  private final Cluster cluster;
  private final EventLoop loop;
  private final String prefix;
  private final Runnable onChange;
  private final Reflector reflector;
  private final Map<String, ObservedLease> leases = new TreeMap<>();
  private final Map<String, Following> followings = new HashMap<>();

  /**
   * @param prefix the beginning of the names of the Leases to follow
   * @param onChange called after changes
   */
  LeaseFeed(Cluster cluster, String namespace, String prefix, EventLoop loop, Runnable onChange) {
    this.cluster = cluster;
    this.loop = loop;
    this.prefix = prefix;
    this.onChange = onChange;
    this.reflector = new Reflector(cluster, Kind.LEASE, namespace, loop, new Changes());
  }

  void start() {
    reflector.start();
  }

  void close() {
    reflector.close();
    followings.clear();
  }

  /** Returns the Lease of a name; null if there is none. */
  @Nullable ObservedLease get(String name) {
    return leases.get(name);
  }

  /** Returns all Leases whose names begin so. */
  List<ObservedLease> beginningWith(String start) {
    return leases.values().stream().filter(each -> each.lease().name().startsWith(start)).toList();
  }

  /** Forgets a Lease until it changes. */
  void forget(ObservedLease lease) {
    leases.remove(lease.lease().name(), lease);
  }

  @Override
  public Runnable follow(ObjectRef lease, Consumer<@Nullable KubeObject> onReport) {
    Following following = new Following(lease, onReport);
    followings.put(lease.name(), following);
    following.read();
    return () -> followings.remove(lease.name(), following);
  }

  private void put(KubeObject found) {
    ObservedLease known = leases.get(found.name());
    if (known == null
        || ResourceVersions.isNewer(found.resourceVersion(), known.lease().resourceVersion())) {
      leases.put(found.name(), ObservedLease.of(found, loop.now()));
    }
  }

  /** One candidate's view of its Lease. It begins with a read: a watch may be late. */
  private final class Following {
    private final ObjectRef lease;
    private final Consumer<@Nullable KubeObject> onReport;
    private boolean read;
    private @Nullable KubeObject newest;

    /** The last event before the answer to the read, which may be older. */
    private @Nullable WatchEvent early;

    Following(ObjectRef lease, Consumer<@Nullable KubeObject> onReport) {
      this.lease = lease;
      this.onReport = onReport;
    }

    private boolean isCurrent() {
      return followings.get(lease.name()) == this;
    }

    void read() {
      ClusterRequests.find(cluster, lease)
          .whenCompleteAsync(
              (found, failure) -> {
                if (failure == null) {
                  onRead(found);
                } else {
                  loop.after(RETRY, () -> again());
                }
              },
              loop);
    }

    private void again() {
      if (isCurrent()) {
        read();
      }
    }

    private void onRead(@Nullable KubeObject found) {
      if (!isCurrent()) {
        return;
      }
      read = true;
      newest = found;
      if (found != null) {
        put(found);
      }
      onReport.accept(found);
      if (early != null) {
        onEvent(early);
        early = null;
      }
      onChange.run();
    }

    void onEvent(WatchEvent event) {
      KubeObject known = newest;
      KubeObject object = event.object();
      if (!read) {
        early = event;
      } else if (known == null
          || ResourceVersions.isNewer(object.resourceVersion(), known.resourceVersion())) {
        newest = object;
        onReport.accept(event.type() == WatchEvent.Type.DELETED ? null : object);
      }
    }
  }

  private final class Changes implements Reflector.Listener {
    private final Set<String> listed = new HashSet<>();

    @Override
    public void onListStart(String revision) {
      listed.clear();
    }

    @Override
    public void onListed(KubeObject object) {
      listed.add(object.name());
      onEvent(new WatchEvent(WatchEvent.Type.MODIFIED, object));
    }

    @Override
    public void onListEnd() {
      List.copyOf(leases.keySet()).stream()
          .filter(name -> !listed.contains(name))
          .forEach(leases::remove);
      onChange.run();
    }

    @Override
    public void onEvent(WatchEvent event) {
      KubeObject object = event.object();
      if (!object.name().startsWith(prefix)) {
        return;
      }
      if (event.type() == WatchEvent.Type.DELETED) {
        leases.remove(object.name());
      } else {
        put(object);
      }
      Following following = followings.get(object.name());
      if (following != null) {
        following.onEvent(event);
      }
    }

    @Override
    public void onBatchEnd() {
      onChange.run();
    }
  }
}
