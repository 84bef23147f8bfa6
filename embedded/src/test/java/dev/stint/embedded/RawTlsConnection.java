package dev.stint.embedded;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/** One TLS connection on which the test controls every byte. */
final class RawTlsConnection implements AutoCloseable {
  private static final int TIMEOUT_MILLIS = 60_000;

  /**
   * An answer.
   *
   * @param headers by their names in lower case
   */
  record Answer(int code, Map<String, String> headers, String body) {}

  private final Socket plain;
  private final SSLSocket socket;
  private final InputStream in;

  private RawTlsConnection(Socket plain, SSLSocket socket) throws IOException {
    this.plain = plain;
    this.socket = socket;
    this.in = new BufferedInputStream(socket.getInputStream());
  }

  static RawTlsConnection to(int port, SSLContext tls) throws IOException {
    return to(port, tls, "http/1.1");
  }

  /** Opens a connection with a small window, for a protocol such as {@code h2}. */
  static RawTlsConnection to(int port, SSLContext tls, String protocol) throws IOException {
    Socket plain = new Socket();
    plain.setReceiveBufferSize(64 << 10);
    plain.setSoTimeout(TIMEOUT_MILLIS);
    plain.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    SSLSocket socket =
        (SSLSocket) tls.getSocketFactory().createSocket(plain, "localhost", port, true);
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setApplicationProtocols(new String[] {protocol});
    socket.setSSLParameters(parameters);
    socket.startHandshake();
    return new RawTlsConnection(plain, socket);
  }

  RawTlsConnection send(String text) throws IOException {
    return send(text.getBytes(ISO_8859_1));
  }

  RawTlsConnection send(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    socket.getOutputStream().flush();
    return this;
  }

  /** Sends until the server closes the connection, maybe before it has read everything. */
  RawTlsConnection sendAsFarAsItIsRead(String text) {
    try {
      return send(text);
    } catch (IOException closed) {
      return this;
    }
  }

  /** Reads an answer, which is lost if the connection was closed with unread bytes. */
  Optional<Answer> answerIfItCame() throws SocketTimeoutException {
    try {
      return Optional.of(answer());
    } catch (SocketTimeoutException unanswered) {
      throw unanswered;
    } catch (IOException closed) {
      return Optional.empty();
    }
  }

  /** Reads one answer with a Content-Length. */
  Answer answer() throws IOException {
    String status = line();
    Map<String, String> headers = headers();
    int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
    return new Answer(
        Integer.parseInt(status.split(" ")[1]), headers, new String(in.readNBytes(length), UTF_8));
  }

  Map<String, String> headers() throws IOException {
    Map<String, String> headers = new HashMap<>();
    for (String line = line(); !line.isEmpty(); line = line()) {
      int colon = line.indexOf(':');
      headers.put(
          line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
    }
    return headers;
  }

  /** Returns the head of an HTTP/2 frame. */
  record Frame(int type, int stream) {}

  /** Returns the incoming frames, until they end. */
  Stream<Frame> frames() {
    return Stream.generate(() -> {
      try {
        ByteBuffer head = ByteBuffer.wrap(in.readNBytes(9));
        int length = head.getInt() >>> 8;
        head.position(3);
        int type = head.get();
        head.get();
        int stream = head.getInt();
        in.skipNBytes(length);
        return new Frame(type, stream);
      } catch (IOException broken) {
        throw new UncheckedIOException(broken);
      }
    });
  }

  /** Reads up to the end of a line. */
  String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new EOFException("closed after: " + line);
      }
      if (c != '\r') {
        line.write(c);
      }
    }
    return line.toString(UTF_8);
  }

  /** Reads everything until the server closes the connection. */
  void untilClosed() throws IOException {
    in.transferTo(java.io.OutputStream.nullOutputStream());
  }

  /** Closes without a TLS close notification, which would wait for one in return. */
  @Override
  public void close() {
    try {
      plain.close();
    } catch (IOException gone) {
      throw new UncheckedIOException(gone);
    }
  }
}
