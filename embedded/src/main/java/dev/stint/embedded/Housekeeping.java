package dev.stint.embedded;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.Timers;
import dev.stint.controllers.Controller;
import dev.stint.controllers.CronJobController;
import dev.stint.controllers.GarbageCollector;
import dev.stint.controllers.NamespaceController;
import dev.stint.controllers.PodGarbageCollector;
import dev.stint.controllers.RootCaPublisher;
import dev.stint.controllers.ServiceAccountController;
import dev.stint.controllers.TtlController;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The controllers beside the Job controller, which all work on one executor. */
final class Housekeeping {
  private final Cluster cluster;
  private final Executor loop;
  private final InstantSource clock;
  private final Timers timers;
  private final @Nullable String authority;

  /**
   * @param authority the certificate that clients know the API server by, as PEM; null where there
   *     is none to publish
   */
  Housekeeping(
      Cluster cluster,
      Executor loop,
      InstantSource clock,
      Timers timers,
      @Nullable String authority) {
    this.authority = authority;
    this.cluster = cluster;
    this.loop = loop;
    this.clock = clock;
    this.timers = timers;
  }

  /** Starts those that are asked for. */
  List<Controller> start(Set<ControllerName> asked) {
    List<Controller> controllers = asked.stream().flatMap(this::make).toList();
    controllers.forEach(Controller::start);
    return controllers;
  }

  private Stream<Controller> make(ControllerName name) {
    return switch (name) {
      case JOB -> Stream.empty(); // It has an executor of its own.
      case CRONJOB ->
          Stream.of(new CronJobController(cluster, loop, clock, timers, ZoneId.systemDefault()));
      case TTL -> Stream.of(new TtlController(cluster, loop, clock, timers));
      case GC ->
          Stream.of(
              new GarbageCollector(cluster, loop, clock, timers, GarbageCollector.usualKinds()));
      case PODGC ->
          Stream.of(
              new PodGarbageCollector(
                  cluster, loop, clock, timers, PodGarbageCollector.USUAL_THRESHOLD));
      case NAMESPACE ->
          Stream.of(
              new NamespaceController(
                  cluster, loop, clock, timers, NamespaceController.usualKinds()));
      case SERVICEACCOUNT -> Stream.of(new ServiceAccountController(cluster, loop, clock, timers));
      case ROOTCA ->
          authority == null
              ? Stream.empty()
              : Stream.of(new RootCaPublisher(cluster, loop, clock, timers, authority));
    };
  }
}
