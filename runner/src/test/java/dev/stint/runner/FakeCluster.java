package dev.stint.runner;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.DeleteOptions;
import dev.stint.cluster.ObjectList;
import dev.stint.cluster.Watch;
import dev.stint.cluster.WatchEvent;
import dev.stint.cluster.WatchHandler;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.runner.spec.PodSpec;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Pods in a map, with what the runner needs of an API. Answers and reports on the caller's thread.
 */
public final class FakeCluster implements Cluster {
  /** One accepted or refused status patch. */
  public record StatusWrite(String name, ObjectNode status) {
    public String phase() {
      return Objects.requireNonNullElse(Json.text(status, "phase"), "");
    }
  }

  private record Waiter(
      String name, Predicate<@Nullable KubeObject> wanted, CompletableFuture<Void> done) {}

  private final Map<ObjectRef, KubeObject> objects = new LinkedHashMap<>();
  private final Map<ObjectRef, KubeObject> inputs = new HashMap<>();
  private final List<FakeWatch> watches = new ArrayList<>();

  /** The events, by their revisions. */
  private final NavigableMap<Long, WatchEvent> history = new TreeMap<>();

  private final List<StatusWrite> statusWrites = new ArrayList<>();
  private final Map<ObjectRef, KubeObject> events = new LinkedHashMap<>();
  private final List<ObjectRef> deletes = new ArrayList<>();
  private final List<Waiter> waiters = new ArrayList<>();
  private final Queue<Reason> patchFailures = new ArrayDeque<>();
  private long revision = 100;

  /** A pod of node "here" with one container. */
  public static ObjectNode newPod(String name, String... command) {
    ObjectNode pod = Json.object().put("apiVersion", "v1").put("kind", "Pod");
    pod.putObject("metadata")
        .put("name", name)
        .put("namespace", "default")
        .put("uid", "uid-" + name)
        .put("creationTimestamp", "2026-01-01T00:00:00Z");
    ObjectNode spec = pod.putObject("spec");
    spec.put("nodeName", "here").put("restartPolicy", "Never");
    container(spec.withArray("containers").addObject(), "main", command);
    pod.putObject("status").put("phase", "Pending");
    return pod;
  }

  public static void container(ObjectNode container, String name, String... command) {
    container.put("name", name).put("image", "busybox");
    if (command.length > 0) {
      List.of(command).forEach(container.putArray("command")::add);
    }
  }

  /** A config map or a secret of one key, or what else a pod may name. */
  public synchronized void addInput(Kind kind, String name, String key, String value) {
    ObjectNode object = Json.object().put("apiVersion", "v1").put("kind", kind.kind());
    object.putObject("metadata").put("name", name).put("namespace", "default");
    object.putObject("data").put(key, value);
    KubeObject input = KubeObject.of(object);
    inputs.put(input.ref(), input);
  }

  /** Makes the node known, or changes it. */
  public synchronized void setNode(String spec) {
    ObjectNode object = Json.object().put("apiVersion", "v1").put("kind", "Node");
    object.putObject("metadata").put("name", "here").put("uid", "uid-here");
    object.set("spec", Json.parse(spec.replace('\'', '"')));
    boolean known = objects.containsKey(new ObjectRef(Kind.NODE, "", "here"));
    store(object, known ? WatchEvent.Type.MODIFIED : WatchEvent.Type.ADDED);
  }

  public synchronized void removeInput(Kind kind, String name) {
    inputs.remove(new ObjectRef(kind, "default", name));
  }

  public static ObjectRef ref(String name) {
    return new ObjectRef(Kind.POD, "default", name);
  }

  public synchronized void add(ObjectNode pod) {
    store(pod, WatchEvent.Type.ADDED);
  }

  public synchronized @Nullable KubeObject find(String name) {
    return objects.get(ref(name));
  }

  public KubeObject pod(String name) {
    return Objects.requireNonNull(find(name));
  }

  /** The status of a pod's only, or first, container. */
  public JsonNode containerStatus(String name) {
    return Objects.requireNonNull(pod(name).status()).path("containerStatuses").path(0);
  }

  public String phase(String name) {
    return Objects.requireNonNullElse(Json.text(pod(name).status(), "phase"), "");
  }

  public synchronized List<StatusWrite> statusWrites(String name) {
    return statusWrites.stream().filter(write -> write.name().equals(name)).toList();
  }

