package dev.stint.embedded.share;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.Timers;
import java.io.IOException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Serves a cluster, and claims of Jobs, to other commands of this user over a private socket in the
 * data directory.
 */
public final class ClusterServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterServer.class);
  static final int MOST_CONNECTIONS = 256;

  /** The bytes that nobody has read, on all connections together. */
  private static final long MOST_UNSENT = 4 * ServedConnection.MOST_UNSENT;

  /** The bytes that large messages take up, on all connections together. */
  private static final long MOST_READ = 4L * FrameChannel.MOST_FRAME_BYTES;

  private static final Duration PAUSE = Duration.ofMillis(100);

  /** The number of pauses after which a client that does not read is not waited for. */
  private static final int MOST_PAUSES = 10;

  /** Decides which peers are served. */
  interface PeerCheck {
    boolean mayConnect(SocketChannel peer) throws IOException;
  }

  private final Path directory;
  private final HolderInfo holder;
  private final Cluster cluster;
  private final Claims claims;
  private final Timers timers;
  private final @Nullable Runnable handOver;
  private final ServerSocketChannel socket;
  private final PeerCheck check;
  private final ByteBudget unsent = new ByteBudget(MOST_UNSENT, ServedConnection.MOST_UNSENT);
  private final ByteBudget read = new ByteBudget(MOST_READ, MOST_READ);
  private final Set<ServedConnection> connections = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  private ClusterServer(
      Path directory,
      HolderInfo holder,
      Cluster cluster,
      Claims claims,
      Timers timers,
      @Nullable Runnable handOver,
      ServerSocketChannel socket,
      PeerCheck check) {
    this.directory = directory;
    this.holder = holder;
    this.cluster = cluster;
    this.claims = claims;
    this.timers = timers;
    this.handOver = handOver == null ? null : () -> start(handOver);
    this.socket = socket;
    this.check = check;
  }

  /**
   * Starts to serve.
   *
   * @param directory a data directory that this process has locked
   * @param holder this process
   * @throws IOException if there can be no socket in the directory
   */
  public static ClusterServer open(
      Path directory, HolderInfo holder, Cluster cluster, Claims claims, Timers timers)
      throws IOException {
    return open(directory, holder, cluster, claims, timers, null, PrivateSocket::isOwn);
  }

  /**
   * Starts to serve.
   *
   * @param handOver called when another process asks for the directory; null to keep it
   */
  public static ClusterServer open(
      Path directory,
      HolderInfo holder,
      Cluster cluster,
      Claims claims,
      Timers timers,
      @Nullable Runnable handOver)
      throws IOException {
    return open(directory, holder, cluster, claims, timers, handOver, PrivateSocket::isOwn);
  }

  /** Starts to serve the peers that pass a check. */
  static ClusterServer open(
      Path directory,
      HolderInfo holder,
      Cluster cluster,
      Claims claims,
      Timers timers,
      @Nullable Runnable handOver,
      PeerCheck check)
      throws IOException {
    ClusterServer server =
        new ClusterServer(
            directory,
            holder,
            cluster,
            claims,
            timers,
            handOver,
            PrivateSocket.listen(directory),
            check);
    SocketThread.start("stint-socket", server::accept);
    return server;
  }

  private static void start(Runnable handOver) {
    Thread.ofVirtual().name("stint-hand-over").start(handOver);
  }

  private void accept() {
    boolean failing = false;
    while (!closed) {
      try {
        admitOrClose(socket.accept());
        failing = false;
      } catch (IOException | OutOfMemoryError fault) {
        if (closed || !socket.isOpen()) {
          return;
        }
        if (!failing) {
          LOG.warn("Commands cannot connect for now: {}", fault.toString());
        }
        failing = true;
        pause();
      }
    }
  }

  /** Waits a moment, since what failed, such as a lack of descriptors or threads, may last. */
  private void pause() {
    CompletableFuture<@Nullable Void> over = new CompletableFuture<>();
    timers.after(PAUSE, () -> over.complete(null));
    over.join();
  }

  /** A thread that cannot be made is an {@link OutOfMemoryError}, though memory may abound. */
  private void admitOrClose(SocketChannel peer) throws IOException {
    try {
      admit(peer);
    } catch (OutOfMemoryError noThread) {
      peer.close();
      throw noThread;
    }
  }

  private void admit(SocketChannel peer) throws IOException {
    boolean admitted = false;
    try {
      admitted = !closed && connections.size() < MOST_CONNECTIONS && isOwn(peer);
    } catch (IOException | RuntimeException fault) {
      LOG.warn("Refusing a connection whose user is unknown: {}", fault.toString());
    }
    if (admitted) {
      serve(peer);
    } else {
      peer.close();
    }
  }

  private boolean isOwn(SocketChannel peer) throws IOException {
    boolean own = check.mayConnect(peer);
    if (!own) {
      LOG.warn("Refusing a connection of another user to the socket of this data directory");
    }
    return own;
  }

  private void serve(SocketChannel peer) {
    FrameChannel channel = new FrameChannel(peer, "command", unsent.share(), read.share());
    ServedConnection connection = new ServedConnection(channel, holder, cluster, claims, handOver);
    connections.add(connection);
    try {
      SocketThread.start("stint-peer", () -> serveUntilLeft(connection, channel));
    } catch (OutOfMemoryError noThread) {
      connections.remove(connection);
      connection.close();
      throw noThread;
    }
  }

  private void serveUntilLeft(ServedConnection connection, FrameChannel channel) {
    serve(connection, channel);
    connections.remove(connection);
    if (!closed) {
      claims.leave(connection);
    }
  }

  private static void serve(ServedConnection connection, FrameChannel channel) {
    connection.greet();
    try {
      for (ObjectNode next = channel.read(); next != null; next = channel.read()) {
        connection.onMessage(next);
      }
    } catch (IOException gone) {
      LOG.debug("A connection broke: {}", gone.toString());
    } catch (InterruptedException closing) {
      Thread.currentThread().interrupt();
    }
    connection.close();
  }

  /** Tells all other commands that another process takes the directory over; before the close. */
  public void announceHandOver() {
    connections.forEach(ServedConnection::announceHandOver);
    for (int i = 0; i < MOST_PAUSES && isSending(); i++) {
      pause();
    }
  }

  private boolean isSending() {
    return connections.stream().anyMatch(ServedConnection::hasUnsent);
  }

  /**
   * Stops to serve. The Jobs of other commands are not interrupted: one of them becomes the next
   * holder.
   */
  @Override
  public void close() {
    closed = true;
    try {
      PrivateSocket.remove(directory);
      socket.close();
    } catch (IOException fault) {
      LOG.warn("Cannot close the socket: {}", fault.toString());
    }
    connections.forEach(ServedConnection::close);
  }
}
