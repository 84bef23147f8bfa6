package dev.stint.kube.http;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketOption;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import jdk.net.ExtendedSocketOptions;
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

  /**
   * A server that vanishes is noticed after a minute without a word: seconds until the first probe,
   * seconds between two, and their number.
   */
  private static final Map<SocketOption<Integer>, Integer> PROBES =
      Map.of(
          ExtendedSocketOptions.TCP_KEEPIDLE, 30,
          ExtendedSocketOptions.TCP_KEEPINTERVAL, 10,
          ExtendedSocketOptions.TCP_KEEPCOUNT, 3);

  private final ConnectionSettings settings;
  private final Resolver resolver;

  /** Finds the addresses of hosts. */
  @FunctionalInterface
  interface Resolver {
    /** Returns all addresses of a host, at least one, in the order in which they are tried. */
    InetAddress[] addresses(String host) throws UnknownHostException;
  }

  Dialer(ConnectionSettings settings) {
    this(settings, InetAddress::getAllByName);
  }

  Dialer(ConnectionSettings settings, Resolver resolver) {
    this.settings = settings;
    this.resolver = resolver;
  }

  private Socket socket() {
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

  /**
   * Connects a socket, with TLS if the server has it.
   *
   * @param using receives each socket before it connects, and may close it at any time; one that
   *     cannot connect is replaced by another one
   */
  Dialed connect(Consumer<Socket> using) throws IOException {
    int limitMillis = Math.toIntExact(settings.connectTimeout().toMillis());
    Socket socket = reach(using, limitMillis);
    socket.setTcpNoDelay(true);
    keepAlive(socket);
    SSLSocket secure = settings.server().isTls() ? secured(socket) : null;
    socket.setSoTimeout(0); // Answers may take longer than connecting.
    return secure == null
        ? new Dialed(CONNECTIONS.createConnection(socket), socket.getOutputStream())
        : new Dialed(CONNECTIONS.createConnection(secure, socket), secure.getOutputStream());
  }

  /** Lets the system probe a silent server: the defaults begin after two hours. */
  private static void keepAlive(Socket socket) throws IOException {
    socket.setKeepAlive(true);
    for (Map.Entry<SocketOption<Integer>, Integer> probe : PROBES.entrySet()) {
      if (socket.supportedOptions().contains(probe.getKey())) {
        socket.setOption(probe.getKey(), probe.getValue());
      }
    }
  }

  /** Connects a socket to the server, or to a proxy that leads there. */
  private Socket reach(Consumer<Socket> using, int limitMillis) throws IOException {
    ConnectionSettings.Proxy proxy = settings.proxy();
    try {
      Socket socket = connected(peers(), using, limitMillis);
      socket.setSoTimeout(limitMillis);
      if (proxy != null && !proxy.isSocks() && settings.server().isTls()) {
        openTunnel(socket, proxy);
      }
      return socket;
    } catch (IOException failure) {
      throw proxy == null
          ? failure
          : new IOException("proxy " + proxy.name() + ": " + failure.getMessage(), failure);
    }
  }

  /**
   * Connects a socket to the first of some addresses that accepts it. Each has an equal share of
   * the time, since one that is not reachable may not answer at all.
   */
  private Socket connected(List<InetSocketAddress> peers, Consumer<Socket> using, int limitMillis)
      throws IOException {
    int shareMillis = Math.ceilDiv(limitMillis, peers.size());
    List<IOException> failures = new ArrayList<>();
    for (InetSocketAddress peer : peers) {
      Socket socket = socket();
      using.accept(socket);
      try {
        socket.connect(peer, shareMillis);
        return socket;
      } catch (IOException unreachable) {
        failures.add(unreachable);
      }
    }
    IOException first = failures.removeFirst();
    failures.forEach(first::addSuppressed);
    throw first;
  }

  /** Returns what the socket itself is connected to: the server, or a proxy that it asks. */
  private List<InetSocketAddress> peers() throws UnknownHostException {
    ServerAddress server = settings.server();
    ConnectionSettings.Proxy proxy = settings.proxy();
    if (proxy == null) {
      return resolved(server.host(), server.port());
    }
    return proxy.isSocks()
        ? List.of(InetSocketAddress.createUnresolved(server.host(), server.port()))
        : resolved(proxy.address().getHostString(), proxy.address().getPort());
  }

  private List<InetSocketAddress> resolved(String host, int port) throws UnknownHostException {
    try {
      return Arrays.stream(resolver.addresses(host))
          .map(address -> new InetSocketAddress(address, port))
          .toList();
    } catch (UnknownHostException unknown) {
      UnknownHostException named = new UnknownHostException("the host " + host + " is unknown");
      named.initCause(unknown);
      throw named;
    }
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
