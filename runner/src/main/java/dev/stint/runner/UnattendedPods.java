package dev.stint.runner;

import dev.stint.model.KubeObject;
import dev.stint.runner.device.DevicePool;
import dev.stint.runner.device.PodDevices;
import dev.stint.runner.policy.PodAdmission;
import dev.stint.runner.runtime.IdleLeftover;
import dev.stint.runner.spec.PodRequests;
import dev.stint.runner.spec.ResourceAmount;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The pods that an earlier life of the runner left, and that the filter of pods does not accept, at
 * least not yet. Nothing attends to them, but they keep their room and their devices while they
 * run. On the loop only.
 */
final class UnattendedPods {
  /** The interval between questions which of them still run. */
  static final Duration INTERVAL = Duration.ofSeconds(5);

  private final NodePorts node;
  private final PodAdmission<PodLife> admission;
  private final DevicePool<PodLife> devices;
  private final Consumer<Map<String, IdleLeftover>> onEnd;
  private final Map<String, PodLife> kept = new HashMap<>();
  private boolean asking;
  private boolean closed;

  /**
   * @param onEnd called when some of them have ended, with all leftovers of which nothing runs
   */
  UnattendedPods(
      NodePorts node,
      PodAdmission<PodLife> admission,
      DevicePool<PodLife> devices,
      Consumer<Map<String, IdleLeftover>> onEnd) {
    this.node = node;
    this.admission = admission;
    this.devices = devices;
    this.onEnd = onEnd;
  }

  /**
   * Keeps the room of a pod.
   *
   * @param life never begun: it stands for the pod
   */
  void keep(PodLife life) {
    KubeObject pod = life.pod();
    if (!kept.containsKey(pod.uid())) {
      kept.put(pod.uid(), life);
      ResourceAmount amount = PodRequests.of(pod).amount();
      admission.take(life, pod.namespace(), amount);
      devices.takeOver(life, PodDevices.of(pod), amount.devices());
      ask();
    }
  }

  boolean has(PodLife life) {
    return kept.get(life.uid()) == life;
  }

  /** Releases the room of a pod, which has ended, or is attended to from now on. */
  void release(String uid) {
    PodLife life = kept.remove(uid);
    if (life != null) {
      admission.release(life);
      devices.release(life);
    }
  }

  void close() {
    closed = true;
  }

  private void ask() {
    if (!asking && !closed && !kept.isEmpty()) {
      asking = true;
      node.runtime()
          .idleLeftovers()
          .whenComplete((found, failure) ->
              node.loop().execute(() -> onAnswer(failure == null ? found : Map.of())));
    }
  }

  private void onAnswer(Map<String, IdleLeftover> idle) {
    List<String> ended = kept.keySet().stream().filter(idle::containsKey).toList();
    ended.forEach(this::release);
    if (!ended.isEmpty()) {
      onEnd.accept(idle);
    }
    node.after(INTERVAL, this::askAgain);
  }

  private void askAgain() {
    asking = false;
    ask();
  }
}
