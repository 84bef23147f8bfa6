package dev.stint.apiserver.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.Socket;
import org.eclipse.jetty.server.Server;
import org.junit.jupiter.api.Test;

class KeepAliveConnectorTest {
  @Test
  void acceptedSocketsAreProbed() throws Exception {
    try (Socket socket = new Socket()) {
      new KeepAliveConnector(new Server()).configure(socket);
      assertThat(socket.getKeepAlive()).isTrue();
    }
  }
}
