package dev.stint.runner;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.Timestamps;
import dev.stint.model.pod.PodPhase;
import dev.stint.runner.status.PodConditions;
import dev.stint.runner.status.PodStatus;
import java.time.Instant;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Reports the status of one pod to the API server. On the loop only. */
final class PodReporter {
  /** The reason of a pod that failed by an exception. */
  static final String INTERNAL_ERROR = "InternalError";

  private final NodePorts node;
  private final PodLife life;
  private final Consumer<KubeObject> onNewer;
  private @Nullable StatusWriter writer;
  private @Nullable Instant startTime;
  private PodStatus.@Nullable Failure failure;
  private PodStatus.@Nullable Disruption disruption;
  private @Nullable String obstacle;

  /**
   * @param onNewer receives the pod's state if it differs from the known one
   */
  PodReporter(NodePorts node, PodLife life, Consumer<KubeObject> onNewer) {
    this.node = node;
    this.life = life;
    this.onNewer = onNewer;
  }

  /** Records that the pod was accepted, and returns when: maybe in an earlier life. */
  Instant accept() {
    Instant before = Timestamps.parse(Json.text(life.pod().status(), "startTime"));
    Instant time = before == null ? node.now() : before;
    startTime = time;
    return time;
  }

  /** Records why the pod fails, whatever its containers do. */
  void markFailed(@Nullable String reason, String message) {
    failure = new PodStatus.Failure(reason, message);
  }

  /** Returns why the pod fails, whatever its containers do; null if it does not. */
  PodStatus.@Nullable Failure failure() {
    return failure;
  }

  /** Records the pod's current state. */
  void record(KubeObject pod) {
    if (writer != null) {
      writer.record(pod);
    }
  }

  /** Reports that a waiting pod cannot start now, once for each reason. */
  void reportUnschedulable(String why) {
    boolean reported = why.equals(obstacle) || isReportedUnschedulable(why);
    obstacle = why;
    if (!reported) {
      writer().write(() -> unschedulable(why));
      node.events().failedScheduling(life.pod(), why);
    }
  }

  private boolean isReportedUnschedulable(String why) {
    ArrayNode conditions = Json.arrayAt(life.pod().status(), "conditions");
    return PodConditions.isReportedUnschedulable(conditions, why);
  }

  private ObjectNode unschedulable(String why) {
    // A pod that ran before keeps its phase: that it waits again is no new beginning.
    String phase = life.pod().statusText("phase");
    ObjectNode status = Json.object().put("phase", phase == null ? PodPhase.Pending.name() : phase);
    status.set("conditions", PodConditions.after(life.pod(), node.now()).unschedulable(why));
    return status;
  }

  /** Reports, at once, that the pod is disrupted. */
  void reportDisruption(PodStatus.Disruption why) {
    disruption = why;
    writer().cancelScheduled();
    write();
  }

  /** Reports the state of the pod soon. */
  void schedule() {
    writer().schedule(this::write);
  }

  void cancel() {
    if (writer != null) {
      writer.cancelScheduled();
    }
  }

  private void write() {
    if (life.isReported()) {
      writer().write(() -> status(PodStatus.phaseUnderWay(life.containers().statuses())));
    }
  }

  /** Reports the last state of the pod: see {@link StatusWriter#writeLast}. */
  void writeLast(Consumer<Boolean> onAnswer) {
    writer().writeLast(() -> status(lastPhase()), onAnswer);
  }

  /**
   * Reports that a pod failed by an exception. Nothing that is known of its containers is reported,
   * since that may be the cause.
   */
  static void reportFault(NodePorts node, KubeObject pod, Throwable fault) {
    ObjectNode status =
        Json.object()
            .put("phase", PodPhase.Failed.name())
            .put("reason", INTERNAL_ERROR)
            .put("message", text(fault));
    new StatusWriter(node, pod, _ -> {}).writeLast(() -> status, _ -> {});
  }

  /** Describes an exception in one line. */
  static String text(Throwable fault) {
    return fault.toString().lines().findFirst().orElse("");
  }

  private PodPhase lastPhase() {
    return failure != null ? PodPhase.Failed : PodStatus.lastPhase(life.containers().statuses());
  }

  private ObjectNode status(PodPhase phase) {
    PodContainers containers = life.containers();
    boolean isKnown = disruption != null || phase != PodPhase.Failed;
    return new PodStatus(
            phase,
            phase.isTerminal() ? failure : null,
            startTime,
            containers.statuses(),
            isKnown ? disruption : faultOfMachine(containers),
            containers.podIp().orElse(Json.text(life.pod().status(), "podIP")))
        .toJson(life.pod(), node.now());
  }

  /**
   * Returns the disruption condition if the machine is at fault for the pod's failure; else null.
   */
  private PodStatus.@Nullable Disruption faultOfMachine(PodContainers containers) {
    if (life.isEvicted() && failure != null) {
      return PodStatus.Disruption.ofKubelet(failure.message());
    }
    return containers
        .lostWithMachine()
        .map(exit -> PodStatus.Disruption.ofKubelet(exit.message()))
        .orElse(null);
  }

  private StatusWriter writer() {
    if (writer == null) {
      writer = new StatusWriter(node, life.pod(), onNewer);
    }
    return writer;
  }
}
