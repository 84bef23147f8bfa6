package dev.stint.conformance.histories;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.DeleteOptions;
import dev.stint.cluster.DeleteOptions.Propagation;
import dev.stint.conformance.histories.JobHistory.Outcome;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import dev.stint.model.ObjectRef;
import dev.stint.model.Timestamps;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Does to one Job and its pods what users, nodes and kubelets do. */
final class JobPlayer {
  /** How long ago the containers stopped of pods whose retries need not wait. */
  private static final Duration LONG_AGO = Duration.ofHours(1);

  private final ControllerWorld world;
  private final Cluster api;
  private final JobObserver observer;
  private final ObjectRef job;

  JobPlayer(ControllerWorld world, JobObserver observer, String name) {
    this.world = world;
    this.api = world.api();
    this.observer = observer;
    this.job = new ObjectRef(Kind.JOB, ControllerWorld.NAMESPACE, name);
  }

  /** Creates the Job; its name is set here. */
  void create(ObjectNode document) {
    ObjectNode named = document.deepCopy();
    named.withObjectProperty("metadata").put("name", job.name()).put("namespace", job.namespace());
    world.send(List.of(() -> api.create(KubeObject.of(named))));
    observer.touch();
  }

  /** Lets something happen, unless the API refuses it as invalid. */
  void play(HistoryAction fate) {
    try {
      send(fate);
    } catch (CompletionException failure) {
      if (!(ClusterException.causeOf(failure) instanceof ClusterException refusal)
          || refusal.reason() != Reason.INVALID) {
        throw failure;
      }
      observer.onRefusal();
    }
    observer.touch();
  }

  private void send(HistoryAction fate) {
    ObjectNode with = fate.with();
    switch (fate.verb()) {
      case CREATE, WAIT -> {}
      case RUN -> each(fate, pod -> api.patchStatus(pod.ref(), status(running(pod, with))));
      case STOP -> each(fate, pod -> api.patchStatus(pod.ref(), status(stopped(pod, with))));
      case DELETE -> each(fate, pod -> api.delete(pod.ref(), deletion(with)));
      case EVICT -> each(fate, pod -> evicted(pod, with));
      case RELEASE -> each(fate, pod -> api.patch(pod.ref(), released(pod)));
      case PATCH -> world.send(List.of(() -> api.patch(job, with.deepCopy())));
      case DELETE_JOB -> world.send(List.of(() -> api.delete(job, deletionOfJob(with))));
    }
  }

  /** Waits until the controller has done what follows. */
  Outcome outcome() {
    world.settle(observer);
    return new Outcome(observer.takeStatuses(), observer.podsText());
  }

  private void each(HistoryAction fate, Function<KubeObject, CompletableFuture<?>> request) {
    List<Supplier<CompletableFuture<?>>> requests = new ArrayList<>();
    for (KubeObject pod : chosen(fate.pods())) {
      requests.add(() -> request.apply(pod));
    }
    world.send(requests);
  }

  /** Returns the oldest pods with these texts; without those that are not there. */
  private List<KubeObject> chosen(List<String> texts) {
    List<KubeObject> left = new ArrayList<>(observer.pods());
    List<KubeObject> chosen = new ArrayList<>();
    for (String text : texts) {
      left.stream()
          .filter(pod -> PodText.of(pod).equals(text))
          .findFirst()
          .ifPresent(pod -> {
            left.remove(pod);
            chosen.add(pod);
          });
    }
    return chosen;
  }

  private static ObjectNode status(ObjectNode status) {
    ObjectNode patch = Json.object();
    patch.set("status", status);
    return patch;
  }

  private ObjectNode running(KubeObject pod, ObjectNode with) {
    String now = Timestamps.format(world.now());
    boolean ready = Boolean.TRUE.equals(Json.bool(with, "ready"));
    int restarts = Objects.requireNonNullElse(Json.integer(with, "restarts"), 0);
    ObjectNode status = Json.object().put("phase", "Running").put("startTime", now);
    ArrayNode containers = status.putArray("containerStatuses");
    for (String name : PodText.containers(pod)) {
      container(containers, name, ready)
          .put("restartCount", containers.size() == 1 ? restarts : 0)
          .putObject("state")
          .putObject("running")
          .put("startedAt", now);
    }
    condition(status, "Ready", ready, now);
    return status;
  }

  private ObjectNode stopped(KubeObject pod, ObjectNode with) {
    Instant end =
        Boolean.TRUE.equals(Json.bool(with, "late")) ? world.now() : world.now().minus(LONG_AGO);
    ArrayNode exits = Objects.requireNonNull(Json.arrayAt(with, "exit"));
    boolean failed = exits.valueStream().anyMatch(code -> code.intValue() != 0);
    ObjectNode status = Json.object().put("phase", failed ? "Failed" : "Succeeded");
    ArrayNode containers = status.putArray("containerStatuses");
    for (String name : PodText.containers(pod)) {
      int code = exits.get(containers.size()).intValue();
      container(containers, name, false)
          .putObject("state")
          .putObject("terminated")
          .put("exitCode", code)
          .put("reason", code == 0 ? "Completed" : "Error")
          .put("startedAt", Timestamps.format(end))
          .put("finishedAt", Timestamps.format(end));
    }
    condition(status, "Ready", false, Timestamps.format(world.now()));
    String other = Json.text(with, "condition");
    if (other != null) {
      condition(status, other, true, Timestamps.format(world.now()));
    }
    return status;
  }

  private CompletableFuture<?> evicted(KubeObject pod, ObjectNode with) {
    ObjectNode status = Json.object();
    condition(status, Names.DISRUPTION_TARGET, true, Timestamps.format(world.now()));
    return api.patchStatus(pod.ref(), status(status))
        .thenCompose(_ -> api.delete(pod.ref(), deletion(with)));
  }

  private static ObjectNode container(ArrayNode containers, String name, boolean ready) {
    return containers
        .addObject()
        .put("name", name)
        .put("image", "none")
        .put("imageID", "")
        .put("ready", ready)
        .put("restartCount", 0);
  }

  private static void condition(ObjectNode status, String type, boolean holds, String now) {
    status
        .withArrayProperty("conditions")
        .addObject()
        .put("type", type)
        .put("status", holds ? "True" : "False")
        .put("lastTransitionTime", now);
  }

  private static ObjectNode released(KubeObject pod) {
    ObjectNode patch = Json.object();
    ArrayNode finalizers = patch.putObject("metadata").putArray("finalizers");
    pod.finalizers().stream()
        .filter(name -> !name.equals(PodText.FOREIGN_FINALIZER))
        .forEach(finalizers::add);
    return patch;
  }

  private static DeleteOptions deletion(ObjectNode with) {
    return new DeleteOptions(null, Json.longInteger(with, "grace"), null);
  }

  private static DeleteOptions deletionOfJob(ObjectNode with) {
    @Nullable String propagation = Json.text(with, "propagation");
    return new DeleteOptions(
        null, null, propagation == null ? null : Propagation.valueOf(propagation));
  }
}
