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
import dev.stint.testkit.time.BlockingAnswers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
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
    List<ObjectNode> documents = sound(text);
    if (documents.size() != 1) {
      throw new IllegalArgumentException(
          "expected one document, found " + documents.size() + "; use applyAll for several");
    }
    KubeObject document = KubeObject.of(documents.getFirst());
    if (!document.kindName().equals(Kind.JOB.kind())) {
      throw new IllegalArgumentException(
          "expected a Job, found a " + document.kindName() + "; use applyAll for other kinds");
    }
    return new TestJob(this, applied(document));
  }

  /** Creates or updates all objects in a text, of any kinds, in their order. */
  public List<ObjectRef> applyAll(String text) {
    return sound(text).stream().map(document -> applied(KubeObject.of(document))).toList();
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
    try {
      return BlockingAnswers.of(cluster().create(object)).ref();
    } catch (ClusterException refusal) {
      if (refusal.reason() != Reason.ALREADY_EXISTS) {
        throw refusal;
      }
      ObjectRef ref = new ObjectRef(object.kind(), object.namespace(), object.name());
      return BlockingAnswers.of(cluster().patch(ref, object.tree())).ref();
    }
  }

  private List<ObjectNode> sound(String text) {
    List<Document> documents = Documents.read("test", text.getBytes(StandardCharsets.UTF_8));
    String faults =
        documents.stream()
            .flatMap(document -> document.faults().stream().map(document::describe))
            .collect(Collectors.joining("\n"));
    if (!faults.isEmpty()) {
      throw new IllegalArgumentException(faults);
    }
    return documents.stream().map(document -> placed(document.object())).toList();
  }

  private ObjectNode placed(KubeObject object) {
    ObjectNode tree = object.copy();
    boolean placeless =
        Kind.of(object.apiVersion(), object.kindName())
            .map(kind -> !kind.namespaced())
            .orElse(false);
    ObjectNode metadata = tree.withObjectProperty("metadata");
    if (!placeless && Json.text(metadata, "namespace") == null) {
      metadata.put("namespace", namespace());
    }
    return tree;
  }
}
