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
 * Publishes the API server's certificate authority as the config map {@code kube-root-ca.crt} of
 * every active namespace, and corrects it if somebody changes it (Kubernetes documentation,
 * Managing Service Accounts, root-ca-certificate-publisher-controller).
 */
public final class RootCaPublisher implements Controller {
  private static final String DESCRIPTION = "kubernetes.io/description";
  private static final String TEXT =
      "Contains a CA bundle that can be used to verify the kube-apiserver when using internal"
          + " endpoints such as the internal service IP or kubernetes.default.svc. No other usage is"
          + " guaranteed across distributions of Kubernetes clusters.";

  private final NamespaceObjectKeeper configMaps;

  /**
   * Creates a controller that is not started yet.
   *
   * @param loop the event loop that runs all of its work
   * @param authority the authority's certificate, as PEM
   */
  public RootCaPublisher(Cluster cluster, EventLoop loop, Metrics metrics, String authority) {
    this.configMaps =
        new NamespaceObjectKeeper(
            "root CA publisher",
            new Authority(authority),
            cluster,
            loop,
            metrics.queue("root_ca_cert_publisher"));
  }

  /** Starts following the API. Returns at once. */
  @Override
  public void start() {
    configMaps.start();
  }

  /** Stops following the API. Does not wait for writes in flight. */
  @Override
  public void close() {
    configMaps.close();
  }

  /** The config map. All metadata but the description belongs to its users. */
  private record Authority(String certificate) implements NamespaceObjectKeeper.RequiredObject {
    @Override
    public Kind kind() {
      return Kind.CONFIG_MAP;
    }

    @Override
    public String name() {
      return "kube-root-ca.crt";
    }

    @Override
    public ObjectNode document() {
      ObjectNode tree = Json.object();
      tree.set("data", data());
      tree.putObject("metadata").putObject("annotations").put(DESCRIPTION, TEXT);
      return tree;
    }

    @Override
    public @Nullable KubeObject corrected(KubeObject found) {
      ObjectNode annotations = Json.objectAt(found.metadata(), "annotations");
      String description = annotations == null ? null : Json.text(annotations, DESCRIPTION);
      boolean described = description != null && !description.isEmpty();
      if (described && data().equals(Json.objectAt(found.tree(), "data"))) {
        return null;
      }
      ObjectNode copy = found.copy();
      copy.set("data", data());
      copy.withObjectProperty("metadata").withObjectProperty("annotations").put(DESCRIPTION, TEXT);
      return KubeObject.of(copy);
    }

    private ObjectNode data() {
      return Json.object().put("ca.crt", certificate);
    }
  }
}
