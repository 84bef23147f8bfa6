package dev.stint.kube.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

import dev.stint.harness.TestTime;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ProtocolException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
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

  private final TestTime time = new TestTime();
  private ScriptedServer server;
  private HttpTransport transport;
  private WebSocketStream socket;

  @BeforeEach
  void open() throws IOException {
    server = new ScriptedServer();
    transport = transport(server.url());
    socket = transport.webSocket(REQUEST, PROTOCOLS, new Random(SEED));
  }

  private HttpTransport transport(String url) {
    Config config = new ConfigBuilder(Config.empty()).withMasterUrl(url).build();
    return new HttpTransport(config, time);
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

  /** A server that a test reads and writes for, and a client that reads all that it sends. */
  private final class Pair implements AutoCloseable {
    private final ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    private final HttpTransport own = transport("http://127.0.0.1:" + listener.getLocalPort());
    private final WebSocketStream client = own.webSocket(REQUEST, PROTOCOLS, new Random(SEED));
    private final CompletableFuture<Boolean> opened = new CompletableFuture<>();
    private final CompletableFuture<byte[]> received =
        CompletableFuture.supplyAsync(this::receive, Thread::startVirtualThread);
    private final Socket peer = listener.accept();

    Pair(String then) throws IOException {
      InputStream in = peer.getInputStream();
      StringBuilder head = new StringBuilder();
      while (head.indexOf("\r\n\r\n") < 0) {
        head.append((char) in.read());
      }
      peer.getOutputStream().write(answer(then).getBytes(StandardCharsets.ISO_8859_1));
      opened.join();
    }

    private byte[] receive() {
      try {
        client.open();
        opened.complete(true);
        return client.receive();
      } catch (IOException broken) {
        throw new UncheckedIOException(broken);
      }
    }

    @Override
    public void close() throws IOException {
      client.close();
      own.close();
      peer.close();
      listener.close();
    }
  }

  @Test
  void aPingIsAnsweredWithWhatItCarries() throws Exception {
    try (Pair pair = new Pair(ScriptedServer.frame(WebSocketReader.PING, "hi"))) {
      byte[] pong = pair.peer.getInputStream().readNBytes(8);
      assertThat(pong).startsWith(0x8a, 0x82);
      assertThat((char) (pong[6] ^ pong[2])).isEqualTo('h');
      assertThat((char) (pong[7] ^ pong[3])).isEqualTo('i');
    }
  }

  @Test
  void aQuietConnectionIsPingedUntilItIsClosed() throws Exception {
    socket.close(); // It has no timers either then.
    try (Pair pair = new Pair("")) {
      for (int i = 0; i < 2; i++) {
        time.advance(KeepAlive.INTERVAL);
        assertThat(pair.peer.getInputStream().readNBytes(14)).startsWith(0x89, 0x88);
      }
      pair.client.close();
      assertThat(time.armed()).isZero();
    }
  }

  @Test
  void aPingCarriesTheNumberOfBytesBeforeIt() throws Exception {
    try (Pair pair = new Pair("")) {
      pair.client.send(new byte[100]);
      pair.peer.getInputStream().readNBytes(106);
      time.advance(KeepAlive.INTERVAL);
      byte[] ping = pair.peer.getInputStream().readNBytes(14);
      assertThat(ping).startsWith(0x89, 0x88);
      assertThat(ping[13] ^ ping[5]).isEqualTo(100);
    }
  }

  @Test
  void aServerThatDoesNotAnswerTheRequestIsGivenUp() throws Exception {
    CompletableFuture<AnswerHead> head = inBackground(socket::open);
    server.next();
    passTheLimit();
    assertIsGivenUp(head);
    assertThat(time.armed()).isZero();
  }

  @Test
  void aRefusalThatDoesNotEndIsGivenUp() throws Exception {
    server.answers.add("HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nn");
    assertThat(socket.open().code()).isEqualTo(403);
    CompletableFuture<byte[]> refusal = inBackground(socket::readRefusal);
    passTheLimit();
    assertIsGivenUp(refusal);
  }

  private void passTheLimit() {
    for (int i = 0; i < 8; i++) { // Ten seconds, and one inspection.
      time.advanceOnceArmed(ConnectionPool.INSPECTION);
    }
  }

  private static <T> CompletableFuture<T> inBackground(Callable<T> task) {
    CompletableFuture<T> result = new CompletableFuture<>();
    Thread.startVirtualThread(() -> {
      try {
        result.complete(task.call());
      } catch (Exception failure) {
        result.completeExceptionally(failure);
      }
    });
    return result;
  }

  private static void assertIsGivenUp(CompletableFuture<?> result) {
    assertThatExceptionOfType(ExecutionException.class)
        .isThrownBy(result::get)
        .havingCause()
        .isInstanceOf(SocketTimeoutException.class)
        .withMessage("no answer came in time");
  }

  @Test
  void aWebSocketThatIsOpenMayTakeAnyTime() throws Exception {
    server.answers.add(answer(""));
    socket.open();
    time.advance(Duration.ofMinutes(5));
    assertThatNoException().isThrownBy(() -> socket.send(new byte[1]));
  }

  @Test
  void aServerThatSendsNothingIsDead() throws Exception {
    try (Pair pair = new Pair("")) {
      while (!pair.received.isDone()) { // Its time begins when the client reads.
        time.advance(KeepAlive.INTERVAL);
      }
      assertThatExceptionOfType(ExecutionException.class)
          .isThrownBy(pair.received::get)
          .havingRootCause()
          .isInstanceOf(SocketTimeoutException.class)
          .withMessage("the server sent nothing for 60 s");
    }
  }
}
