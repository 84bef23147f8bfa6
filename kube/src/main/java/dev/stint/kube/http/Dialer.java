package dev.stint.kube.http;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.util.List;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.HttpStatus;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.impl.io.DefaultBHttpClientConnection;
import org.apache.hc.core5.http.impl.io.DefaultBHttpClientConnectionFactory;
import org.apache.hc.core5.http.impl.io.HttpRequestExecutor;
import org.apache.hc.core5.http.io.HttpClientConnection;
import org.apache.hc.core5.http.message.BasicClassicHttpRequest;
import org.apache.hc.core5.http.protocol.HttpCoreContext;

/** Connects sockets to an API server, through a proxy where the settings name one. */
final class Dialer {
  /**
   * Bounds what a server may send before the body of an answer. Buffers are small, since each
   * connection has three; bodies go past them.
   */
  private static final Http1Config BOUNDS =
      Http1Config.custom()
          .setMaxHeaderCount(200)
          .setMaxLineLength(32 * 1024)
          .setBufferSize(4 * 1024)
          .build();

  private static final DefaultBHttpClientConnectionFactory CONNECTIONS =
      DefaultBHttpClientConnectionFactory.builder().http1Config(BOUNDS).build();

  private final ConnectionSettings settings;

  Dialer(ConnectionSettings settings) {
    this.settings = settings;
  }

  /** Returns a socket that {@link #connect} can connect, and that may be closed at any time. */
  Socket socket() {
    ConnectionSettings.Proxy proxy = settings.proxy();
    return proxy != null && proxy.isSocks()
        ? new Socket(new java.net.Proxy(java.net.Proxy.Type.SOCKS, proxy.address()))
        : new Socket();
  }

  /**
   * A connected socket.
   *
   * @param http speaks HTTP over it
   * @param out leads to the server, past {@code http}
   */
  record Dialed(DefaultBHttpClientConnection http, OutputStream out) {}

  /** Connects a socket, with TLS if the server has it. */
  Dialed connect(Socket socket) throws IOException {
    int limitMillis = Math.toIntExact(settings.connectTimeout().toMillis());
    reach(socket, limitMillis);
    socket.setTcpNoDelay(true);
    socket.setKeepAlive(true);
    SSLSocket secure = settings.server().isTls() ? secured(socket) : null;
    socket.setSoTimeout(0); // Answers may take longer than connecting.
    return secure == null
        ? new Dialed(CONNECTIONS.createConnection(socket), socket.getOutputStream())
        : new Dialed(CONNECTIONS.createConnection(secure, socket), secure.getOutputStream());
  }

  /** Connects a socket to the server, or to a proxy that leads there. */
  private void reach(Socket socket, int limitMillis) throws IOException {
    ConnectionSettings.Proxy proxy = settings.proxy();
    try {
      socket.connect(peer(), limitMillis);
      socket.setSoTimeout(limitMillis);
      if (proxy != null && !proxy.isSocks() && settings.server().isTls()) {
        openTunnel(socket, proxy);
      }
    } catch (IOException failure) {
      throw proxy == null
          ? failure
          : new IOException("proxy " + proxy.name() + ": " + failure.getMessage(), failure);
    }
  }

  /** Returns what the socket itself is connected to: the server, or a proxy that it asks. */
  private InetSocketAddress peer() throws UnknownHostException {
    ServerAddress server = settings.server();
    ConnectionSettings.Proxy proxy = settings.proxy();
    if (proxy == null) {
      return resolved(server.host(), server.port());
    }
    return proxy.isSocks()
        ? InetSocketAddress.createUnresolved(server.host(), server.port())
        : resolved(proxy.address().getHostString(), proxy.address().getPort());
  }

  private static InetSocketAddress resolved(String host, int port) throws UnknownHostException {
    InetSocketAddress address = new InetSocketAddress(host, port);
    if (address.isUnresolved()) {
      throw new UnknownHostException("the host " + address.getHostString() + " is unknown");
    }
    return address;
  }

  /** Asks an HTTP proxy for a tunnel (RFC 9110, section 9.3.6). */
  private void openTunnel(Socket socket, ConnectionSettings.Proxy proxy) throws IOException {
    String target = settings.server().authority();
    ClassicHttpRequest request = new BasicClassicHttpRequest("CONNECT", null, null, target);
    request.setHeader(HttpHeaders.HOST, target);
    if (proxy.authorization() != null) {
      request.setHeader(HttpHeaders.PROXY_AUTHORIZATION, proxy.authorization());
    }
    try {
      HttpClientConnection connection = CONNECTIONS.createConnection(socket);
      int code =
          new HttpRequestExecutor()
              .execute(request, connection, HttpCoreContext.create())
              .getCode();
      if (code != HttpStatus.SC_OK) {
        throw new IOException("it refuses a tunnel to " + target + ": HTTP " + code);
      }
    } catch (HttpException incomprehensible) {
      throw new IOException(incomprehensible.getMessage(), incomprehensible);
    }
  }

  private SSLSocket secured(Socket socket) throws IOException {
    SSLSocket secure =
        (SSLSocket)
            settings
                .sockets()
                .createSocket(socket, settings.certifiedName(), settings.server().port(), true);
    SSLParameters parameters = secure.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    List<String> versions = settings.tlsVersions();
    if (!versions.isEmpty()) {
      parameters.setProtocols(versions.toArray(String[]::new));
    }
    secure.setSSLParameters(parameters);
    secure.startHandshake();
    return secure;
  }
}
