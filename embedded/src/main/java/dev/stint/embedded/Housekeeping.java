package dev.stint.embedded;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.Timers;
import dev.stint.controllers.CronJobController;
import dev.stint.controllers.GarbageCollector;
import dev.stint.controllers.NamespaceController;
import dev.stint.controllers.PodGarbageCollector;
import dev.stint.controllers.ServiceAccountController;
import dev.stint.controllers.TtlController;
import dev.stint.model.Kind;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;

/** The controllers beside the Job controller, which all work on one executor. */
final class Housekeeping {
  private final Cluster cluster;
  private final Executor loop;
  private final InstantSource clock;
  private final Timers timers;

  Housekeeping(Cluster cluster, Executor loop, InstantSource clock, Timers timers) {
    this.cluster = cluster;
    this.loop = loop;
    this.clock = clock;
    this.timers = timers;
  }

  /** Starts those that are asked for; closing them stops them. */
  List<AutoCloseable> start(Set<ControllerName> asked) {
    List<AutoCloseable> started = new ArrayList<>();
    for (ControllerName name : asked) {
      switch (name) {
        case JOB -> {} // It has an executor of its own.
        case CRONJOB -> {
          CronJobController controller =
              new CronJobController(cluster, loop, clock, timers, ZoneId.systemDefault());
          controller.start();
          started.add(controller);
        }
        case TTL -> {
          TtlController controller = new TtlController(cluster, loop, clock, timers);
          controller.start();
          started.add(controller);
        }
        case GC -> {
          GarbageCollector controller =
              new GarbageCollector(cluster, loop, clock, timers, Kind.all());
          controller.start();
          started.add(controller);
        }
        case PODGC -> {
          PodGarbageCollector controller =
              new PodGarbageCollector(
                  cluster, loop, clock, timers, PodGarbageCollector.USUAL_THRESHOLD);
          controller.start();
          started.add(controller);
        }
        case NAMESPACE -> {
          NamespaceController controller =
              new NamespaceController(
                  cluster, loop, clock, timers, NamespaceController.usualKinds());
          controller.start();
          started.add(controller);
        }
        case SERVICEACCOUNT -> {
          ServiceAccountController controller =
              new ServiceAccountController(cluster, loop, clock, timers);
          controller.start();
          started.add(controller);
        }
      }
    }
    return started;
  }
}
