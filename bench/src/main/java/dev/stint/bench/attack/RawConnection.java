package dev.stint.bench.attack;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/** A connection on which every byte is ours, over TLS or in plain text. */
final class RawConnection implements AutoCloseable {
  /** The source of attacks. */
  static final String ATTACKER = "127.0.0.1";

  /** The source of everybody else's connections, such as probes of a load balancer. */
  static final String BYSTANDER = "127.0.0.2";

  /** The head of an answer, with the names of its headers in lower case. */
  record Head(int code, Map<String, String> headers) {
    boolean isWhole() {
      return headers.containsKey("content-length");
    }
  }

  private final Socket plain;
  private final Socket socket;
  private final InputStream in;

  private RawConnection(Socket plain, Socket socket) throws IOException {
    this.plain = plain;
    this.socket = socket;
    this.in = new BufferedInputStream(socket.getInputStream());
  }

  private static Socket connected(String source, int port, int patienceMillis) throws IOException {
    Socket plain = new Socket();
    plain.setReceiveBufferSize(64 << 10);
    plain.setSoTimeout(patienceMillis);
    plain.bind(new InetSocketAddress(source, 0));
    plain.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), patienceMillis);
    return plain;
  }

  static RawConnection plain(int port, int patienceMillis) throws IOException {
    Socket plain = connected(ATTACKER, port, patienceMillis);
    return new RawConnection(plain, plain);
  }

  /**
   * Connects over TLS.
   *
   * @param source the address that the connection comes from
   * @param protocol {@code h2} or {@code http/1.1}
   */
  static RawConnection tls(
      String source, int port, SSLContext tls, String protocol, int patienceMillis)
      throws IOException {
    Socket plain = connected(source, port, patienceMillis);
    try {
      SSLSocket socket =
          (SSLSocket) tls.getSocketFactory().createSocket(plain, "localhost", port, true);
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setApplicationProtocols(new String[] {protocol});
      socket.setSSLParameters(parameters);
      socket.startHandshake();
      return new RawConnection(plain, socket);
    } catch (IOException refused) {
      plain.close();
      throw refused;
    }
  }

  RawConnection send(String text) throws IOException {
    return send(text.getBytes(ISO_8859_1));
  }

  RawConnection send(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    socket.getOutputStream().flush();
    return this;
  }

  Head head() throws IOException {
    String[] status = line().split(" ", 3);
    Map<String, String> headers = new HashMap<>();
    for (String line = line(); !line.isEmpty(); line = line()) {
      int colon = line.indexOf(':');
      headers.put(
          line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
    }
    return new Head(Integer.parseInt(status[1]), headers);
  }

  /** Reads the body that belongs to a head. */
  String body(Head head) throws IOException {
    if (head.isWhole()) {
      int length = Integer.parseInt(head.headers().getOrDefault("content-length", "0"));
      return new String(in.readNBytes(length), UTF_8);
    }
    StringBuilder all = new StringBuilder();
    for (int chunk = chunk(); chunk > 0; chunk = chunk()) {
      all.append(new String(in.readNBytes(chunk), UTF_8));
      line();
    }
    line();
    return all.toString();
  }

  private int chunk() throws IOException {
    return Integer.parseInt(line().strip(), 16);
  }

  /** Returns the next byte; -1 once the server has closed the connection. */
  int read() throws IOException {
    return in.read();
  }

  InputStream input() {
    return in;
  }

  private String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new EOFException("closed");
      }
      if (c != '\r') {
        line.write(c);
      }
    }
    return line.toString(ISO_8859_1);
  }

  /** Closes without a TLS notification, which might wait for the server. */
  @Override
  public void close() {
    try {
      plain.close();
    } catch (IOException gone) {
      // It is closed.
    }
  }
}
