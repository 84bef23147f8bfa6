package dev.stint.controllers;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.Timers;
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
 * Sees to it that every active namespace has one certain object, and that it is as it should be.
 */
final class NamespaceDefault implements Controller {
  /** The object that each namespace has. */
  interface Wanted {
    Kind kind();

    String name();

    /** The object as it is made, without its namespace. */
    ObjectNode document();

    /** What is there, put right; null where it is right. */
    @Nullable KubeObject mended(KubeObject found);
  }

  private final Wanted wanted;
  private final Cluster cluster;
  private final Executor loop;
  private final Informer namespaces;
  private final Informer objects;
  private final WorkQueue<String> queue;

  /** Names of the active namespaces, by uid. */
  private final Map<String, String> active = new HashMap<>();

  /** Namespaces of the objects that are right, by uid. */
  private final Map<String, String> present = new HashMap<>();

  private final Set<Kind> listed = new HashSet<>();

  /**
   * A controller that is not started yet.
   *
   * @param name as the log has it
   * @param loop runs one task at a time, in order; all happens there
   */
  NamespaceDefault(
      String name,
      Wanted wanted,
      Cluster cluster,
      Executor loop,
      InstantSource clock,
      Timers timers) {
    this.wanted = wanted;
    this.cluster = cluster;
    this.loop = loop;
    this.queue = new WorkQueue<>(name, loop, clock, timers, this::work);
    this.namespaces = new Informer(cluster, Kind.NAMESPACE, loop, timers, new NamespaceListener());
    this.objects = new Informer(cluster, wanted.kind(), loop, timers, new ObjectListener());
  }

  @Override
  public void start() {
    loop.execute(() -> {
      namespaces.start();
      objects.start();
    });
  }

  @Override
  public void close() {
    loop.execute(() -> {
      queue.close();
      namespaces.close();
      objects.close();
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

  private final class ObjectListener implements Informer.Listener {
    @Override
    public void put(KubeObject object) {
      if (!object.name().equals(wanted.name())) {
        return;
      }
      if (wanted.mended(object) == null) {
        present.put(object.uid(), object.namespace());
      } else {
        present.remove(object.uid());
        queue.add(object.namespace());
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
      openAfter(wanted.kind());
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
    ObjectRef ref = new ObjectRef(wanted.kind(), namespace, wanted.name());
    return Requests.find(cluster, ref)
        .thenCompose(found -> found == null ? create(namespace) : mend(found))
        .<@Nullable Void>thenApply(_ -> null)
        .exceptionallyComposeAsync(failure -> refused(namespace, failure), loop);
  }

  private CompletableFuture<KubeObject> create(String namespace) {
    return cluster.create(made(namespace));
  }

  /** Where somebody deletes it meanwhile, it is made anew: nothing else would tell of that. */
  private CompletableFuture<KubeObject> mend(KubeObject found) {
    KubeObject mended = wanted.mended(found);
    return mended == null
        ? CompletableFuture.completedFuture(found)
        : cluster
            .update(mended)
            .exceptionallyCompose(failure ->
                Requests.is(failure, Reason.NOT_FOUND)
                    ? create(found.namespace())
                    : CompletableFuture.failedFuture(failure));
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

  private KubeObject made(String namespace) {
    ObjectNode tree = wanted.document();
    tree.put("apiVersion", wanted.kind().apiVersion()).put("kind", wanted.kind().kind());
    tree.withObjectProperty("metadata").put("name", wanted.name()).put("namespace", namespace);
    return KubeObject.of(tree);
  }
}
