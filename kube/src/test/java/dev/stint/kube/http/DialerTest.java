package dev.stint.kube.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.ArrayDeque;
import java.util.Deque;
import jdk.net.ExtendedSocketOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DialerTest {
  /** Addresses of this machine at which nobody listens. */
  private static final byte[][] CLOSED = {{127, 0, 0, 2}, {127, 0, 0, 3}};

  private static final byte[] OPEN = {127, 0, 0, 1};

  private ScriptedServer server;

  /** The sockets so far, the newest one last. */
  private final Deque<Socket> sockets = new ArrayDeque<>();

  @BeforeEach
  void start() throws IOException {
    server = new ScriptedServer();
  }

  @AfterEach
  void stop() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
    server.close();
  }

  /** Returns a dialer of a host with some addresses. */
  private Dialer dialer(byte[]... addresses) {
    int port = URI.create(server.url()).getPort();
    Config config =
        new ConfigBuilder(Config.empty())
            .withMasterUrl("http://api.example.com:" + port)
            .withConnectionTimeout(5_000)
            .build();
    InetAddress[] all = new InetAddress[addresses.length];
    return new Dialer(
        ConnectionSettings.of(config),
        host -> {
          for (int i = 0; i < addresses.length; i++) {
            all[i] = InetAddress.getByAddress(host, addresses[i]);
          }
          return all;
        });
  }

  @Test
  void answersMayTakeLongerThanConnecting() throws Exception {
    dialer(OPEN).connect(sockets::add);
    assertThat(sockets.getLast().getSoTimeout()).isZero();
  }

  @Test
  void allAddressesOfAHostAreTried() throws Exception {
    dialer(CLOSED[0], CLOSED[1], OPEN).connect(sockets::add);
    assertThat(sockets).hasSize(3);
    assertThat(sockets.getLast().getInetAddress().getAddress()).isEqualTo(OPEN);
  }

  @Test
  void aServerThatVanishesIsNoticedWithinAMinute() throws Exception {
    dialer(OPEN).connect(sockets::add);
    Socket socket = sockets.getLast();
    assertThat(socket.getKeepAlive()).isTrue();
    int idle = socket.getOption(ExtendedSocketOptions.TCP_KEEPIDLE);
    int interval = socket.getOption(ExtendedSocketOptions.TCP_KEEPINTERVAL);
    int probes = socket.getOption(ExtendedSocketOptions.TCP_KEEPCOUNT);
    assertThat(idle + probes * interval).isEqualTo(60);
  }

  @Test
  void theFirstFailureIsReportedAndNoneIsLost() {
    Dialer dialer = dialer(CLOSED);
    assertThatThrownBy(() -> dialer.connect(sockets::add))
        .isInstanceOf(ConnectException.class)
        .satisfies(failure -> assertThat(failure.getSuppressed()).hasSize(1));
    assertThat(sockets).hasSize(2).allMatch(Socket::isClosed);
  }

  @Test
  void noAddressIsReachedOnceTheConnectionIsEnded() {
    Connection connection = new Connection(dialer(CLOSED[0], OPEN));
    connection.abort();
    assertThatThrownBy(connection::output).isInstanceOf(SocketException.class);
    assertThat(server.connections).isEmpty();
  }

  @Test
  void anUnknownHostIsNamed() {
    Config config =
        new ConfigBuilder(Config.empty()).withMasterUrl("http://api.example.com").build();
    Dialer dialer =
        new Dialer(
            ConnectionSettings.of(config),
            host -> {
              throw new UnknownHostException(host + ": Name or service not known");
            });
    assertThatThrownBy(() -> dialer.connect(sockets::add))
        .hasMessage("the host api.example.com is unknown");
  }
}
