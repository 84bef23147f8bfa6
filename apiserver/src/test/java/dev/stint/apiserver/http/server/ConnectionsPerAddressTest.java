package dev.stint.apiserver.http.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stint.apiserver.access.User;
import dev.stint.apiserver.catalogue.TestCatalogue;
import dev.stint.apiserver.http.ApiResponse;
import java.io.IOException;
import java.io.InputStream;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * One address has a limited number of connections. The header {@code User} stands for
 * authentication.
 */
class ConnectionsPerAddressTest {
  private static final int MOST = 4;

  private final List<Client> open = new ArrayList<>();
  private @Nullable HttpServer server;

  /** A client that keeps its connection open. */
  private record Client(Socket socket, String user) implements AutoCloseable {
    /** Sends a request, and returns the first line of its answer. */
    String get() throws IOException {
      String head = "GET / HTTP/1.1\r\nHost: localhost\r\nUser: " + user + "\r\n\r\n";
      socket.getOutputStream().write(head.getBytes(US_ASCII));
      StringBuilder answer = new StringBuilder();
      InputStream in = socket.getInputStream();
      while (!answer.toString().endsWith("the end")) {
        int next = in.read();
        if (next < 0) {
          return "closed";
        }
        answer.append((char) next);
      }
      return answer.substring(0, answer.indexOf("\r"));
    }

    /** Waits until the server closes the connection. */
    void awaitEnd() throws IOException {
      assertThat(socket.getInputStream().read()).isEqualTo(-1);
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  @BeforeEach
  void serve() throws IOException {
    HttpLimits limits = HttpLimits.of(128 << 20, 4_000).withConnectionsPerAddress(MOST);
    HttpServer plain = HttpServer.plain(new InetSocketAddress("0.0.0.0", 0), limits);
    server = plain;
    plain.start(
        new JettyAdapter(
            () -> TestCatalogue.BUILT_IN,
            (call, _) -> {
              String name = call.header("User");
              call.body()
                  .identify(name.isEmpty() ? User.ANONYMOUS : User.of(name, User.AUTHENTICATED));
              return ApiResponse.text(200, "the end");
            },
            limits));
  }

  @AfterEach
  void stop() throws IOException {
    for (Client client : open) {
      client.close();
    }
    if (server != null) {
      server.close();
    }
  }

  private Client connect(InetAddress address, String user) throws IOException {
    int port = server == null ? 0 : server.port();
    Client client = new Client(new Socket(address, port), user);
    open.add(client);
    return client;
  }

  /**
   * Returns an address of this machine that is not a loopback one, since those have no limit. It is
   * that of the oldest interface: bridges of containers, which other tests run, come and go.
   */
  private static InetAddress ownAddress() throws IOException {
    Optional<InetAddress> own =
        NetworkInterface.networkInterfaces()
            .sorted(Comparator.comparingInt(NetworkInterface::getIndex))
            .flatMap(NetworkInterface::inetAddresses)
            .filter(address -> address instanceof Inet4Address && !address.isLoopbackAddress())
            .findFirst();
    assumeTrue(own.isPresent(), "this machine has loopback addresses only");
    return own.get();
  }

  @Test
  void theOldestConnectionOfWhoeverHasMostOfAnAddressIsClosed() throws IOException {
    InetAddress address = ownAddress();
    Client jane = connect(address, "jane");
    assertThat(jane.get()).isEqualTo("HTTP/1.1 200 OK");
    List<Client> strangers = new ArrayList<>();
    for (int i = 1; i < MOST; i++) {
      strangers.add(connect(address, ""));
      assertThat(strangers.getLast().get()).isEqualTo("HTTP/1.1 200 OK");
    }
    for (Client each : strangers) {
      assertThat(each.get()).as("there is room for all").isEqualTo("HTTP/1.1 200 OK");
    }
    Client another = connect(address, "");
    strangers.getFirst().awaitEnd();
    assertThat(another.get()).isEqualTo("HTTP/1.1 200 OK");
    connect(address, "").get();
    strangers.get(1).awaitEnd();
    assertThat(jane.get()).as("the other user keeps its connection").isEqualTo("HTTP/1.1 200 OK");
  }

  @Test
  void loopbackAddressesHaveNoSuchLimit() throws IOException {
    List<Client> clients = new ArrayList<>();
    for (int i = 0; i < 3 * MOST; i++) {
      clients.add(connect(InetAddress.getLoopbackAddress(), ""));
      assertThat(clients.getLast().get()).isEqualTo("HTTP/1.1 200 OK");
    }
    for (Client client : clients) {
      assertThat(client.get()).isEqualTo("HTTP/1.1 200 OK");
    }
  }
}
