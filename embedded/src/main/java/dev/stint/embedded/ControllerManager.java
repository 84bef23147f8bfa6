package dev.stint.embedded;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.EventLoop;
import dev.stint.controllers.after.AfterController;
import dev.stint.controllers.cronjob.CronJobController;
import dev.stint.controllers.gc.GarbageCollector;
import dev.stint.controllers.gc.PodGarbageCollector;
import dev.stint.controllers.gc.ServedKinds;
import dev.stint.controllers.gc.TtlController;
import dev.stint.controllers.job.JobControllerOptions;
import dev.stint.controllers.metrics.Metrics;
import dev.stint.controllers.namespace.NamespaceController;
import dev.stint.controllers.namespace.RootCaPublisher;
import dev.stint.controllers.namespace.ServiceAccountController;
import dev.stint.controllers.quota.ResourceQuotaController;
import dev.stint.reconcile.Controller;
import java.time.ZoneId;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Runs the controllers other than the Job controller, all on one executor. */
final class ControllerManager {
  private final Cluster cluster;
  private final ServedKinds served;
  private final EventLoop loop;
  private final Metrics metrics;
  private final JobControllerOptions jobs;
  private final @Nullable String authority;

  /**
   * @param served all kinds that the API serves now, custom ones too
   * @param jobs the options of the Job controller
   * @param authority the certificate of the API server's authority, as PEM; null if there is none
   *     to publish
   */
  ControllerManager(
      Cluster cluster,
      ServedKinds served,
      EventLoop loop,
      Metrics metrics,
      JobControllerOptions jobs,
      @Nullable String authority) {
    this.jobs = jobs;
    this.authority = authority;
    this.cluster = cluster;
    this.served = served;
    this.loop = loop;
    this.metrics = metrics;
  }

  /** Starts the controllers of these names. */
  List<Controller> start(Set<ControllerName> names) {
    List<Controller> controllers = controllers(names);
    controllers.forEach(Controller::start);
    return controllers;
  }

  /** Returns the controllers of these names, not started yet. */
  List<Controller> controllers(Set<ControllerName> names) {
    return names.stream().flatMap(this::make).toList();
  }

  private Stream<Controller> make(ControllerName name) {
    return switch (name) {
      case JOB -> Stream.empty(); // It has its own executor.
      case AFTER -> Stream.of(new AfterController(cluster, loop, metrics, jobs));
      case CRONJOB ->
          Stream.of(
              new CronJobController(cluster, loop, metrics, ZoneId.systemDefault(), jobs.gates()));
      case TTL -> Stream.of(new TtlController(cluster, loop, metrics));
      case GC -> Stream.of(new GarbageCollector(cluster, loop, metrics, served));
      case PODGC ->
          Stream.of(
              new PodGarbageCollector(cluster, loop, metrics, PodGarbageCollector.USUAL_THRESHOLD));
      case NAMESPACE ->
          Stream.of(
              new NamespaceController(
                  cluster, loop, metrics, () -> NamespaceController.contents(served.stored())));
      case SERVICEACCOUNT -> Stream.of(new ServiceAccountController(cluster, loop, metrics));
      case ROOTCA ->
          authority == null
              ? Stream.empty()
              : Stream.of(new RootCaPublisher(cluster, loop, metrics, authority));
      case RESOURCEQUOTA ->
          Stream.of(new ResourceQuotaController(cluster, loop, metrics, served::stored));
    };
  }
}
