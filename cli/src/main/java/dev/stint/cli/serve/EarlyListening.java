package dev.stint.cli.serve;

import dev.stint.apiserver.http.server.HttpServer;
import dev.stint.cli.output.UserException;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import org.jspecify.annotations.Nullable;

/** The address of a server, which is reserved before somebody else gives anything up for it. */
final class EarlyListening implements AutoCloseable {
  private final InetSocketAddress address;
  private @Nullable ServerSocketChannel bound;
  private boolean kept;

  EarlyListening(InetSocketAddress address) {
    this.address = address;
  }

  /**
   * Reserves the address.
   *
   * @throws UserException if it is taken
   */
  void bind() {
    if (bound != null) {
      return;
    }
    try {
      bound = HttpServer.bind(address);
    } catch (BindException inUse) {
      throw taken(address, inUse);
    } catch (IOException fault) {
      throw new UserException("cannot serve: " + fault.getMessage());
    }
  }

  /** Returns the fault of a flag that names an address which cannot be listened on. */
  static UserException taken(InetSocketAddress address, BindException why) {
    return new UserException(
        "--listen %s:%d: %s; another stint up may be running; port 0 picks a free port"
            .formatted(address.getHostString(), address.getPort(), why.getMessage()));
  }

  /** Returns the channel that is bound; null if it was not needed. */
  @Nullable ServerSocketChannel channel() {
    return bound;
  }

  /** Leaves the address to the server. */
  void keep() {
    kept = true;
  }

  @Override
  public void close() throws IOException {
    if (bound != null && !kept) {
      bound.close();
    }
  }
}
