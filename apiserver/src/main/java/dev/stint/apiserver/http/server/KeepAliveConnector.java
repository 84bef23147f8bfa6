package dev.stint.apiserver.http.server;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketOption;
import java.util.Map;
import jdk.net.ExtendedSocketOptions;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/**
 * A connector whose connections end about two minutes after their clients vanish: a machine that
 * sleeps, or a network that forgets a connection, would hold its sessions and logs for ever.
 */
final class KeepAliveConnector extends ServerConnector {
  /** Seconds, seconds, and a number of probes. */
  private static final Map<SocketOption<Integer>, Integer> PROBES =
      Map.of(
          ExtendedSocketOptions.TCP_KEEPIDLE, 60,
          ExtendedSocketOptions.TCP_KEEPINTERVAL, 15,
          ExtendedSocketOptions.TCP_KEEPCOUNT, 4);

  KeepAliveConnector(Server server, ConnectionFactory... factories) {
    super(server, 1, 1, factories);
  }

  @Override
  protected void configure(Socket socket) {
    super.configure(socket);
    try {
      socket.setKeepAlive(true);
      for (Map.Entry<SocketOption<Integer>, Integer> probe : PROBES.entrySet()) {
        if (socket.supportedOptions().contains(probe.getKey())) {
          socket.setOption(probe.getKey(), probe.getValue());
        }
      }
    } catch (IOException gone) {
      // The next use of the connection shows that.
    }
  }
}
