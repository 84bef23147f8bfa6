package dev.stint.cli.simulate;

import dev.stint.apiserver.write.WriteOptions;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.WatchEvent;
import dev.stint.cluster.WatchHandler;
import dev.stint.embedded.ControlPlane;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.runner.spec.PodRequests;
import dev.stint.runner.spec.PodSpec;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;

/**
 * Binds pods when there is room for them on one of several nodes. All nodes have the same agent,
 * since only the room of each matters. One thread.
 */
final class NodeScheduler implements WatchHandler {
  private final ControlPlane plane;
  private final NodePlacement<ObjectRef> placement;

  /**
   * @param plane it binds no pods itself
   */
  NodeScheduler(ControlPlane plane, NodePlacement<ObjectRef> placement) {
    this.plane = plane;
    this.placement = placement;
  }

  void start(String revision) {
    plane.cluster().watch(Kind.POD, null, revision, this);
  }

  @Override
  public void onEvent(WatchEvent event) {
    KubeObject pod = event.object();
    if (event.type() == WatchEvent.Type.DELETED || PodSpec.isFinished(pod)) {
      placement.remove(pod.ref());
    } else if (PodSpec.nodeName(pod) == null && !isGated(pod)) {
      placement.enqueue(pod.ref(), PodRequests.of(pod).amount(), PodSpec.priority(pod));
    }
    placement.place().forEach(this::bind);
  }

  private static boolean isGated(KubeObject pod) {
    ArrayNode gates = Json.arrayAt(pod.spec(), "schedulingGates");
    return gates != null && !gates.isEmpty();
  }

  /** Binds a pod. If it was deleted meanwhile, its deletion gives the room back. */
  private void bind(ObjectRef pod) {
    plane.api().registry().bind(pod, ControlPlane.NODE, WriteOptions.PLAIN);
  }

  @Override
  public void onClosed(@Nullable ClusterException cause) {
    throw new IllegalStateException("the watch of the pods ended", cause);
  }
}
