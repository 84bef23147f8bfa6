package dev.stint.console;

import java.util.HashMap;
import java.util.Map;

/** The live views of Jobs in use. All clients of one Job share its view. */
final class LiveJobs {
  private final ConsoleOptions options;
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

  LiveJobs(ConsoleOptions options) {
    this.options = options;
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
      if (found == null || found.live.hasFailed()) {
        found = new Held(new JobLive(options, namespace, name));
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
