package dev.stint.kube.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.stint.harness.TestTime;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ProtocolException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class WebSocketStreamTest {
  private static final List<String> PROTOCOLS = List.of("b", "a");
  private static final int SEED = 5;
  private static final RestRequest REQUEST = RestRequest.get("exec?command=ls", "application/json");

  private ScriptedServer server;
  private HttpTransport transport;
  private WebSocketStream socket;

  @BeforeEach
  void open() throws IOException {
    server = new ScriptedServer();
    transport = transport(server.url());
    socket = transport.webSocket(REQUEST, PROTOCOLS, new Random(SEED));
  }

  private static HttpTransport transport(String url) {
    Config config = new ConfigBuilder(Config.empty()).withMasterUrl(url).build();
    return new HttpTransport(config, new TestTime());
  }

  @AfterEach
  void close() throws IOException {
    transport.close();
    server.close();
  }

  private static String answer(String then) {
    return ScriptedServer.upgraded(SEED, "a", then);
  }

  @Test
  void aServersAnswerFollowsFromTheKey() {
    assertThat(WebSocketStream.accepted("dGhlIHNhbXBsZSBub25jZQ=="))
        .as("the example of RFC 6455, section 1.3")
        .isEqualTo("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
  }

  @Test
  void messagesOfTheServerFollowItsAgreement() throws Exception {
    server.answers.add(
        answer(ScriptedServer.frame(WebSocketReader.BINARY, "hi"))
            + ScriptedServer.frame(WebSocketReader.CLOSE, ""));
    assertThat(socket.open().code()).isEqualTo(101);
    assertThat(socket.protocol()).isEqualTo("a");
    assertThat(socket.receive()).asString(StandardCharsets.US_ASCII).isEqualTo("hi");
    assertThat(socket.receive()).isNull();
    assertThat(server.next().headers())
        .contains(
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Protocol: b, a");
  }

  @Test
  void aRefusalHasItsBody() throws Exception {
    server.answers.add("HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno");
    assertThat(socket.open().code()).isEqualTo(403);
    assertThat(socket.readRefusal()).asString(StandardCharsets.US_ASCII).isEqualTo("no");
    assertThatExceptionOfType(IOException.class).isThrownBy(() -> socket.receive());
    assertThatExceptionOfType(IOException.class).isThrownBy(() -> socket.send(new byte[1]));
  }

  @Test
  void anotherKeyOrProtocolIsNoAgreementAndEndsTheConnection() throws Exception {
    server.answers.add(ScriptedServer.upgraded(SEED + 1, "a", ""));
    assertThatExceptionOfType(ProtocolException.class)
        .isThrownBy(() -> socket.open())
        .withMessage("the server did not agree to a WebSocket");
    assertThat(server.ended.poll(60, TimeUnit.SECONDS)).isZero();
  }

  @Test
  void aProtocolThatNobodyOfferedIsRefused() throws Exception {
    server.answers.add(ScriptedServer.upgraded(SEED, "c", ""));
    assertThatExceptionOfType(ProtocolException.class)
        .isThrownBy(() -> socket.open())
        .withMessage("the server chose the protocol \"c\"; stint knows b, a");
  }

  @Test
  void aPingIsAnsweredWithWhatItCarries() throws Exception {
    try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        HttpTransport own = transport("http://127.0.0.1:" + listener.getLocalPort());
        WebSocketStream pinged = own.webSocket(REQUEST, PROTOCOLS, new Random(SEED))) {
      Thread.ofVirtual().start(() -> readAll(pinged));
      try (Socket peer = listener.accept()) {
        InputStream in = peer.getInputStream();
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
          head.append((char) in.read());
        }
        String ping = ScriptedServer.frame(WebSocketReader.PING, "hi");
        peer.getOutputStream().write(answer(ping).getBytes(StandardCharsets.ISO_8859_1));
        byte[] pong = in.readNBytes(8);
        assertThat(pong).startsWith(0x8a, 0x82);
        assertThat((char) (pong[6] ^ pong[2])).isEqualTo('h');
        assertThat((char) (pong[7] ^ pong[3])).isEqualTo('i');
      }
    }
  }

  private static void readAll(WebSocketStream socket) {
    try {
      socket.open();
      socket.receive();
    } catch (IOException closed) {
      // The test is over.
    }
  }
}
