package dev.stint.kube.http;

import dev.stint.cluster.Timers;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.HttpResponse;
import org.apache.hc.core5.http.HttpStatus;
import org.jspecify.annotations.Nullable;

/**
 * A request that becomes a WebSocket (RFC 6455). One thread opens and reads it. Any thread may send
 * and close; closing ends what others wait for. While it is open, it is kept alive.
 */
public final class WebSocketStream implements AutoCloseable {
  private static final String ACCEPT = "Sec-WebSocket-Accept";
  private static final String PROTOCOL = "Sec-WebSocket-Protocol";
  private static final String KEY_SUFFIX = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
  private static final int KEY_BYTES = 16;
  private static final int MOST_REFUSAL_BYTES = 256 << 10;
  private static final byte[] NOTHING = {};

  private final ConnectionPool pool;
  private final Connection connection;
  private final ClassicHttpRequest request;
  private final List<String> protocols;
  private final RandomGenerator random;
  private final AtomicReference<byte @Nullable []> owedPong = new AtomicReference<>();
  private final AtomicBoolean owedPing = new AtomicBoolean();
  private final KeepAlive keepAlive;
  private InputStream refusal = InputStream.nullInputStream();
  private String protocol = "";
  private @Nullable WebSocketReader reader;
  private volatile @Nullable WebSocketWriter writer;

  /**
   * @param protocols the subprotocols that the server may choose from, the preferred one first
   * @param timers keeps it alive while it is open
   */
  WebSocketStream(
      ConnectionPool pool,
      Connection connection,
      ClassicHttpRequest request,
      List<String> protocols,
      RandomGenerator random,
      Timers timers) {
    this.pool = pool;
    this.connection = connection;
    this.request = request;
    this.protocols = protocols;
    this.random = random;
    this.keepAlive = new KeepAlive(timers, this::requestPing, () -> pool.remove(connection));
  }

  /**
   * Sends the request, and waits for the head of its answer. If it is a refusal, only {@link
   * #readRefusal} may follow.
   *
   * @throws SocketTimeoutException if no answer comes in the time that any request may take
   * @throws ProtocolException if the server agrees to something else
   */
  public AnswerHead open() throws IOException {
    try {
      return negotiated();
    } catch (IOException | RuntimeException failure) {
      close();
      throw failure;
    }
  }

  private AnswerHead negotiated() throws IOException {
    byte[] nonce = new byte[KEY_BYTES];
    random.nextBytes(nonce);
    String key = Base64.getEncoder().encodeToString(nonce);
    request.setHeader(HttpHeaders.CONNECTION, "Upgrade");
    request.setHeader(HttpHeaders.UPGRADE, "websocket");
    request.setHeader("Sec-WebSocket-Version", "13");
    request.setHeader("Sec-WebSocket-Key", key);
    request.setHeader(PROTOCOL, String.join(", ", protocols));
    ClassicHttpResponse response = connection.upgrade(request);
    HttpEntity entity = response.getEntity();
    InputStream body = entity == null ? refusal : entity.getContent();
    if (response.getCode() == HttpStatus.SC_SWITCHING_PROTOCOLS) {
      begin(response, key, body);
    } else {
      refusal = body;
    }
    return AnswerHead.of(response);
  }

  private void begin(HttpResponse response, String key, InputStream body) throws IOException {
    String upgrade = value(response, HttpHeaders.UPGRADE);
    String chosen = value(response, PROTOCOL);
    if (!upgrade.toLowerCase(Locale.ROOT).equals("websocket")
        || !value(response, ACCEPT).equals(accepted(key))) {
      throw new ProtocolException("the server did not agree to a WebSocket");
    }
    if (!protocols.contains(chosen)) {
      throw new ProtocolException(
          "the server chose the protocol \"%s\"; stint knows %s"
              .formatted(chosen, String.join(", ", protocols)));
    }
    protocol = chosen;
    reader = new WebSocketReader(body, keepAlive::onFrame, this::answerPing, keepAlive::onPong);
    writer = new WebSocketWriter(connection.output(), random);
    pool.makeStream(connection);
    keepAlive.start();
  }

  private static String value(HttpResponse response, String name) {
    Header first = response.getFirstHeader(name);
    return first == null ? "" : first.getValue().strip();
  }

  /** Returns what a server answers to a key. */
  static String accepted(String key) {
    try {
      byte[] both = (key + KEY_SUFFIX).getBytes(StandardCharsets.US_ASCII);
      return Base64.getEncoder().encodeToString(MessageDigest.getInstance("SHA-1").digest(both));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible); // Each Java has it.
    }
  }

  /** Returns the beginning of the body of a refusal. */
  public byte[] readRefusal() throws IOException {
    try {
      return refusal.readNBytes(MOST_REFUSAL_BYTES);
    } catch (IOException failure) {
      throw connection.explained(failure);
    }
  }

  /** Returns the subprotocol that the server has chosen. */
  public String protocol() {
    return protocol;
  }

  /**
   * Waits for the next message.
   *
   * @return null once the server closes
   * @throws SocketTimeoutException if the server is silent for so long that the connection is dead
   */
  public byte @Nullable [] receive() throws IOException {
    if (reader == null) {
      throw new IOException("it is not open");
    }
    keepAlive.onReading(true);
    try {
      return reader.next();
    } catch (IOException broken) {
      throw keepAlive.isDead() ? silent() : broken;
    } finally {
      keepAlive.onReading(false);
    }
  }

  private static SocketTimeoutException silent() {
    return new SocketTimeoutException(
        "the server sent nothing for %d s".formatted(KeepAlive.SILENCE.toSeconds()));
  }

  /** Returns the code and the reason with which the server has closed; empty if it told none. */
  public String closeReason() {
    return reader == null ? "" : reader.closeReason();
  }

  /** Sends a message; waits for the server to take it. */
  public void send(byte[] message) throws IOException {
    writer()
        .send(
            WebSocketReader.BINARY,
            () -> {
              keepAlive.onSend(message.length);
              return message;
            });
  }

  private WebSocketWriter writer() throws IOException {
    WebSocketWriter opened = writer;
    if (opened == null) {
      throw new IOException("it is not open");
    }
    return opened;
  }

  /**
   * Answers the newest ping on a thread of its own: whoever reads must not wait for a server that
   * reads nothing before we do.
   */
  private void answerPing(byte[] payload) {
    if (owedPong.getAndSet(payload) == null) {
      Thread.ofVirtual().name("stint-pong").start(this::sendPong);
    }
  }

  private void sendPong() {
    trySend(
        WebSocketReader.PONG,
        () -> {
          byte[] payload = owedPong.getAndSet(null);
          return payload == null ? NOTHING : payload;
        });
  }

  /** Sends a ping on a thread of its own, unless the last one still waits for its turn. */
  private void requestPing() {
    if (!owedPing.getAndSet(true)) {
      Thread.ofVirtual().name("stint-ping").start(this::sendPing);
    }
  }

  private void sendPing() {
    trySend(
        WebSocketReader.PING,
        () -> {
          owedPing.set(false);
          return keepAlive.ping();
        });
  }

  /**
   * @param payload called when it is the turn of the frame
   */
  private void trySend(int opcode, Supplier<byte[]> payload) {
    try {
      writer().send(opcode, payload);
    } catch (IOException broken) {
      // Whoever reads learns of it.
    }
  }

  @Override
  public void close() {
    keepAlive.close();
    pool.remove(connection);
  }
}
