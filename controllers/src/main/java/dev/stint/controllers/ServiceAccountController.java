package dev.stint.controllers;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.Timers;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import java.time.InstantSource;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Sees to it that every active namespace has a service account {@code default} (Kubernetes
 * documentation, Managing Service Accounts, ServiceAccount controller).
 */
public final class ServiceAccountController implements Controller {
  private final NamespaceDefault accounts;

  /**
   * A controller that is not started yet.
   *
   * @param loop runs one task at a time, in order; all happens there
   */
  public ServiceAccountController(
      Cluster cluster, Executor loop, InstantSource clock, Timers timers) {
    this.accounts =
        new NamespaceDefault(
            "service account controller", new Account(), cluster, loop, clock, timers);
  }

  /** Starts following the API. Returns at once. */
  @Override
  public void start() {
    accounts.start();
  }

  /** Stops following the API; writes that are under way are not waited for. */
  @Override
  public void close() {
    accounts.close();
  }

  /** Whatever is in it is right. */
  private static final class Account implements NamespaceDefault.Wanted {
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
    public @Nullable KubeObject mended(KubeObject found) {
      return null;
    }
  }
}
