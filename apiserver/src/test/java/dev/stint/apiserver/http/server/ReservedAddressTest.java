package dev.stint.apiserver.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import org.junit.jupiter.api.Test;

class ReservedAddressTest {
  private static final InetSocketAddress ANY = InetSocketAddress.createUnresolved("127.0.0.1", 0);

  @Test
  void aReservedAddressIsTakenAndTheServerListensOnIt() throws IOException {
    HttpServer server = HttpServer.plain(ANY, HttpLimits.ofThisMachine());
    try (ServerSocketChannel reserved = HttpServer.bind(ANY)) {
      int port = reserved.socket().getLocalPort();
      assertThatThrownBy(
              () -> HttpServer.bind(InetSocketAddress.createUnresolved("127.0.0.1", port)))
          .isInstanceOf(BindException.class);
      server.listenOn(reserved);
      assertThat(server.port()).isEqualTo(port);
    }
  }
}
