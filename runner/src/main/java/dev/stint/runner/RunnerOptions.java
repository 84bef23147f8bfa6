package dev.stint.runner;

import dev.stint.model.KubeObject;
import dev.stint.runner.spec.ResourceAmount;
import java.time.Duration;
import java.util.function.Predicate;

/**
 * How a runner runs.
 *
 * @param nodeName the pods with this {@code spec.nodeName} are the runner's
 * @param maxPods how many pods run at once; the others wait, first in first out per priority
 * @param podFilter which of the node's pods to run; the others are left alone, not ended
 * @param statusDelay how long a status that is not the last one waits for a newer one before it is
 *     written, so that a short pod costs one write
 * @param machine what the requests of the pods that run at once may add up to
 * @param inputsTimeout how long a pod waits for a config map or a secret that does not exist, from
 *     its start time on, before it fails; a cluster has it wait for ever
 * @param eventsOfBinding whether a pod that comes to the node has an event about that, in a
 *     scheduler's place
 */
public record RunnerOptions(
    String nodeName,
    int maxPods,
    Predicate<KubeObject> podFilter,
    Duration statusDelay,
    ResourceAmount machine,
    Duration inputsTimeout,
    boolean eventsOfBinding) {
  public static final Duration DEFAULT_STATUS_DELAY = Duration.ofMillis(20);
  public static final Duration DEFAULT_INPUTS_TIMEOUT = Duration.ofMinutes(5);

  public RunnerOptions {
    if (maxPods < 1) {
      throw new IllegalArgumentException("maxPods must be at least 1, not " + maxPods);
    }
  }

  public RunnerOptions(String nodeName, int maxPods, Predicate<KubeObject> podFilter) {
    this(nodeName, maxPods, podFilter, DEFAULT_STATUS_DELAY);
  }

  /** Options of a runner that may use all of this machine. */
  public RunnerOptions(
      String nodeName, int maxPods, Predicate<KubeObject> podFilter, Duration statusDelay) {
    this(
        nodeName,
        maxPods,
        podFilter,
        statusDelay,
        ResourceAmount.ofThisMachine(),
        DEFAULT_INPUTS_TIMEOUT,
        false);
  }

  /** The same, with other resources to share. */
  public RunnerOptions withMachine(ResourceAmount other) {
    return new RunnerOptions(
        nodeName, maxPods, podFilter, statusDelay, other, inputsTimeout, eventsOfBinding);
  }

  /** The same, with another delay of statuses. */
  public RunnerOptions withStatusDelay(Duration other) {
    return new RunnerOptions(
        nodeName, maxPods, podFilter, other, machine, inputsTimeout, eventsOfBinding);
  }

  /** The same, with another time that pods wait for what does not exist. */
  public RunnerOptions withInputsTimeout(Duration other) {
    return new RunnerOptions(
        nodeName, maxPods, podFilter, statusDelay, machine, other, eventsOfBinding);
  }

  /** The same, with events about pods that come to the node. */
  public RunnerOptions withEventsOfBinding() {
    return new RunnerOptions(
        nodeName, maxPods, podFilter, statusDelay, machine, inputsTimeout, true);
  }
}
