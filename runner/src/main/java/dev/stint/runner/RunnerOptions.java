package dev.stint.runner;

import dev.stint.model.KubeObject;
import dev.stint.model.field.FieldError;
import dev.stint.runner.device.Devices;
import dev.stint.runner.policy.PodAdmission;
import dev.stint.runner.spec.ResourceAmount;
import dev.stint.runner.token.PodApi;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The options of a runner.
 *
 * @param nodeName the runner runs the pods with this {@code spec.nodeName}
 * @param maxPods the number of pods that run at once; the others wait, see {@link PodAdmission}
 * @param maxPodsPerNamespace the same for the pods of one namespace
 * @param podFilter selects the node's pods to run; the others are left alone, not ended
 * @param statusDelay the time that a status that is not the last one waits for a newer one before
 *     it is written, so that a short pod costs one write
 * @param machine the limit for the sum of the requests of the pods that run at once
 * @param devices the devices that pods get; their numbers are part of {@code machine}
 * @param inputsTimeout the time that a pod waits for a config map or a secret that does not exist,
 *     from its start time on, before it fails; a cluster has it wait forever
 * @param eventsOfBinding true if a pod that comes to the node gets an event about that, in a
 *     scheduler's place
 * @param repeatsLost selects the pods whose attempts are run again if a restart of the machine took
 *     them; those of other pods have ended
 * @param api the API server that issues tokens to pods; null if none does
 * @param refusals finds the reasons why a pod must not start, besides those of the runtime
 */
public record RunnerOptions(
    String nodeName,
    int maxPods,
    int maxPodsPerNamespace,
    Predicate<KubeObject> podFilter,
    Duration statusDelay,
    ResourceAmount machine,
    Devices devices,
    Duration inputsTimeout,
    boolean eventsOfBinding,
    Predicate<KubeObject> repeatsLost,
    @Nullable PodApi api,
    Function<KubeObject, List<FieldError>> refusals) {
  /** The value of {@code maxPodsPerNamespace} without a limit. */
  public static final int UNLIMITED_PODS = PodAdmission.UNLIMITED;

  static final Duration DEFAULT_STATUS_DELAY = Duration.ofMillis(20);
  public static final Duration DEFAULT_INPUTS_TIMEOUT = Duration.ofMinutes(5);

  public RunnerOptions {
    if (maxPods < 1) {
      throw new IllegalArgumentException("maxPods must be at least 1, not " + maxPods);
    }
  }

  public RunnerOptions(String nodeName, int maxPods, Predicate<KubeObject> podFilter) {
    this(nodeName, maxPods, podFilter, DEFAULT_STATUS_DELAY);
  }

  /** Creates options of a runner that may use all of this machine. */
  public RunnerOptions(
      String nodeName, int maxPods, Predicate<KubeObject> podFilter, Duration statusDelay) {
    this(
        nodeName,
        maxPods,
        UNLIMITED_PODS,
        podFilter,
        statusDelay,
        ResourceAmount.ofThisMachine(),
        Devices.NONE,
        DEFAULT_INPUTS_TIMEOUT,
        false,
        _ -> false,
        null,
        _ -> List.of());
  }

  private RunnerOptions with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.finished();
  }

  /** Returns the options with another limit of pods for each namespace. */
  public RunnerOptions withMaxPodsPerNamespace(int other) {
    return with(draft -> draft.maxPodsPerNamespace = other);
  }

  /** Returns the options with other resources to share. */
  public RunnerOptions withMachine(ResourceAmount other) {
    return with(draft -> draft.machine = other);
  }

  /** Returns the options with other devices, which pods may request as well. */
  public RunnerOptions withDevices(Devices others) {
    return with(draft -> {
      draft.machine = machine.withDevices(others.counts());
      draft.devices = others;
    });
  }

  /** Returns the options with another delay of statuses. */
  public RunnerOptions withStatusDelay(Duration other) {
    return with(draft -> draft.statusDelay = other);
  }

  /** Returns the options with another timeout for missing inputs. */
  public RunnerOptions withInputsTimeout(Duration other) {
    return with(draft -> draft.inputsTimeout = other);
  }

  /** Returns the options with events about pods that come to the node. */
  public RunnerOptions withEventsOfBinding() {
    return with(draft -> draft.eventsOfBinding = true);
  }

  /** Returns the options with other pods whose lost attempts are run again. */
  public RunnerOptions withRepeatsOfLost(Predicate<KubeObject> other) {
    return with(draft -> draft.repeatsLost = other);
  }

  /** Returns the options with an API server that issues tokens to pods. */
  public RunnerOptions withApi(PodApi other) {
    return with(draft -> draft.api = other);
  }

  /** Returns the options with more reasons to refuse pods. */
  public RunnerOptions withRefusals(Function<KubeObject, List<FieldError>> other) {
    return with(draft -> draft.refusals = other);
  }

  /** A mutable copy of options. */
  private static final class Draft {
    private String nodeName;
    private int maxPods;
    private int maxPodsPerNamespace;
    private Predicate<KubeObject> podFilter;
    private Duration statusDelay;
    private ResourceAmount machine;
    private Devices devices;
    private Duration inputsTimeout;
    private boolean eventsOfBinding;
    private Predicate<KubeObject> repeatsLost;
    private @Nullable PodApi api;
    private Function<KubeObject, List<FieldError>> refusals;

    Draft(RunnerOptions from) {
      this.nodeName = from.nodeName;
      this.maxPods = from.maxPods;
      this.maxPodsPerNamespace = from.maxPodsPerNamespace;
      this.podFilter = from.podFilter;
      this.statusDelay = from.statusDelay;
      this.machine = from.machine;
      this.devices = from.devices;
      this.inputsTimeout = from.inputsTimeout;
      this.eventsOfBinding = from.eventsOfBinding;
      this.repeatsLost = from.repeatsLost;
      this.api = from.api;
      this.refusals = from.refusals;
    }

    RunnerOptions finished() {
      return new RunnerOptions(
          nodeName,
          maxPods,
          maxPodsPerNamespace,
          podFilter,
          statusDelay,
          machine,
          devices,
          inputsTimeout,
          eventsOfBinding,
          repeatsLost,
          api,
          refusals);
    }
  }
}
