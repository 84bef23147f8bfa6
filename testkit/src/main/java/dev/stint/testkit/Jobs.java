package dev.stint.testkit;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.document.Document;
import dev.stint.model.document.Documents;
import dev.stint.testkit.document.ServedDocuments;
import dev.stint.testkit.time.BlockingAnswers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import tools.jackson.databind.node.ObjectNode;

/**
 * The operations on Jobs and other objects that tests need, without HTTP. Every method blocks for
 * the answer, and throws a {@link ClusterException} if the API refuses.
 *
 * <p>In simulated time every method also waits for the control plane to settle, before and after:
 * once {@link #apply} has returned, everything that follows from it without time passing is done.
 */
public final class Jobs {
  private final TestControlPlane controlPlane;
  private final TestNamespace namespace;

  Jobs(TestControlPlane controlPlane, TestNamespace namespace) {
    this.controlPlane = controlPlane;
    this.namespace = namespace;
  }

  /** Returns the API, for everything else. */
  public Cluster cluster() {
    return controlPlane.plane().cluster();
  }

  /** Returns the namespace of documents that name none. */
  public String namespace() {
    return namespace.name();
  }

  TestControlPlane controlPlane() {
    return controlPlane;
  }

  /**
   * Creates the Job that a YAML or JSON text describes, or updates it if it exists.
   *
   * @throws IllegalArgumentException if the text is no Job, or several; the message lists all
   *     faults
   * @throws ClusterException if the API refuses it
   */
  public TestJob apply(String text) {
    List<KubeObject> documents = read(text);
    if (documents.size() != 1) {
      throw new IllegalArgumentException(
          "expected one document, found " + documents.size() + "; use applyAll for several");
    }
    KubeObject document = documents.getFirst();
    if (!document.kindName().equals(Kind.JOB.kind())) {
      throw new IllegalArgumentException(
          "expected a Job, found a " + document.kindName() + "; use applyAll for other kinds");
    }
    return new TestJob(this, applied(document));
  }

  /**
   * Creates or updates all objects in a text, in their order. They may be of all kinds that the API
   * serves, custom ones too.
   *
   * @throws IllegalArgumentException if the text has faults; the message lists all of them
   * @throws ClusterException if the API refuses an object
   */
  public List<ObjectRef> applyAll(String text) {
    return read(text).stream().map(this::applied).toList();
  }

  /** Returns the Job of this name in the test's namespace, even if it does not exist yet. */
  public TestJob job(String name) {
    return new TestJob(this, new ObjectRef(Kind.JOB, namespace(), name));
  }

  /** Returns all Jobs in the test's namespace, by name. */
  public List<TestJob> all() {
    return list(Kind.JOB).stream().map(job -> new TestJob(this, job.ref())).toList();
  }

  /** Returns all objects of a kind in the test's namespace, by name. */
  public List<KubeObject> list(Kind kind) {
    controlPlane.settle();
    String where = kind.namespaced() ? namespace() : null;
    return BlockingAnswers.of(cluster().list(kind, where)).items().stream()
        .sorted(Comparator.comparing(KubeObject::name))
        .toList();
  }

  /**
   * Waits until an object meets a condition that others bring about; simulated time does not pass.
   * The object need not exist yet.
   *
   * @param what the condition as a word that follows "is not", such as {@code suspended}
   * @param condition tested on the current object, and again after every change
   * @param patience the limit in real time
   * @return the first object that met the condition
   * @throws AssertionError with the object's state, if it takes longer
   */
  public KubeObject await(
      ObjectRef ref, String what, Predicate<KubeObject> condition, Duration patience) {
    return new ConditionWait(this, ref, what, condition).within(patience, Duration.ZERO);
  }

  private ObjectRef applied(KubeObject object) {
    controlPlane.settle();
    ObjectRef applied = createdOrChanged(object);
    controlPlane.settle();
    return applied;
  }

  private ObjectRef createdOrChanged(KubeObject object) {
    Kind kind =
        controlPlane.plane().api().storedKind(object.apiVersion(), object.kindName()).orElseThrow();
    ObjectRef ref = new ObjectRef(kind, object.namespace(), object.name());
    try {
      KubeObject created = BlockingAnswers.of(cluster().create(object));
      return new ObjectRef(kind, created.namespace(), created.name());
    } catch (ClusterException refusal) {
      if (refusal.reason() != Reason.ALREADY_EXISTS) {
        throw refusal;
      }
      BlockingAnswers.of(cluster().patch(ref, object.tree()));
      return ref;
    }
  }

  private List<KubeObject> read(String text) {
    List<Document> written = Documents.read("test", text.getBytes(StandardCharsets.UTF_8));
    return new ServedDocuments(controlPlane.plane().api())
        .decode(written).stream().map(document -> placed(document.object())).toList();
  }

  private KubeObject placed(KubeObject object) {
    ObjectNode tree = object.copy();
    boolean placeless =
        controlPlane
            .plane()
            .api()
            .storedKind(object.apiVersion(), object.kindName())
            .map(kind -> !kind.namespaced())
            .orElse(false);
    ObjectNode metadata = tree.withObjectProperty("metadata");
    if (!placeless && Json.text(metadata, "namespace") == null) {
      metadata.put("namespace", namespace());
    }
    return KubeObject.of(tree);
  }
}
