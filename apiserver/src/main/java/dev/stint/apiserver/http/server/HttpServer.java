package dev.stint.apiserver.http.server;

import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import javax.net.ssl.SSLContext;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.http2.BufferingFlowControlStrategy;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.io.ArrayByteBufferPool;
import org.eclipse.jetty.io.WindowRateControl;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.websocket.server.ServerWebSocketContainer;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP server of the API: HTTPS, HTTP/1.1 and HTTP/2.
 *
 * <p>A few threads do the I/O; each request is answered in a virtual thread, which may block. All
 * resources that a client can use are bounded.
 */
public final class HttpServer implements AutoCloseable {
  private static final int THREADS = 8;
  private static final int WAITING_CONNECTIONS = 1024;
  private static final int HEADER_BYTES = 64 << 10;

  /** Warnings of 4,096 characters, with quotes, in UTF-8. */
  private static final int RESPONSE_HEADER_BYTES = 32 << 10;

  /** The number of connections beyond the limit at which the server accepts no more. */
  private static final int CONNECTIONS_BEYOND = 64;

  private static final long STOP_MILLIS = 2_000;
  private static final int STREAMS_PER_CONNECTION = 1_000;

  /**
   * Resets, pings and the like that a connection takes within a second. An operator that stops
   * gives up all its watches at once, and its other requests share the connection.
   */
  private static final int CONTROL_FRAMES_A_SECOND = 2 * STREAMS_PER_CONNECTION;

  /**
   * The share of a flow-control window that is given back once it is used. It must be less than the
   * initial 64 KiB of a window: a client may learn too late that ours is larger, as the JDK's does
   * once in thousands of connections, and would wait forever.
   */
  private static final float WINDOW_TO_GIVE_BACK = 1 / 16f;

  private final Server server;
  private final ServerConnector connector;
  private final SslContextFactory.Server ssl = new SslContextFactory.Server();
  private final OpenConnections connections;
  private @Nullable JettyAdapter requests;

  /**
   * Creates a server that does not listen yet.
   *
   * @param address port 0 selects a free one
   */
  public HttpServer(InetSocketAddress address, HttpLimits limits) {
    this(address, limits, true);
  }

  /** Creates a server of HTTP/1.1 without TLS, otherwise likewise. */
  public static HttpServer plain(InetSocketAddress address, HttpLimits limits) {
    return new HttpServer(address, limits, false);
  }

  private HttpServer(InetSocketAddress address, HttpLimits limits, boolean secure) {
    server = jetty();
    connector = new KeepAliveConnector(server, secure ? secured() : plain());
    connector.setHost(address.getHostString());
    connector.setPort(address.getPort());
    connector.setIdleTimeout(limits.idleTime().toMillis());
    connector.setAcceptQueueSize(WAITING_CONNECTIONS);
    connections = new OpenConnections(limits, connector.getScheduler());
    connector.addBean(connections);
    connector.addBean(new CarrierWatch(connector.getScheduler()));
    server.addConnector(connector);
    server.setErrorHandler(new MalformedRequestHandler());
    server.addBean(
        new NetworkConnectionLimit(limits.connections() + CONNECTIONS_BEYOND, connector));
    server.setStopTimeout(STOP_MILLIS);
  }

  /** Returns a server whose connections, also of web sockets, have {@link ClearTextBuffers}. */
  static Server jetty() {
    QueuedThreadPool threads = new QueuedThreadPool(THREADS, THREADS);
    threads.setName("stint-http");
    threads.setDaemon(true);
    return new Server(threads, null, new ClearTextBuffers(new ArrayByteBufferPool()));
  }

  /**
   * Reserves an address for {@link #listenOn}. Throws {@link BindException} if it is taken, or is
   * not this machine's.
   */
  public static ServerSocketChannel bind(InetSocketAddress address) throws IOException {
    ServerSocketChannel channel = ServerSocketChannel.open();
    try {
      channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
      channel
          .socket()
          .bind(
              new InetSocketAddress(address.getHostString(), address.getPort()),
              WAITING_CONNECTIONS);
      return channel;
    } catch (IOException taken) {
      channel.close();
      throw taken;
    }
  }

  /** Listens on a reserved address once this server starts. */
  public void listenOn(ServerSocketChannel reserved) throws IOException {
    connector.open(reserved);
  }

  private static ConnectionFactory[] plain() {
    return new ConnectionFactory[] {new HttpConnectionFactory(configuration())};
  }

  private ConnectionFactory[] secured() {
    HttpConfiguration http = configuration();
    SecureRequestCustomizer secure = new SecureRequestCustomizer();
    secure.setSniHostCheck(false);
    http.addCustomizer(secure);
    HTTP2ServerConnectionFactory http2 = new HTTP2ServerConnectionFactory(http);
    http2.setMaxConcurrentStreams(STREAMS_PER_CONNECTION);
    http2.setUseInputDirectByteBuffers(false); // See ClearTextBuffers.
    http2.setRateControlFactory(new WindowRateControl.Factory(CONTROL_FRAMES_A_SECOND));
    http2.setFlowControlStrategyFactory(
        () -> new BufferingFlowControlStrategy(WINDOW_TO_GIVE_BACK));
    ALPNServerConnectionFactory alpn = new ALPNServerConnectionFactory("h2", "http/1.1");
    alpn.setDefaultProtocol(HttpVersion.HTTP_1_1.asString());
    ssl.setWantClientAuth(true);
    SslConnectionFactory tls = new SslConnectionFactory(ssl, alpn.getProtocol());
    tls.setDirectBuffersForEncryption(true);
    return new ConnectionFactory[] {tls, alpn, http2, new HttpConnectionFactory(http)};
  }

  static HttpConfiguration configuration() {
    HttpConfiguration http = new HttpConfiguration();
    http.setRequestHeaderSize(HEADER_BYTES);
    http.setResponseHeaderSize(RESPONSE_HEADER_BYTES);
    http.setSendServerVersion(false);
    http.setUseInputDirectByteBuffers(false); // See ClearTextBuffers.
    http.setUriCompliance(UriCompliance.LEGACY);
    return http;
  }

  /**
   * Starts to listen. Throws {@link BindException} if the address is taken, or is not this
   * machine's.
   *
   * @param tls with the server's certificate
   */
  public void start(SSLContext tls, JettyAdapter answering) throws IOException {
    ssl.setSslContext(tls);
    start(answering);
  }

  /** Presents another certificate to whoever connects from now on. */
  public void renew(SSLContext tls) throws IOException {
    try {
      ssl.reload(factory -> factory.setSslContext(tls));
    } catch (Exception fault) {
      throw new IOException("cannot use the new certificate: " + fault.getMessage(), fault);
    }
  }

  /** Starts to listen without TLS; otherwise likewise. */
  public void start(JettyAdapter answering) throws IOException {
    requests = answering;
    answering.serve(connections);
    server.setHandler(answering);
    ServerWebSocketContainer.ensure(server);
    try {
      server.start();
    } catch (IOException taken) {
      throw taken.getCause() instanceof BindException why ? why : taken;
    } catch (Exception fault) {
      throw new IOException("cannot start the server: " + fault.getMessage(), fault);
    }
  }

  /** Returns the port that it listens on. */
  public int port() {
    return connector.getLocalPort();
  }

  /** Ends watches, lets other requests finish, and stops. */
  @Override
  public void close() {
    if (requests != null) {
      requests.endStreams();
    }
    try {
      server.stop();
    } catch (Exception fault) {
      org.slf4j.LoggerFactory.getLogger(HttpServer.class)
          .warn("The HTTP server did not stop cleanly: {}", fault.getMessage());
    }
  }
}
