package dev.stint.controllers.quota;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.EventLoop;
import dev.stint.controllers.metrics.Metrics;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.Quantity;
import dev.stint.model.quota.QuotaAccount;
import dev.stint.reconcile.ClusterRequests;
import dev.stint.reconcile.Controller;
import dev.stint.reconcile.Informer;
import dev.stint.reconcile.WorkQueue;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Counts what namespaces use, for the status of their resource quotas (Kubernetes documentation,
 * Resource Quotas): of new quotas, of quotas whose limits change, and of all every five minutes.
 *
 * <p>In between, the API server changes the status together with each object that counts. The
 * status is written only if the quota has not changed since it was read, before the objects were
 * listed, so that no object is missed or counted twice.
 */
public final class ResourceQuotaController implements Controller {
  private static final Duration RESYNC = Duration.ofMinutes(5);

  private final Cluster cluster;
  private final EventLoop loop;
  private final Supplier<List<Kind>> kinds;
  private final Informer quotas;
  private final WorkQueue<ObjectRef> queue;
  private final Map<String, ObjectRef> byUid = new HashMap<>();

  /**
   * Creates a controller that is not started yet.
   *
   * @param loop the event loop that runs all of its work
   * @param kinds returns the kinds that are served now; custom ones come and go
   */
  public ResourceQuotaController(
      Cluster cluster, EventLoop loop, Metrics metrics, Supplier<List<Kind>> kinds) {
    this.cluster = cluster;
    this.loop = loop;
    this.kinds = kinds;
    this.queue =
        new WorkQueue<>(
            "resource quota controller",
            loop,
            metrics.queue("resourcequota_primary"),
            this::recount);
    this.quotas = new Informer(cluster, Kind.RESOURCE_QUOTA, loop, new Listener());
  }

  /** Starts following the API. Returns at once. */
  @Override
  public void start() {
    loop.execute(quotas::start);
  }

  /** Stops following the API. Does not wait for writes in flight. */
  @Override
  public void close() {
    loop.execute(() -> {
      queue.close();
      quotas.close();
    });
  }

  private final class Listener implements Informer.Listener {
    @Override
    public void onUpdate(KubeObject quota) {
      boolean known = byUid.put(quota.uid(), quota.ref()) != null;
      if (!known || !new QuotaAccount(quota.tree(), kinds.get()).isCurrent()) {
        queue.add(quota.ref());
      }
    }

    @Override
    public void onDelete(String uid, String controller) {
      ObjectRef ref = byUid.remove(uid);
      // A quota of the same name may have been listed before the old one's deletion was noticed.
      if (ref != null && !byUid.containsValue(ref)) {
        queue.forget(ref);
      }
    }

    @Override
    public void onSynced() {
      queue.open();
    }
  }

  private CompletableFuture<@Nullable Void> recount(ObjectRef ref) {
    queue.addAt(ref, loop.now().plus(RESYNC));
    return ClusterRequests.find(cluster, ref)
        .thenComposeAsync(
            quota -> {
              if (quota == null) {
                queue.forget(ref);
                return ClusterRequests.NOTHING;
              }
              return recount(quota);
            },
            loop);
  }

  private CompletableFuture<@Nullable Void> recount(KubeObject quota) {
    QuotaAccount account = new QuotaAccount(quota.tree(), kinds.get());
    return used(account, quota.namespace())
        .thenCompose(used -> {
          ObjectNode recounted = account.recounted(used);
          return recounted == quota.tree()
              ? ClusterRequests.NOTHING
              : ClusterRequests.unlessGone(cluster.updateStatus(KubeObject.of(recounted)));
        });
  }

  private CompletableFuture<NavigableMap<String, Quantity>> used(
      QuotaAccount account, String namespace) {
    CompletableFuture<NavigableMap<String, Quantity>> sum =
        CompletableFuture.completedFuture(account.counted(Stream.of()));
    for (Kind kind : account.countedKinds()) {
      sum = sum.thenCompose(used -> added(used, new ListedUsage(account, kind), kind, namespace));
    }
    return sum;
  }

  private CompletableFuture<NavigableMap<String, Quantity>> added(
      NavigableMap<String, Quantity> used, ListedUsage more, Kind kind, String namespace) {
    return cluster
        .list(kind, namespace, more::add)
        .thenApply(_ -> {
          QuotaAccount.add(used, more.used());
          return used;
        });
  }
}