  public synchronized List<ObjectRef> deletes() {
    return List.copyOf(deletes);
  }

  /** The next status patches fail so, one after the other. */
  public synchronized void failPatches(Reason... reasons) {
    patchFailures.addAll(List.of(reasons));
  }

  /** What a client's graceful delete does to a pod that is on a node. */
  public synchronized void requestDeletion(String name, long graceSeconds) {
    ObjectNode pod = pod(name).copy();
    pod.withObjectProperty("metadata")
        .put("deletionTimestamp", "2026-01-01T00:01:00Z")
        .put("deletionGracePeriodSeconds", graceSeconds);
    store(pod, WatchEvent.Type.MODIFIED);
  }

  /** What a client's update does: the spec has these members, and the pod another generation. */
  public synchronized void update(String name, String spec) {
    ObjectNode pod = pod(name).copy();
    pod.withObjectProperty("spec").setAll(Json.parse(spec.replace('\'', '"')));
    pod.withObjectProperty("metadata").put("generation", PodSpec.generation(pod(name)) + 1);
    store(pod, WatchEvent.Type.MODIFIED);
  }

  /** What somebody else does who has a say in a pod's status. */
  public synchronized void setCondition(String name, String type, String status) {
    ObjectNode pod = pod(name).copy();
    ArrayNode conditions = pod.withObjectProperty("status").withArrayProperty("conditions");
    conditions.removeIf(each -> type.equals(Json.text(each, "type")));
    conditions.addObject().put("type", type).put("status", status);
    store(pod, WatchEvent.Type.MODIFIED);
  }

  /** What a forced delete does. */
  public synchronized void remove(String name) {
    KubeObject gone = objects.remove(ref(name));
    revision++;
    report(new WatchEvent(WatchEvent.Type.DELETED, Objects.requireNonNull(gone)));
  }

  /** Ends all watches, as a server does whose log was cut. */
  public synchronized void expireWatches() {
    List<FakeWatch> open = List.copyOf(watches);
    watches.clear();
    open.forEach(watch -> watch.handler.onClosed(new ClusterException(Reason.GONE, "too old")));
  }

  /** From now on nothing is reported to the watches that are open. */
  public synchronized void muteWatches() {
    watches.forEach(watch -> watch.muted = true);
  }

