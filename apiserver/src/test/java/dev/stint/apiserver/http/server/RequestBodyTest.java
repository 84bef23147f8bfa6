package dev.stint.apiserver.http.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiserver.access.pki.Pki;
import dev.stint.apiserver.catalogue.TestCatalogue;
import dev.stint.apiserver.http.ApiResponse;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RequestBodyTest {
  private static final HttpLimits LIMITS =
      HttpLimits.of(512 << 20, 1_000)
          .withTimes(Duration.ofMillis(200), Duration.ofSeconds(10), Duration.ofMinutes(2));

  @TempDir private Path keys = Path.of("");

  /** The connection is closed when the time is over: it cannot be used for another request. */
  @Test
  void theRestOfABodyIsAwaitedNoLongerThanABodyMayTake() throws Exception {
    Pki pki = Pki.open(keys, InstantSource.system(), List.of());
    InetSocketAddress address = InetSocketAddress.createUnresolved("127.0.0.1", 0);
    try (HttpServer server = new HttpServer(address, LIMITS)) {
      server.start(
          pki.serverContext(),
          new JettyAdapter(
              () -> TestCatalogue.BUILT_IN,
              (_, _) -> ApiResponse.text(403, "body unread"),
              LIMITS));
      InetAddress host = InetAddress.getLoopbackAddress();
      try (Socket socket =
          pki.adminContext().getSocketFactory().createSocket(host, server.port())) {
        String head = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{";
        socket.getOutputStream().write(head.getBytes(UTF_8));
        socket.getOutputStream().flush();
        String answer = new String(socket.getInputStream().readAllBytes(), UTF_8);
        assertThat(answer).startsWith("HTTP/1.1 403").endsWith("body unread");
      }
    }
  }
}
