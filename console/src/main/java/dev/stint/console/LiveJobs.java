package dev.stint.console;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.Timers;
import dev.stint.runner.log.LogTree;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The live views of Jobs in use. All clients of one Job share its view. */
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

  /** A reference to a live view, which stays open until the last lease is closed. */
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
   * Opens the view of a Job, even if no Job of the name exists. Blocks until the Job is read,
   * without its pods.
   *
   * @throws dev.stint.cluster.ClusterException if the API refuses that
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