  /** Completes when a pod (null where there is none) is as wanted. */
  public synchronized CompletableFuture<Void> when(
      String name, Predicate<@Nullable KubeObject> wanted) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    waiters.add(new Waiter(name, wanted, done));
    settleWaiters();
    return done;
  }

  public CompletableFuture<Void> whenPhase(String name, String phase) {
    return when(name, pod -> pod != null && phase.equals(Json.text(pod.status(), "phase")));
  }

  @Override
  public synchronized CompletableFuture<KubeObject> get(ObjectRef ref) {
    KubeObject found = objects.getOrDefault(ref, inputs.get(ref));
    return found == null ? notFound(ref) : CompletableFuture.completedFuture(found);
  }

  @Override
  public synchronized CompletableFuture<ObjectList> list(Kind kind, @Nullable String namespace) {
    List<KubeObject> found =
        objects.values().stream().filter(each -> each.ref().kind().equals(kind)).toList();
    return CompletableFuture.completedFuture(new ObjectList(found, String.valueOf(revision)));
  }

  @Override
  public synchronized Watch watch(
      Kind kind, @Nullable String namespace, String afterRevision, WatchHandler handler) {
    FakeWatch watch = new FakeWatch(kind, handler);
    watches.add(watch);
    history.tailMap(Long.valueOf(afterRevision), false).values().stream()
        .filter(event -> event.object().ref().kind().equals(kind))
        .toList()
        .forEach(handler::onEvent);
    return watch;
  }

  @Override
  public synchronized CompletableFuture<KubeObject> patchStatus(
      ObjectRef ref, ObjectNode mergePatch) {
    Reason failure = patchFailures.poll();
    if (failure != null) {
      return CompletableFuture.failedFuture(new ClusterException(failure, "as told"));
    }
    KubeObject found = objects.get(ref);
    if (found == null) {
      return notFound(ref);
    }
    if (!found.uid().equals(Json.text(mergePatch.get("metadata"), "uid"))) {
      return CompletableFuture.failedFuture(new ClusterException(Reason.CONFLICT, "uid"));
    }
    String revision = Json.text(mergePatch.get("metadata"), "resourceVersion");
    if (revision != null && !revision.equals(found.resourceVersion())) {
      return CompletableFuture.failedFuture(new ClusterException(Reason.CONFLICT, "revision"));
    }
    ObjectNode status = Objects.requireNonNull(Json.objectAt(mergePatch, "status"));
    statusWrites.add(new StatusWrite(ref.name(), status));
    ObjectNode pod = found.copy();
    pod.withObjectProperty("status").setAll(status);
    return CompletableFuture.completedFuture(store(pod, WatchEvent.Type.MODIFIED));
  }

  @Override
  public synchronized CompletableFuture<@Nullable Void> delete(
      ObjectRef ref, DeleteOptions options) {
    KubeObject found = objects.get(ref);
    if (found == null) {
      return notFound(ref);
    }
    deletes.add(ref);
    if (options.gracePeriodSeconds() == null) {
      requestDeletion(ref.name(), PodSpec.terminationGraceSeconds(found));
    } else if (found.finalizers().isEmpty()) {
      remove(ref.name());
    } else {
      ObjectNode pod = found.copy();
      pod.withObjectProperty("metadata").put("deletionGracePeriodSeconds", 0);
      store(pod, WatchEvent.Type.MODIFIED);
    }
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public synchronized CompletableFuture<KubeObject> create(KubeObject object) {
    if (!object.kindName().equals(Kind.EVENT.kind())) {
      throw new UnsupportedOperationException("a runner creates nothing but events");
    }
    events.put(object.ref(), object);
    return CompletableFuture.completedFuture(object);
  }

  /** The events, in order: of what they are, whether they warn, what they say, and how often. */
  public synchronized List<String> events() {
    return events.values().stream()
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

  @Override
  public CompletableFuture<KubeObject> update(KubeObject object) {
    throw new UnsupportedOperationException("a runner updates nothing");
  }

  @Override
  public CompletableFuture<KubeObject> updateStatus(KubeObject object) {
    throw new UnsupportedOperationException("a runner patches");
  }

  @Override
  public CompletableFuture<KubeObject> updateFinalize(KubeObject namespace) {
    throw new UnsupportedOperationException("a runner knows no namespaces");
  }

  @Override
  public synchronized CompletableFuture<KubeObject> patch(ObjectRef ref, ObjectNode mergePatch) {
    KubeObject event = events.get(ref);
    if (event == null) {
      throw new UnsupportedOperationException("a runner patches statuses and events only");
    }
    ObjectNode patched = event.copy();
    patched.setAll(mergePatch);
    events.put(ref, KubeObject.of(patched));
    return CompletableFuture.completedFuture(event);
  }

  private KubeObject store(ObjectNode tree, WatchEvent.Type type) {
    revision++;
    tree.withObjectProperty("metadata").put("resourceVersion", String.valueOf(revision));
    KubeObject pod = KubeObject.of(tree);
    objects.put(pod.ref(), pod);
    report(new WatchEvent(type, pod));
    return pod;
  }

  private void report(WatchEvent event) {
    history.put(revision, event);
    List.copyOf(watches).stream()
        .filter(watch -> !watch.muted && watch.kind.equals(event.object().ref().kind()))
        .forEach(watch -> watch.handler.onEvent(event));
    settleWaiters();
  }

  private void settleWaiters() {
    List<Waiter> settled =
        waiters.stream().filter(each -> each.wanted().test(objects.get(ref(each.name())))).toList();
    waiters.removeAll(settled);
    settled.forEach(each -> each.done().complete(null));
  }

  private static <T extends @Nullable Object> CompletableFuture<T> notFound(ObjectRef ref) {
    return CompletableFuture.failedFuture(
        new ClusterException(Reason.NOT_FOUND, ref + " not found"));
  }

  private final class FakeWatch implements Watch {
    private final Kind kind;
    private final WatchHandler handler;
    private boolean muted;

    FakeWatch(Kind kind, WatchHandler handler) {
      this.kind = kind;
      this.handler = handler;
    }

    @Override
    public void close() {
      synchronized (FakeCluster.this) {
        watches.remove(this);
      }
    }
  }
}
