package dev.stint.kube.http;

import dev.stint.cluster.Timers;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The connections to an API server. Those that no request uses are kept for the next one, the last
 * one first, and ended when they were not used for {@link #SWEEP} to twice of it: kube-apiserver
 * ends them after 90 seconds. Any thread may call it.
 */
final class ConnectionPool implements AutoCloseable {
  /** The interval between two looks for connections that were not used. */
  static final Duration SWEEP = Duration.ofSeconds(30);

  private final Dialer dialer;
  private final Timers timers;
  private final Set<Connection> open = new HashSet<>();
  private final Deque<Idle> idle = new ArrayDeque<>();
  private @Nullable Runnable cancelSweep;
  private boolean closed;

  /**
   * @param isOld true if a sweep has seen it already
   */
  private record Idle(Connection connection, boolean isOld) {}

  ConnectionPool(Dialer dialer, Timers timers) {
    this.dialer = dialer;
    this.timers = timers;
  }

  /** Returns a connection that is not connected yet; the pool ends it if it is closed itself. */
  synchronized Connection create() throws IOException {
    if (closed) {
      throw new IOException("the client is closed");
    }
    Connection connection = new Connection(dialer);
    open.add(connection);
    return connection;
  }

  /** Takes a connection that is kept, and that the server has not ended; null if there is none. */
  @Nullable Connection takeIdle() {
    for (Idle next = poll(); next != null; next = poll()) {
      if (!next.isOld() || !next.connection().isStale()) {
        return next.connection();
      }
      remove(next.connection());
    }
    return null;
  }

  private synchronized @Nullable Idle poll() {
    return idle.pollFirst();
  }

  /** Keeps a connection for another request if that is possible; ends it otherwise. */
  void giveBack(Connection connection) {
    if (!keep(connection)) {
      remove(connection);
    }
  }

  private synchronized boolean keep(Connection connection) {
    if (closed || !connection.isReusable()) {
      return false;
    }
    idle.addFirst(new Idle(connection, false));
    if (cancelSweep == null) {
      cancelSweep = timers.after(SWEEP, this::sweep);
    }
    return true;
  }

  /** Ends a connection. */
  void remove(Connection connection) {
    synchronized (this) {
      open.remove(connection);
    }
    connection.abort();
  }

  /** Ends all that are kept: where one has turned out to be dead, others are too. */
  void removeIdle() {
    for (Idle next = poll(); next != null; next = poll()) {
      remove(next.connection());
    }
  }

  private void sweep() {
    aged().forEach(this::remove);
  }

  /** Takes the connections that were not used since the last sweep, and marks the others. */
  private synchronized List<Connection> aged() {
    List<Connection> aged = new ArrayList<>();
    List<Idle> kept = new ArrayList<>();
    for (Iterator<Idle> all = idle.iterator(); all.hasNext(); ) {
      Idle next = all.next();
      if (next.isOld()) {
        aged.add(next.connection());
      } else {
        kept.add(new Idle(next.connection(), true));
      }
    }
    idle.clear();
    idle.addAll(kept);
    cancelSweep = closed || idle.isEmpty() ? null : timers.after(SWEEP, this::sweep);
    return aged;
  }

  /** Ends all connections, also those in use. */
  @Override
  public void close() {
    List<Connection> all;
    synchronized (this) {
      closed = true;
      all = List.copyOf(open);
      open.clear();
      idle.clear();
      if (cancelSweep != null) {
        cancelSweep.run();
      }
    }
    all.forEach(Connection::abort);
  }
}
