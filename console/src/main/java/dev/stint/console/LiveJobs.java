package dev.stint.console;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.Timers;
import dev.stint.runner.log.LogTree;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The Jobs that somebody looks at. All who look at one share what is kept of it. */
final class LiveJobs {
  private final Cluster cluster;
  private final @Nullable LogTree logs;
  private final InstantSource clock;
  private final Timers timers;
  private final Map<Subject, Held> held = new HashMap<>();

  private record Subject(String namespace, String name) {}

  private static final class Held {
    private final JobLive live;
    private int users;

    Held(JobLive live) {
      this.live = live;
    }
  }

  /** The right to look at a Job. */
  final class Lease implements AutoCloseable {
    private final Held of;
    private boolean closed;

    private Lease(Held of) {
      this.of = of;
    }

    JobLive live() {
      return of.live;
    }

    @Override
    public void close() {
      synchronized (held) {
        if (closed) {
          return;
        }
        closed = true;
        of.users--;
        if (of.users > 0) {
          return;
        }
        held.values().remove(of);
      }
      of.live.close();
    }
  }

  LiveJobs(Cluster cluster, @Nullable LogTree logs, InstantSource clock, Timers timers) {
    this.cluster = cluster;
    this.logs = logs;
    this.clock = clock;
    this.timers = timers;
  }

  /**
   * Looks at a Job, whether there is one of the name or not. Waits until it is read, without its
   * pods.
   *
   * @throws dev.stint.cluster.ClusterException where that is refused
   */
  Lease open(String namespace, String name) {
    Subject subject = new Subject(namespace, name);
    Held found;
    synchronized (held) {
      found = held.get(subject);
      if (found == null || found.live.failed()) {
        found = new Held(new JobLive(cluster, logs, clock, timers, namespace, name));
        held.put(subject, found);
      }
      found.users++;
    }
    Lease lease = new Lease(found);
    try {
      found.live.start();
      return lease;
    } catch (RuntimeException refused) {
      lease.close();
      throw refused;
    }
  }
}
