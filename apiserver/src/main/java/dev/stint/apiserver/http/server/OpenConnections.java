package dev.stint.apiserver.http.server;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.eclipse.jetty.http2.HTTP2Connection;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.internal.HttpConnection;
import org.eclipse.jetty.util.component.AbstractLifeCycle;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections of a server. Closes those that are too slow, idle, or too many. At a limit, the
 * oldest ones of whoever has most of them make room, so that a new client always gets in.
 */
final class OpenConnections extends AbstractLifeCycle implements Connection.Listener {
  private static final Logger LOG = LoggerFactory.getLogger(OpenConnections.class);
  private static final Duration CHECK = Duration.ofSeconds(1);

  /** The share of the connections that make room at once, so that choosing them costs little. */
  private static final int PER_ROUND = 64;

  private final HttpLimits limits;
  private final Scheduler scheduler;
  private final Map<EndPoint, Held> all = new ConcurrentHashMap<>();
  private final Map<String, Integer> byAddress = new ConcurrentHashMap<>();
  private final AtomicLong ids = new AtomicLong();

  OpenConnections(HttpLimits limits, Scheduler scheduler) {
    this.limits = limits;
    this.scheduler = scheduler;
  }

  /** One connection. */
  static final class Held {
    private final EndPoint socket;
    private final String id;
    private final String address;
    private final boolean local;
    private final long opened = System.nanoTime();
    private final AtomicInteger current = new AtomicInteger();
    private final SlowFrames frames = new SlowFrames();
    private volatile long changed = opened;
    private volatile long headBegun;
    private volatile boolean used;
    private volatile Requester user;
    private volatile @Nullable Connection protocol;

    Held(EndPoint socket, String id) {
      this.socket = socket;
      this.id = id;
      SocketAddress from = socket.getRemoteSocketAddress();
      InetAddress host = from instanceof InetSocketAddress known ? known.getAddress() : null;
      this.address = host == null ? String.valueOf(from) : host.getHostAddress();
      this.local = host != null && host.isLoopbackAddress();
      this.user = Requester.unknown(address);
    }

    String id() {
      return id;
    }

    String address() {
      return address;
    }

    /** Called when the head of a request has arrived. */
    void onBegin() {
      used = true;
      current.incrementAndGet();
      changed = System.nanoTime();
    }

    /** Called when a request is over. */
    void onEnd() {
      current.decrementAndGet();
      changed = System.nanoTime();
    }

    /** Called when the user of a request is known. */
    void onUser(Requester known) {
      user = known;
    }

    /** Closes it at once. */
    void close() {
      EndPoint end = protocol == null ? socket : protocol.getEndPoint();
      end.close();
      socket.close();
    }

    /** Returns what is wrong with it; null if nothing is. */
    private @Nullable String fault(long now, HttpLimits limits) {
      Duration limit = current.get() > 0 ? limits.bodyTime() : limits.headTime();
      if (protocol instanceof HTTP2Connection http2 && frames.isLate(http2, now, limit)) {
        return "a head or a frame did not come in time";
      }
      if (current.get() > 0) {
        headBegun = 0;
        return null;
      }
      if (!used && now - opened > limits.headTime().toNanos()) {
        return "it sent no request in time";
      }
      boolean inHead =
          protocol instanceof HttpConnection http
              && http.getParser().inHeaderState()
              && !http.getParser().isStart();
      headBegun = !inHead ? 0 : headBegun == 0 ? now : headBegun;
      if (headBegun != 0 && now - headBegun > limits.headTime().toNanos()) {
        return "the head of its request did not come in time";
      }
      return used && now - changed > limits.idleTime().toNanos() ? "it is idle" : null;
    }
  }

  @Override
  protected void doStart() {
    schedule();
  }

  private void schedule() {
    scheduler.schedule(this::check, CHECK.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void check() {
    if (!isRunning() && !isStarting()) {
      return;
    }
    try {
      long now = System.nanoTime();
      all.values().forEach(held -> check(held, now));
    } finally {
      schedule();
    }
  }

  private void check(Held held, long now) {
    if (!held.socket.isOpen()) {
      remove(held);
      return;
    }
    String fault = held.fault(now, limits);
    if (fault != null) {
      LOG.debug("Closing a connection of {}: {}", held.address, fault);
      held.close();
    }
  }

  /** Returns the connection of a request. */
  Held of(Request request) {
    return of(request.getConnectionMetaData().getConnection());
  }

  private Held of(Connection connection) {
    EndPoint socket = socket(connection);
    Held known = all.get(socket);
    return known == null ? add(socket) : known;
  }

  private static EndPoint socket(Connection connection) {
    EndPoint socket = connection.getEndPoint();
    while (socket instanceof EndPoint.Wrapper wrapper) {
      socket = wrapper.unwrap();
    }
    return socket;
  }

  private Held add(EndPoint socket) {
    Held held = new Held(socket, "connection " + ids.incrementAndGet());
    Held known = all.putIfAbsent(socket, held);
    if (known != null) {
      return known;
    }
    int same = byAddress.merge(held.address, 1, Integer::sum);
    if (!held.local && same > limits.connectionsPerAddress()) {
      makeRoom(all.values().stream().filter(each -> each.address.equals(held.address)).toList());
    } else if (all.size() > limits.connections()) {
      makeRoom(all.values());
    }
    return held;
  }

  private void remove(Held held) {
    if (all.remove(held.socket, held)) {
      byAddress.computeIfPresent(held.address, (_, n) -> n == 1 ? null : n - 1);
    }
  }

  /** Closes the oldest connections of whoever has most. */
  private static void makeRoom(Collection<Held> candidates) {
    Map<Object, List<Held>> byUser =
        candidates.stream().collect(Collectors.groupingBy(OpenConnections::owner));
    byUser.values().stream()
        .max(Comparator.comparingInt(List::size))
        .ifPresent(most ->
            most.stream()
                .sorted(Comparator.comparingLong(each -> each.opened - most.getFirst().opened))
                .limit(Math.max(1, candidates.size() / PER_ROUND))
                .forEach(OpenConnections::dismiss));
  }

  /**
   * Returns the one who a connection counts for: all administrators together are one, and so are
   * all service accounts of a namespace.
   */
  private static Object owner(Held held) {
    Requester user = held.user;
    if (user.rank() == Requester.Rank.ADMINISTRATOR) {
      return user.rank();
    }
    return user.namespace().isEmpty() ? user : user.namespace();
  }

  private static void dismiss(Held held) {
    LOG.debug("Closing a connection of {}: there are too many", held.address);
    held.close();
  }

  @Override
  public void onOpened(Connection connection) {
    of(connection).protocol = connection;
  }

  @Override
  public void onClosed(Connection connection) {
    Held held = all.get(socket(connection));
    if (held != null && !held.socket.isOpen()) {
      remove(held);
    }
  }
}
