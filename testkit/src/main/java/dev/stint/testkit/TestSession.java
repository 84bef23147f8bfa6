package dev.stint.testkit;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.DeleteOptions;
import dev.stint.embedded.ControlPlane;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.testkit.host.TestDirectory;
import dev.stint.testkit.time.BlockingAnswers;
import dev.stint.testkit.time.SimulatedTimeScheduler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One test's share of a control plane: a namespace, a script, and clients. */
final class TestSession implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TestSession.class);
  private static final Duration DELETION_TIMEOUT = Duration.ofSeconds(30);

  private final TestControlPlane controlPlane;
  private final boolean cleans;
  private final TestNamespace namespace;
  private final PodScript script = new PodScript();
  private final List<AutoCloseable> open = new ArrayList<>();
  private final Map<String, Object> values = new HashMap<>();

  /**
   * @param cleans true if the control plane outlives this session, which then must restore its
   *     state
   */
  TestSession(TestControlPlane controlPlane, boolean cleans) {
    this.controlPlane = controlPlane;
    this.cleans = cleans;
    this.namespace = controlPlane.newNamespace();
    controlPlane.script(namespace, script);
    BlockingAnswers.of(controlPlane.plane().cluster().create(document()));
    controlPlane.settle();
  }

  private KubeObject document() {
    var tree = Json.object().put("apiVersion", "v1").put("kind", "Namespace");
    tree.putObject("metadata").put("name", namespace.name());
    return KubeObject.of(tree);
  }

  Jobs jobs() {
    return new Jobs(controlPlane, namespace);
  }

  TestNamespace namespace() {
    return namespace;
  }

  PodScript script() {
    return script;
  }

  ApiFaults faults() {
    return new ApiFaults(controlPlane.clientFaults(), controlPlane.controllerFaults());
  }

  Cluster cluster() {
    return controlPlane.plane().cluster();
  }

  ControlPlane plane() {
    return controlPlane.plane();
  }

  /** Returns the values made for parameters, by the names of their types. */
  Map<String, Object> values() {
    return values;
  }

  TestControlPlane controlPlane() {
    return controlPlane;
  }

  String kubeconfig() {
    return controlPlane.endpoint().kubeconfig(namespace.name());
  }

  /** Writes the kubeconfig to a file, which is deleted after the test. */
  Path kubeconfigFile() throws IOException {
    TestDirectory scratch = TestDirectory.make();
    open.add(scratch);
    return Files.writeString(scratch.root().resolve("kubeconfig"), kubeconfig());
  }

  /** Registers a client to be closed after the test. */
  void closeAtEnd(AutoCloseable client) {
    open.add(client);
  }

  @Override
  public void close() {
    open.reversed().forEach(TestSession::closeQuietly);
    faults().clear();
    try {
      if (cleans) {
        clean();
      }
    } finally {
      controlPlane.throwScriptFault(); // The next test would be blamed for it.
    }
  }

  private static void closeQuietly(AutoCloseable client) {
    try {
      client.close();
    } catch (Exception fault) {
      LOG.warn("Cannot close a client of the test: {}", fault.toString());
    }
  }

  /** Deletes the namespace; pods end as if no script had been set. */
  private void clean() {
    script.clear();
    ObjectRef ref = new ObjectRef(Kind.NAMESPACE, "", namespace.name());
    CompletableFuture<@Nullable Void> gone = new CompletableFuture<>();
    try {
      KubeObject there = find(ref);
      if (there != null) {
        BlockingAnswers.of(cluster().delete(ref, DeleteOptions.only(there.uid())));
        HeldObjects.delete(cluster(), namespacedKinds(), namespace.name());
        awaitDeletion(ref, gone);
      }
    } finally {
      gone.cancel(false); // Ends the watch.
      controlPlane.forget(namespace);
    }
  }

  private List<Kind> namespacedKinds() {
    return plane().api().storedKinds().stream().filter(Kind::namespaced).toList();
  }

  /** Lets time pass until the namespace is gone. */
  private void awaitDeletion(ObjectRef ref, CompletableFuture<@Nullable Void> gone) {
    new DeletionWait(cluster(), ref, gone).start();
    SimulatedTimeScheduler driver = controlPlane.driver();
    if (driver != null) {
      driver.advance(controlPlane.clock().instant().plus(Duration.ofHours(1)), gone);
    }
    try {
      BlockingAnswers.within(DELETION_TIMEOUT, gone, "the test's namespace was not removed");
    } catch (AssertionError late) {
      throw new AssertionError(late.getMessage() + ObjectSummary.of(jobs(), ref), late);
    }
  }

  private @Nullable KubeObject find(ObjectRef ref) {
    try {
      return Objects.requireNonNull(BlockingAnswers.of(cluster().get(ref)));
    } catch (ClusterException refusal) {
      if (refusal.reason() == Reason.NOT_FOUND) {
        return null;
      }
      throw refusal;
    }
  }
}
