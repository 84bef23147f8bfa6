package dev.stint.embedded.share;

import dev.stint.cluster.Cluster;
import java.io.IOException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves a cluster, and claims of Jobs, to other commands of this user over a private socket in the
 * data directory.
 */
public final class ClusterServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterServer.class);
  private static final int MOST_CONNECTIONS = 256;

  private final Path directory;
  private final HolderInfo holder;
  private final Cluster cluster;
  private final Claims claims;
  private final ServerSocketChannel socket;
  private final Set<ServedConnection> connections = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  private ClusterServer(
      Path directory,
      HolderInfo holder,
      Cluster cluster,
      Claims claims,
      ServerSocketChannel socket) {
    this.directory = directory;
    this.holder = holder;
    this.cluster = cluster;
    this.claims = claims;
    this.socket = socket;
  }

  /**
   * Starts to serve.
   *
   * @param directory a data directory that this process has locked
   * @param holder this process
   * @throws IOException if there can be no socket in the directory
   */
  public static ClusterServer open(
      Path directory, HolderInfo holder, Cluster cluster, Claims claims) throws IOException {
    ClusterServer server =
        new ClusterServer(directory, holder, cluster, claims, PrivateSocket.listen(directory));
    Thread.ofVirtual().name("stint-socket").start(server::accept);
    return server;
  }

  private void accept() {
    while (!closed) {
      try {
        SocketChannel peer = socket.accept();
        if (closed || connections.size() >= MOST_CONNECTIONS || !isOwn(peer)) {
          peer.close();
        } else {
          serve(peer);
        }
      } catch (IOException fault) {
        if (!closed) {
          LOG.warn("A command could not connect: {}", fault.toString());
        }
        if (!socket.isOpen()) {
          return;
        }
      }
    }
  }

  private boolean isOwn(SocketChannel peer) throws IOException {
    boolean own = PrivateSocket.isOwn(peer, directory);
    if (!own) {
      LOG.warn("Refusing a connection of another user");
    }
    return own;
  }

  private void serve(SocketChannel peer) {
    ServedConnection connection = new ServedConnection(peer, holder, cluster, claims);
    connections.add(connection);
    Thread.ofVirtual()
        .name("stint-peer")
        .start(() -> {
          connection.serve();
          connections.remove(connection);
          if (!closed) {
            claims.abandon(connection);
          }
        });
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
