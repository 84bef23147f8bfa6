package dev.stint.engine.pod;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import dev.stint.model.pod.PodPhase;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The engine's projection of a pod.
 *
 * @param index the completion index; {@link #NO_INDEX} where the pod has none that can be read
 * @param tracked whether the pod holds the tracking finalizer
 * @param otherFinalizers the finalizers that are not ours and stay when ours goes
 * @param deleting whether the pod is being deleted
 * @param scheduled whether the pod is bound to a node
 * @param ready whether its {@code Ready} condition is true
 * @param restarts container restarts, init containers included
 * @param created when the pod was made
 * @param finishTime when the pod finished, by KEP-3850's definition; only meaningful for a finished
 *     or deleted pod
 * @param failureCount failures of the index before this pod (KEP-3850)
 * @param ignoredFailureCount failures of the index that a rule ignored, before this pod
 * @param exits containers that ended with a code other than 0; empty if the pod succeeded
 * @param conditions conditions of the pod; without those that say how a pod comes to life, unless
 *     it failed, was evicted or is being deleted; empty if it succeeded otherwise
 * @param evicted whether all containers exited with 0, after the pod's end was asked for from
 *     outside
 * @param memory containers that ran out of memory, and those that have more than their Job's
 *     template says
 */
public record PodView(
    String uid,
    String namespace,
    String name,
    String resourceVersion,
    int index,
    PodPhase phase,
    boolean tracked,
    List<String> otherFinalizers,
    boolean deleting,
    boolean scheduled,
    boolean ready,
    int restarts,
    Instant created,
    Instant finishTime,
    int failureCount,
    int ignoredFailureCount,
    List<ContainerExit> exits,
    List<Condition> conditions,
    boolean evicted,
    List<ContainerMemory> memory) {

  public static final int NO_INDEX = -1;

  private static final Set<String> TRACKING = Set.of(Names.TRACKING_FINALIZER);

  /** Conditions that every live pod has. No rule is about them, and they would take memory. */
  private static final Set<String> OF_LIVE_PODS =
      Set.of(
          "PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady", "PodScheduled");

  /** A container that ended with a code other than 0. */
  public record ContainerExit(String container, int exitCode) {}

  /** A condition as the pod states it. */
  public record Condition(String type, String status) {}

  /** Projects a pod. */
  public static PodView of(KubeObject pod) {
    ObjectNode status = pod.status();
    ObjectNode metadata = Objects.requireNonNull(pod.metadata(), "metadata");
    ObjectNode annotations = Json.objectAt(metadata, "annotations");
    PodPhase phase = PodPhase.of(Json.text(status, "phase"));
    Instant created = Objects.requireNonNullElse(pod.creationTimestamp(), Instant.EPOCH);
    boolean deleting = metadata.has("deletionTimestamp");
    boolean failed = phase == PodPhase.Failed;
    boolean succeeded = phase == PodPhase.Succeeded;
    boolean over = failed || deleting || succeeded;
    boolean evicted = succeeded && Eviction.precedesEnd(metadata, status);
    List<String> finalizers = pod.finalizers();
    boolean tracked = finalizers.removeAll(TRACKING); // A user may have named it twice.
    return new PodView(
        pod.uid(),
        pod.namespace(),
        pod.name(),
        pod.resourceVersion(),
        number(annotations, Names.COMPLETION_INDEX, NO_INDEX),
        phase,
        tracked,
        List.copyOf(finalizers),
        deleting,
        pod.specText("nodeName") != null,
        "True".equals(conditionStatus(status, "Ready")),
        restarts(status),
        created,
        over ? FinishTime.of(metadata, status, created) : created,
        number(annotations, Names.INDEX_FAILURE_COUNT, 0),
        number(annotations, Names.INDEX_IGNORED_FAILURE_COUNT, 0),
        succeeded ? List.of() : exits(status),
        ruled(status, failed || deleting || evicted, succeeded),
        evicted,
        RetryMemory.of(pod, failed));
  }

  public boolean hasSucceeded() {
    return phase == PodPhase.Succeeded;
  }

  /** True if the pod has neither finished nor is being deleted. */
  public boolean isActive() {
    return !deleting && !hasStopped();
  }

  /** True if the pod is being deleted and has not stopped yet. */
  public boolean isTerminating() {
    return deleting && !hasStopped();
  }

  /** True if every container of the pod has stopped for good. */
  public boolean hasStopped() {
    return phase.isTerminal();
  }

  /** Returns the same pod, being deleted. */
  public PodView asDeleting() {
    return with(phase, true, failureCount);
  }

  /** Returns the same pod in a phase. */
  public PodView in(PodPhase changed) {
    return with(changed, deleting, failureCount);
  }

  /** Returns the same pod with a number of failures of its index. */
  public PodView withFailures(int count) {
    return with(phase, deleting, count);
  }

  private PodView with(PodPhase newPhase, boolean isDeleting, int failures) {
    return new PodView(
        uid,
        namespace,
        name,
        resourceVersion,
        index,
        newPhase,
        tracked,
        otherFinalizers,
        isDeleting,
        scheduled,
        ready,
        restarts,
        created,
        finishTime,
        failures,
        ignoredFailureCount,
        exits,
        conditions,
        evicted,
        memory);
  }

  private static int number(@Nullable ObjectNode annotations, String name, int otherwise) {
    String text = Json.text(annotations, name);
    if (text == null) {
      return otherwise;
    }
    try {
      return Math.max(otherwise, Integer.parseInt(text));
    } catch (NumberFormatException notANumber) {
      return otherwise;
    }
  }

  private static @Nullable String conditionStatus(@Nullable ObjectNode status, String type) {
    for (JsonNode condition : elements(status, "conditions")) {
      if (type.equals(Json.text(condition, "type"))) {
        return Json.text(condition, "status");
      }
    }
    return null;
  }

  /** Returns the conditions that rules may be about. */
  private static List<Condition> ruled(
      @Nullable ObjectNode status, boolean ending, boolean succeeded) {
    if (ending) {
      return conditions(status, Set.of());
    }
    return succeeded ? List.of() : conditions(status, OF_LIVE_PODS);
  }

  /** Returns the conditions of other types. */
  private static List<Condition> conditions(@Nullable ObjectNode status, Set<String> leftOut) {
    List<Condition> conditions = new ArrayList<>(0);
    for (JsonNode condition : elements(status, "conditions")) {
      String type = Json.text(condition, "type");
      String value = Json.text(condition, "status");
      if (type != null && value != null && !leftOut.contains(type)) {
        conditions.add(new Condition(type, value));
      }
    }
    return conditions.isEmpty() ? List.of() : conditions;
  }

  private static List<ContainerExit> exits(@Nullable ObjectNode status) {
    List<ContainerExit> exits = new ArrayList<>(0);
    for (String list : List.of("initContainerStatuses", "containerStatuses")) {
      for (JsonNode container : elements(status, list)) {
        Integer code =
            Json.integer(
                Json.objectAt(Json.objectAt(container, "state"), "terminated"), "exitCode");
        if (code != null && code != 0) {
          exits.add(
              new ContainerExit(
                  Objects.requireNonNullElse(Json.text(container, "name"), ""), code));
        }
      }
    }
    return exits.isEmpty() ? List.of() : exits;
  }

  private static int restarts(@Nullable ObjectNode status) {
    int restarts = 0;
    for (String list : List.of("initContainerStatuses", "containerStatuses")) {
      for (JsonNode container : elements(status, list)) {
        Integer count = Json.integer(container, "restartCount");
        restarts += count == null ? 0 : count;
      }
    }
    return restarts;
  }

  private static Iterable<JsonNode> elements(@Nullable ObjectNode tree, String member) {
    JsonNode list = Json.arrayAt(tree, member);
    return list == null ? List.of() : list;
  }
}
