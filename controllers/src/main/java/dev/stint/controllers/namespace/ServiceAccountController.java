package dev.stint.controllers.namespace;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.EventLoop;
import dev.stint.controllers.metrics.Metrics;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.reconcile.Controller;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Keeps a service account {@code default} in every active namespace (Kubernetes documentation,
 * Managing Service Accounts, ServiceAccount controller).
 */
public final class ServiceAccountController implements Controller {
  private final NamespaceObjectKeeper accounts;

  /**
   * Creates a controller that is not started yet.
   *
   * @param loop the event loop that runs all of its work
   */
  public ServiceAccountController(Cluster cluster, EventLoop loop, Metrics metrics) {
    this.accounts =
        new NamespaceObjectKeeper(
            "service account controller",
            new Account(),
            cluster,
            loop,
            metrics.queue("serviceaccount"));
  }

  /** Starts following the API. Returns at once. */
  @Override
  public void start() {
    accounts.start();
  }

  /** Stops following the API. Does not wait for writes in flight. */
  @Override
  public void close() {
    accounts.close();
  }

  /** The service account, which is correct whatever it contains. */
  private static final class Account implements NamespaceObjectKeeper.RequiredObject {
    @Override
    public Kind kind() {
      return Kind.SERVICE_ACCOUNT;
    }

    @Override
    public String name() {
      return "default";
    }

    @Override
    public ObjectNode document() {
      return Json.object();
    }

    @Override
    public @Nullable KubeObject corrected(KubeObject found) {
      return null;
    }
  }
}
