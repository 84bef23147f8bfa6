package dev.stint.embedded;

import dev.stint.apiserver.pods.TokenAutomount;
import dev.stint.cluster.Cluster;
import dev.stint.controllers.gc.EventExpiry;
import dev.stint.controllers.job.JobControllerOptions;
import dev.stint.controllers.metrics.Metrics;
import dev.stint.model.KubeObject;
import dev.stint.model.podsecurity.PodSecuritySettings;
import dev.stint.runner.RunnerOptions;
import dev.stint.runner.device.Devices;
import dev.stint.runner.spec.ResourceAmount;
import dev.stint.store.StoreOptions;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * The options of a control plane.
 *
 * @param jobs the options of the Job controller; its feature gates are the API's too
 * @param runner the options of the agent that runs pods on {@link ControlPlane#NODE}; simulated
 *     pods use no resources of the machine
 * @param binding true if pods are bound to {@link ControlPlane#NODE} when they are created;
 *     otherwise another client may bind them
 * @param namespacesMustExist true if objects in namespaces that were not created are refused
 * @param metrics receives the controllers' metrics
 * @param clusterDecorator decorates the cluster that the controllers use, for example by a faulty
 *     network
 * @param allowPrivileged true if pods may have privileged containers
 * @param podSecurity the settings of pod security
 * @param tokens which pods get a token of their service account at its usual path
 * @param disabledPlugins the steps of admission that are left out, by the names of Kubernetes'
 *     admission plugins
 * @param serviceAddresses where webhooks behind services are, by {@code NAMESPACE/NAME}
 * @param eventTimeToLive the time for which an event is kept after its last occurrence
 */
public record ControlPlaneOptions(
    StoreOptions store,
    JobControllerOptions jobs,
    RunnerOptions runner,
    boolean binding,
    boolean namespacesMustExist,
    Metrics metrics,
    UnaryOperator<Cluster> clusterDecorator,
    boolean allowPrivileged,
    PodSecuritySettings podSecurity,
    TokenAutomount tokens,
    Set<String> disabledPlugins,
    Map<String, InetSocketAddress> serviceAddresses,
    Duration eventTimeToLive) {
  /** The default of a kubelet. */
  public static final int DEFAULT_MAX_PODS = 110;

  public static final ControlPlaneOptions DEFAULT =
      new ControlPlaneOptions(
          StoreOptions.defaults(), JobControllerOptions.DEFAULT, DEFAULT_MAX_PODS, pod -> true);

  /** Creates options with pods bound to the node, and namespaces that need not exist. */
  public ControlPlaneOptions(
      StoreOptions store, JobControllerOptions jobs, int maxPods, Predicate<KubeObject> podFilter) {
    this(store, jobs, maxPods, podFilter, true, false);
  }

  /** Creates options without metrics. */
  public ControlPlaneOptions(
      StoreOptions store,
      JobControllerOptions jobs,
      int maxPods,
      Predicate<KubeObject> podFilter,
      boolean binding,
      boolean namespacesMustExist) {
    this(
        store,
        jobs,
        new RunnerOptions(ControlPlane.NODE, maxPods, podFilter),
        binding,
        namespacesMustExist,
        Metrics.NONE,
        UnaryOperator.identity(),
        true,
        PodSecuritySettings.LABELS_ONLY,
        TokenAutomount.NEVER,
        Set.of(),
        Map.of(),
        EventExpiry.DEFAULT_TIME_TO_LIVE);
  }

  /** Returns these options with other metrics for the controllers. */
  public ControlPlaneOptions with(Metrics other) {
    return with(draft -> draft.metrics = other);
  }

  /**
   * Returns these options with another amount of resources to share, and another time that pods
   * wait for missing inputs.
   */
  public ControlPlaneOptions with(ResourceAmount shared, Duration patience) {
    return with(runner.withMachine(shared).withInputsTimeout(patience));
  }

  /** Returns these options with another limit of pods for each namespace. */
  public ControlPlaneOptions withMaxPodsPerNamespace(int most) {
    return with(runner.withMaxPodsPerNamespace(most));
  }

  /** Returns these options with other devices for pods. */
  public ControlPlaneOptions withDevices(Devices devices) {
    return with(runner.withDevices(devices));
  }

  /**
   * Returns these options with pods whose attempts are run again if a restart of the machine took
   * them, see {@link RunnerOptions#repeatsLost}.
   */
  public ControlPlaneOptions withRepeatsOfLost(Predicate<KubeObject> pods) {
    return with(runner.withRepeatsOfLost(pods));
  }

  /**
   * Returns these options with another delay by which writes of a pod's status wait for a newer
   * one; the last one is never delayed.
   */
  public ControlPlaneOptions withStatusDelay(Duration delay) {
    return with(runner.withStatusDelay(delay));
  }

  /** Returns these options with an event for each pod that is bound, unless there are too many. */
  public ControlPlaneOptions withEventsOfBinding() {
    return with(runner.withEventsOfBinding());
  }

  /** Returns these options with a decorator of the cluster that the controllers use. */
  public ControlPlaneOptions withClusterDecorator(UnaryOperator<Cluster> decorator) {
    return with(draft -> draft.clusterDecorator = decorator);
  }

  /** Returns these options with privileged containers allowed or refused. */
  public ControlPlaneOptions withPrivilegedContainers(boolean allowed) {
    return with(draft -> draft.allowPrivileged = allowed);
  }

  /** Returns these options with other settings of pod security. */
  public ControlPlaneOptions withPodSecurity(PodSecuritySettings settings) {
    return with(draft -> draft.podSecurity = settings);
  }

  /** Returns these options with tokens for other pods. */
  public ControlPlaneOptions withTokens(TokenAutomount other) {
    return with(draft -> draft.tokens = other);
  }

  /** Returns these options without these steps of admission. */
  public ControlPlaneOptions withoutPlugins(Set<String> names) {
    return with(draft -> draft.disabledPlugins = Set.copyOf(names));
  }

  /** Returns these options with addresses of services. */
  public ControlPlaneOptions withServiceAddresses(Map<String, InetSocketAddress> addresses) {
    return with(draft -> draft.serviceAddresses = Map.copyOf(addresses));
  }

  /** Returns these options with events that are kept for another time. */
  public ControlPlaneOptions withEventTimeToLive(Duration time) {
    return with(draft -> draft.eventTimeToLive = time);
  }

  private ControlPlaneOptions with(RunnerOptions other) {
    return with(draft -> draft.runner = other);
  }

  private ControlPlaneOptions with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.finished();
  }

  /** A mutable copy of options. */
  private static final class Draft {
    private StoreOptions store;
    private JobControllerOptions jobs;
    private RunnerOptions runner;
    private boolean binding;
    private boolean namespacesMustExist;
    private Metrics metrics;
    private UnaryOperator<Cluster> clusterDecorator;
    private boolean allowPrivileged;
    private PodSecuritySettings podSecurity;
    private TokenAutomount tokens;
    private Set<String> disabledPlugins;
    private Map<String, InetSocketAddress> serviceAddresses;
    private Duration eventTimeToLive;

    Draft(ControlPlaneOptions from) {
      this.store = from.store;
      this.jobs = from.jobs;
      this.runner = from.runner;
      this.binding = from.binding;
      this.namespacesMustExist = from.namespacesMustExist;
      this.metrics = from.metrics;
      this.clusterDecorator = from.clusterDecorator;
      this.allowPrivileged = from.allowPrivileged;
      this.podSecurity = from.podSecurity;
      this.tokens = from.tokens;
      this.disabledPlugins = from.disabledPlugins;
      this.serviceAddresses = from.serviceAddresses;
      this.eventTimeToLive = from.eventTimeToLive;
    }

    ControlPlaneOptions finished() {
      return new ControlPlaneOptions(
          store,
          jobs,
          runner,
          binding,
          namespacesMustExist,
          metrics,
          clusterDecorator,
          allowPrivileged,
          podSecurity,
          tokens,
          disabledPlugins,
          serviceAddresses,
          eventTimeToLive);
    }
  }
}
