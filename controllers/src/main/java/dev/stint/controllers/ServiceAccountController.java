package dev.stint.controllers;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.Timers;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Sees to it that every active namespace has a service account {@code default} (Kubernetes
 * documentation, Managing Service Accounts, ServiceAccount controller).
 */
public final class ServiceAccountController implements Controller {
  private static final String DEFAULT = "default";

  private final Cluster cluster;
  private final Executor loop;
  private final Informer namespaces;
  private final Informer accounts;
  private final WorkQueue<String> queue;

  /** Names of the active namespaces, by uid. */
  private final Map<String, String> active = new HashMap<>();

  /** Namespaces of the default service accounts, by uid. */
  private final Map<String, String> present = new HashMap<>();

  private final Set<Kind> listed = new HashSet<>();

  /**
   * A controller that is not started yet.
   *
   * @param loop runs one task at a time, in order; all happens there
   */
  public ServiceAccountController(
      Cluster cluster, Executor loop, InstantSource clock, Timers timers) {
    this.cluster = cluster;
    this.loop = loop;
    this.queue = new WorkQueue<>("service account controller", loop, clock, timers, this::work);
    this.namespaces = new Informer(cluster, Kind.NAMESPACE, loop, timers, new NamespaceListener());
    this.accounts =
        new Informer(cluster, Kind.SERVICE_ACCOUNT, loop, timers, new AccountListener());
  }

  /** Starts following the API. Returns at once. */
  @Override
  public void start() {
    loop.execute(() -> {
      namespaces.start();
      accounts.start();
    });
  }

  /** Stops following the API; writes that are under way are not waited for. */
  @Override
  public void close() {
    loop.execute(() -> {
      queue.close();
      namespaces.close();
      accounts.close();
    });
  }

  private final class NamespaceListener implements Informer.Listener {
    @Override
    public void put(KubeObject namespace) {
      if (namespace.deletionTimestamp() == null) {
        active.put(namespace.uid(), namespace.name());
        queue.add(namespace.name());
      } else {
        active.remove(namespace.uid());
      }
    }

    @Override
    public void gone(String uid, String controller) {
      active.remove(uid);
    }

    @Override
    public void listed() {
      openAfter(Kind.NAMESPACE);
    }
  }

  private final class AccountListener implements Informer.Listener {
    @Override
    public void put(KubeObject account) {
      if (account.name().equals(DEFAULT)) {
        present.put(account.uid(), account.namespace());
      }
    }

    @Override
    public void gone(String uid, String controller) {
      String namespace = present.remove(uid);
      if (namespace != null) {
        queue.add(namespace);
      }
    }

    @Override
    public void listed() {
      openAfter(Kind.SERVICE_ACCOUNT);
    }
  }

  private void openAfter(Kind kind) {
    listed.add(kind);
    if (listed.size() == 2) {
      queue.open();
    }
  }

  private CompletableFuture<@Nullable Void> work(String namespace) {
    if (!active.containsValue(namespace) || present.containsValue(namespace)) {
      return Requests.NOTHING;
    }
    return cluster
        .create(account(namespace))
        .<@Nullable Void>thenApply(_ -> null)
        .exceptionallyComposeAsync(failure -> refused(namespace, failure), loop);
  }

  /** It may be there already, and a namespace that is on its way out needs none. */
  private CompletableFuture<@Nullable Void> refused(String namespace, Throwable failure) {
    if (Requests.is(failure, Reason.ALREADY_EXISTS) || Requests.is(failure, Reason.NOT_FOUND)) {
      return Requests.NOTHING;
    }
    if (!Requests.is(failure, Reason.FORBIDDEN)) {
      return CompletableFuture.failedFuture(failure);
    }
    return Requests.find(cluster, new ObjectRef(Kind.NAMESPACE, "", namespace))
        .thenCompose(found ->
            found == null || found.deletionTimestamp() != null
                ? Requests.NOTHING
                : CompletableFuture.failedFuture(failure));
  }

  private static KubeObject account(String namespace) {
    ObjectNode tree = Json.object();
    tree.put("apiVersion", Kind.SERVICE_ACCOUNT.apiVersion());
    tree.put("kind", Kind.SERVICE_ACCOUNT.kind());
    tree.putObject("metadata").put("name", DEFAULT).put("namespace", namespace);
    return KubeObject.of(tree);
  }
}
