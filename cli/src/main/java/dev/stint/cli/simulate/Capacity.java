package dev.stint.cli.simulate;

import dev.stint.runner.spec.ResourceAmount;
import org.jspecify.annotations.Nullable;

/**
 * The room for pods.
 *
 * @param maxPods the number of pods that run at once on a machine or node; null for the default
 * @param milliCpu thousandths of a core of each machine or node; null if unlimited
 * @param memoryBytes the memory of each; null if unlimited
 * @param nodes the number of nodes, to which a scheduler binds pods; null for one machine, which
 *     admits them as {@code stint run} does
 */
record Capacity(
    @Nullable Integer maxPods,
    @Nullable Long milliCpu,
    @Nullable Long memoryBytes,
    @Nullable Integer nodes) {
  static final Capacity UNLIMITED = new Capacity(null, null, null, null);

  /** The default of a kubelet. */
  private static final int PODS_OF_A_NODE = 110;

  /** Returns the resources of the machine or of each node. */
  ResourceAmount machine() {
    return new ResourceAmount(
        milliCpu == null ? Long.MAX_VALUE : milliCpu,
        memoryBytes == null ? Long.MAX_VALUE : memoryBytes);
  }

  /** Returns the number of pods that run at once on the machine or on each node. */
  int pods() {
    int usual = nodes == null ? Integer.MAX_VALUE : PODS_OF_A_NODE;
    return maxPods == null ? usual : maxPods;
  }

  Capacity withMaxPods(int other) {
    return new Capacity(other, milliCpu, memoryBytes, nodes);
  }

  Capacity withMilliCpu(long other) {
    return new Capacity(maxPods, other, memoryBytes, nodes);
  }

  Capacity withMemoryBytes(long other) {
    return new Capacity(maxPods, milliCpu, other, nodes);
  }

  Capacity withNodes(int other) {
    return new Capacity(maxPods, milliCpu, memoryBytes, other);
  }
}
