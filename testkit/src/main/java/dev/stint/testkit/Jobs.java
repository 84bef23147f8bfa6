package dev.stint.testkit;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import dev.stint.model.ObjectRef;
import dev.stint.model.document.Document;
import dev.stint.model.document.Documents;
import dev.stint.model.job.JobStatus;
import dev.stint.runner.SimulatedRuntime.Outcome;
import dev.stint.runner.SimulatedRuntime.Script;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What tests do with Jobs, in the words of a test. Everything here waits for its answer; what the
 * API refuses is thrown as its {@link ClusterException}. See {@link StintTest} for an example.
 */
public final class Jobs {
  private static final String NAMESPACE = "default";
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Cluster cluster;
  private volatile Script script = Scripts.succeed();

  Jobs(Cluster cluster) {
    this.cluster = cluster;
  }

  /** The API, for all that is not here. */
  public Cluster cluster() {
    return cluster;
  }

  /** Says what becomes of containers that start from now on. At first they all succeed at once. */
  public void play(Script next) {
    script = next;
  }

  /**
   * Creates the one object that a YAML or JSON text describes, or changes it where it is there.
   *
   * @throws IllegalArgumentException where the text is none, or several; with all faults
   * @throws ClusterException where the API refuses it
   */
  public ObjectRef apply(String text) {
    List<Document> documents = sound(text);
    if (documents.size() != 1) {
      throw new IllegalArgumentException(
          documents.size() + " documents found where one is wanted; use applyAll for several");
    }
    return apply(documents.getFirst().object());
  }

  /** Like {@link #apply(String)}, for all objects of a text, in their order. */
  public List<ObjectRef> applyAll(String text) {
    return sound(text).stream().map(document -> apply(document.object())).toList();
  }

  /** The Job of this name, in the namespace {@code default}, as it is now. */
  public KubeObject job(String name) {
    return answer(cluster.get(new ObjectRef(Kind.JOB, NAMESPACE, name)));
  }

  /** The pods that there are of the Job of this name, in the namespace {@code default}, by name. */
  public List<KubeObject> pods(String job) {
    return pods(new ObjectRef(Kind.JOB, NAMESPACE, job));
  }

  /** The pods that there are of a Job, by name. */
  public List<KubeObject> pods(ObjectRef job) {
    return answer(cluster.list(Kind.POD, job.namespace())).items().stream()
        .filter(pod -> job.name().equals(pod.labels().get(Names.JOB_NAME)))
        .sorted(Comparator.comparing(KubeObject::name))
        .toList();
  }

  /**
   * Waits until a Job is Complete or Failed, for 30 s at most.
   *
   * @return the finished Job
   * @throws AssertionError with the Job's state, where it takes longer
   */
  public KubeObject await(ObjectRef job) {
    return await(job, PATIENCE);
  }

  /** Like {@link #await(ObjectRef)}, with another patience. */
  public KubeObject await(ObjectRef job, Duration patience) {
    return await(job, "finished", found -> JobStatus.read(found.status()).finished(), patience);
  }

  /**
   * Waits until an object is as wanted. It need not be there yet.
   *
   * @param what the condition as a word that follows "is not", such as {@code suspended}
   * @param condition is asked for the object as it is now, and again after every change
   * @return the object that the condition held of first
   * @throws AssertionError with the object's state, where it takes longer
   */
  public KubeObject await(
      ObjectRef ref, String what, Predicate<KubeObject> condition, Duration patience) {
    return new Waiting(this, ref, what, condition).within(patience);
  }

  /** The runtime's script, which asks for the test's. */
  Outcome play(KubeObject pod, RandomGenerator random) {
    return script.play(pod, random);
  }

  static <T extends @Nullable Object> T answer(CompletableFuture<T> request) {
    try {
      return request.copy().orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
    } catch (CompletionException failure) {
      if (ClusterException.causeOf(failure) instanceof ClusterException refusal) {
        throw refusal;
      }
      throw failure;
    }
  }

  private ObjectRef apply(KubeObject object) {
    try {
      return answer(cluster.create(object)).ref();
    } catch (ClusterException refusal) {
      if (refusal.reason() != Reason.ALREADY_EXISTS) {
        throw refusal;
      }
      String namespace = object.namespace().isEmpty() ? NAMESPACE : object.namespace();
      ObjectRef ref = new ObjectRef(object.kind(), namespace, object.name());
      return answer(cluster.patch(ref, object.tree())).ref();
    }
  }

  private static List<Document> sound(String text) {
    List<Document> documents = Documents.read("test", text.getBytes(StandardCharsets.UTF_8));
    String faults =
        documents.stream()
            .flatMap(document -> document.faults().stream().map(document::describe))
            .collect(Collectors.joining("\n"));
    if (!faults.isEmpty()) {
      throw new IllegalArgumentException(faults);
    }
    return documents;
  }
}
