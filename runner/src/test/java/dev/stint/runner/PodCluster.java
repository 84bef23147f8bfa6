package dev.stint.runner;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.DeleteOptions;
import dev.stint.harness.FakeCluster;
import dev.stint.harness.FakeRequest;
import dev.stint.harness.Fault;
import dev.stint.harness.PodBuilder;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.runner.spec.PodSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A fake cluster for the tests of a runner: pods by name, their states, and the requests of the
 * runner. Answers and reports on the caller's thread.
 */
public final class PodCluster extends FakeCluster {
  /** One accepted status patch. */
  public record StatusWrite(String name, ObjectNode status) {
    public String phase() {
      return Objects.requireNonNullElse(Json.text(status, "phase"), "");
    }
  }

  private record Waiter(
      String name, Predicate<@Nullable KubeObject> wanted, CompletableFuture<Void> done) {}

  private final List<StatusWrite> statusWrites = new ArrayList<>();
  private final List<ObjectRef> deletes = new ArrayList<>();
  private final List<Waiter> waiters = new ArrayList<>();

  public PodCluster() {
    super(Runnable::run, () -> Instant.parse("2026-01-01T00:01:00Z"));
    before(PodCluster::refuseWhatARunnerNeverAsks);
    after(this::record);
    onChange(_ -> settleWaiters());
  }

  private static void refuseWhatARunnerNeverAsks(FakeRequest request) {
    boolean known =
        Stream.of(
                "get",
                "list",
                "create events",
                "patch events",
                "patch pods",
                "patchStatus pods",
                "delete pods")
            .anyMatch(request.line()::startsWith);
    if (!known) {
      throw new UnsupportedOperationException("a runner does not " + request.line());
    }
    if (request.line().startsWith("patchStatus")
        && Json.text(Json.objectAt(request.body(), "metadata"), "uid") == null) {
      throw new ClusterException(Reason.CONFLICT, "a status is of the pod of one uid");
    }
  }

  private void record(FakeRequest request) {
    if (request.line().startsWith("patchStatus")) {
      ObjectNode status = Objects.requireNonNull(Json.objectAt(request.body(), "status"));
      statusWrites.add(new StatusWrite(request.ref().name(), status));
    } else if (request.line().startsWith("delete")) {
      deletes.add(request.ref());
    }
    settleWaiters();
  }

  /** A pod of node "here" with one container. */
  public static ObjectNode newPod(String name, String... command) {
    return PodBuilder.named(name)
        .uid("uid-" + name)
        .metadata("'creationTimestamp':'2026-01-01T00:00:00Z'")
        .onNode("here")
        .command(command)
        .phase("Pending")
        .tree();
  }

  /** Adds a config map or a secret of one key, or another object that a pod may name. */
  public void addInput(Kind kind, String name, String key, String value) {
    ObjectNode object = Json.object().put("apiVersion", "v1").put("kind", kind.kind());
    object.putObject("metadata").put("name", name).put("namespace", "default");
    object.putObject("data").put(key, value);
    put(object);
  }

  public void removeInput(Kind kind, String name) {
    erase(new ObjectRef(kind, "default", name));
  }

  /** Makes the node known, or changes it. */
  public void setNode(String spec) {
    ObjectNode object = Json.object().put("apiVersion", "v1").put("kind", "Node");
    object.putObject("metadata").put("name", "here").put("uid", "uid-here");
    object.set("spec", Json.parse(spec.replace('\'', '"')));
    put(object);
  }

  public static ObjectRef ref(String name) {
    return new ObjectRef(Kind.POD, "default", name);
  }

  public @Nullable KubeObject find(String name) {
    return peek(ref(name));
  }

  public KubeObject pod(String name) {
    return Objects.requireNonNull(find(name));
  }

  /** Returns the status of a pod's only, or first, container. */
  public JsonNode containerStatus(String name) {
    return Objects.requireNonNull(pod(name).status()).path("containerStatuses").path(0);
  }

  public String phase(String name) {
    return Objects.requireNonNullElse(pod(name).statusText("phase"), "");
  }

  public synchronized List<StatusWrite> statusWrites(String name) {
    return statusWrites.stream().filter(write -> write.name().equals(name)).toList();
  }

  public synchronized List<ObjectRef> deletes() {
    return List.copyOf(deletes);
  }

  /** Returns the events, in order: the object, the type, the reason, the message, the count. */
  public List<String> events() {
    return peekAll(Kind.EVENT).stream()
        .map(event ->
            "%s %s %s: %s x%d"
                .formatted(
                    event.tree().at("/involvedObject/name").asString(""),
                    Json.text(event.tree(), "type"),
                    Json.text(event.tree(), "reason"),
                    Json.text(event.tree(), "message"),
                    event.tree().path("count").intValue()))
        .toList();
  }

  /** Makes the next status patches fail with these errors, one after the other. */
  public void failPatches(Reason... reasons) {
    before(
        Fault.refusing(
            "patchStatus",
            Stream.of(reasons)
                .map(reason -> new ClusterException(reason, "as told"))
                .toArray(ClusterException[]::new)));
  }

  /** Deletes a pod as a client does. */
  public void requestDeletion(String name, long graceSeconds) {
    remove(ref(name), new DeleteOptions(null, graceSeconds, null));
  }

  /** Updates as a client does: sets these members of the spec, and a new generation. */
  public synchronized void update(String name, String spec) {
    ObjectNode pod = pod(name).copy();
    pod.withObjectProperty("spec").setAll(Json.parse(spec.replace('\'', '"')));
    pod.withObjectProperty("metadata").put("generation", PodSpec.generation(pod(name)) + 1);
    put(pod);
  }

  /** Changes a pod's status as another client does. */
  public synchronized void setCondition(String name, String type, String status) {
    ObjectNode pod = pod(name).copy();
    ArrayNode conditions = pod.withObjectProperty("status").withArrayProperty("conditions");
    conditions.removeIf(each -> type.equals(Json.text(each, "type")));
    conditions.addObject().put("type", type).put("status", status);
    put(pod);
  }

  /** Deletes a pod as a forced deletion does. */
  public void remove(String name) {
    erase(ref(name));
  }

  /** Ends all watches, as a server with a truncated log does. */
  public void expireWatches() {
    endWatches(new ClusterException(Reason.GONE, "too old"));
  }

  /** Completes when a pod (null if there is none) meets a condition. */
  public synchronized CompletableFuture<Void> when(
      String name, Predicate<@Nullable KubeObject> wanted) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    waiters.add(new Waiter(name, wanted, done));
    settleWaiters();
    return done;
  }

  public CompletableFuture<Void> whenPhase(String name, String phase) {
    return when(name, pod -> pod != null && phase.equals(pod.statusText("phase")));
  }

  private void settleWaiters() {
    List<Waiter> settled =
        waiters.stream().filter(each -> each.wanted().test(find(each.name()))).toList();
    waiters.removeAll(settled);
    settled.forEach(each -> each.done().complete(null));
  }
}
