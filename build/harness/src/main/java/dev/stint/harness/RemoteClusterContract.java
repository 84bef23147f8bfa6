package dev.stint.harness;

import dev.stint.cluster.Cluster;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** The contract of a client, against an API server that keeps few events for watches. */
public abstract class RemoteClusterContract extends ClusterContract {
  /** The number of events that the server keeps. */
  protected static final int LOG_EVENTS = 200;

  /** Returns the server's objects, past the client. */
  protected abstract Cluster server();

  @Override
  protected final <T extends @Nullable Object> T answer(CompletableFuture<T> request) {
    return request.orTimeout(60, TimeUnit.SECONDS).join();
  }

  @Override
  protected final void expireRevisions() {
    ObjectRef filler = new ObjectRef(Kind.CONFIG_MAP, "default", "filler");
    ObjectNode tree = Json.object().put("apiVersion", "v1").put("kind", "ConfigMap");
    tree.putObject("metadata").put("name", filler.name()).put("namespace", filler.namespace());
    server().create(KubeObject.of(tree)).join();
    for (int i = 0; i <= LOG_EVENTS; i++) {
      ObjectNode patch = Json.object();
      patch.putObject("data").put("count", Integer.toString(i));
      server().patch(filler, patch).join();
    }
  }
}
