package dev.stint.embedded;

import dev.stint.apiserver.access.AccessReviews;
import dev.stint.apiserver.access.Authenticator;
import dev.stint.apiserver.access.Authorizer;
import dev.stint.apiserver.access.ObjectUids;
import dev.stint.apiserver.access.ServiceAccountTokens;
import dev.stint.apiserver.access.TokenRequests;
import dev.stint.apiserver.access.pki.AdminToken;
import dev.stint.apiserver.access.pki.EndpointKeys;
import dev.stint.apiserver.access.pki.KubeconfigFile;
import dev.stint.apiserver.access.pki.Pki;
import dev.stint.apiserver.audit.AuditSettings;
import dev.stint.apiserver.audit.Auditor;
import dev.stint.apiserver.flowcontrol.FlowControlMetrics;
import dev.stint.apiserver.flowcontrol.StreamLimits;
import dev.stint.apiserver.http.RequestFilter;
import dev.stint.apiserver.http.WebApp;
import dev.stint.apiserver.http.WebAppFilter;
import dev.stint.apiserver.http.handler.HealthHandler;
import dev.stint.apiserver.http.router.AccessFilter;
import dev.stint.apiserver.http.router.FairSharing;
import dev.stint.apiserver.http.router.FlowController;
import dev.stint.apiserver.http.router.Router;
import dev.stint.apiserver.http.router.Seats;
import dev.stint.apiserver.http.server.HttpLimits;
import dev.stint.apiserver.http.server.HttpServer;
import dev.stint.apiserver.http.server.JettyAdapter;
import dev.stint.apiserver.pods.PodAccess;
import dev.stint.cluster.SteadyClock;
import dev.stint.embedded.token.PodTokenIssuer;
import dev.stint.embedded.token.StoredUids;
import dev.stint.runner.token.PodApi;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** The HTTPS endpoint of a control plane's API. */
public final class ApiEndpoint implements AutoCloseable {
  /** The longest life of a service account's token. */
  private static final Duration LONGEST_TOKEN = Duration.ofDays(365);

  private final HttpServer server;
  private final EndpointKeys keys;
  private final InetSocketAddress address;
  private final Auditor audit;
  private final TokenRequests tokens;
  private final CertificateUpkeep upkeep;

  private ApiEndpoint(
      HttpServer server,
      EndpointKeys keys,
      InetSocketAddress address,
      Auditor audit,
      TokenRequests tokens,
      CertificateUpkeep upkeep) {
    this.tokens = tokens;
    this.upkeep = upkeep;
    this.audit = audit;
    this.server = server;
    this.keys = keys;
    this.address = address;
  }

  /**
   * The slow steps that need no control plane: reading or making keys, and creating a server that
   * does not listen yet.
   */
  public static final class Preparation {
    private final InetSocketAddress address;
    private final InstantSource clock;
    private final HttpLimits limits;
    private final Supplier<@Nullable String> token;
    private final CompletableFuture<Keys> keys;
    private final CompletableFuture<HttpServer> server;

    private record Keys(EndpointKeys own, SSLContext tls) {}

    /** Reads or makes keys. */
    @FunctionalInterface
    public interface KeySource {
      EndpointKeys open() throws IOException, GeneralSecurityException;
    }

    /** Begins, with the limits of this machine. */
    public Preparation(Path keys, InetSocketAddress address, InstantSource clock) {
      this(keys, address, clock, HttpLimits.ofThisMachine(), null);
    }

    /**
     * Begins, on threads of its own.
     *
     * @param keys the directory of the keys, which are made if missing
     * @param clock for certificates and tokens; the same clock that clients use
     * @param limits the limits of clients
     * @param reserved bound to the address; null to bind it later
     */
    public Preparation(
        Path keys,
        InetSocketAddress address,
        InstantSource clock,
        HttpLimits limits,
        @Nullable ServerSocketChannel reserved) {
      this(
          () -> Pki.open(keys, clock, List.of(address.getHostString())),
          new AdminToken(keys, clock),
          address,
          clock,
          limits,
          reserved);
    }

    /** Begins with keys that somebody else keeps, and without an admin's token. */
    public Preparation(
        KeySource keys,
        InetSocketAddress address,
        InstantSource clock,
        HttpLimits limits,
        @Nullable ServerSocketChannel reserved) {
      this(keys, () -> null, address, clock, limits, reserved);
    }

    private Preparation(
        KeySource source,
        Supplier<@Nullable String> token,
        InetSocketAddress address,
        InstantSource clock,
        HttpLimits limits,
        @Nullable ServerSocketChannel reserved) {
      this.address = address;
      this.clock = clock;
      this.limits = limits;
      this.token = token;
      this.keys =
          startThread(() -> {
            EndpointKeys own = source.open();
            return new Keys(own, own.serverContext());
          });
      this.server = startThread(() -> server(address, limits, reserved));
    }

    private static HttpServer server(
        InetSocketAddress address, HttpLimits limits, @Nullable ServerSocketChannel reserved)
        throws IOException {
      HttpServer server = new HttpServer(address, limits);
      if (reserved != null) {
        server.listenOn(reserved);
      }
      return server;
    }

    private static <T> CompletableFuture<T> startThread(Callable<T> task) {
      CompletableFuture<T> result = new CompletableFuture<>();
      Thread.ofPlatform()
          .daemon()
          .name("stint-prepare")
          .start(() -> {
            try {
              result.complete(task.call());
            } catch (Exception | Error failure) {
              result.completeExceptionally(failure);
            }
          });
      return result;
    }

    private static <T> T join(CompletableFuture<T> task)
        throws IOException, GeneralSecurityException {
      try {
        return task.join();
      } catch (CompletionException failed) {
        switch (failed.getCause()) {
          case IOException known -> throw known;
          case GeneralSecurityException known -> throw known;
          case null, default -> throw failed;
        }
      }
    }
  }

  /** Starts to listen, without a site and without a filter in front. */
  public static ApiEndpoint open(
      ControlPlane plane,
      Preparation preparation,
      @Nullable AuditSettings auditing,
      @Nullable PodAccess pods)
      throws IOException, GeneralSecurityException {
    return open(plane, preparation, auditing, pods, null, UnaryOperator.identity());
  }

  /** Starts to listen, without metrics of flow control. */
  public static ApiEndpoint open(
      ControlPlane plane,
      Preparation preparation,
      @Nullable AuditSettings auditing,
      @Nullable PodAccess pods,
      @Nullable WebApp site,
      UnaryOperator<RequestFilter> front)
      throws IOException, GeneralSecurityException {
    return open(plane, preparation, auditing, pods, site, front, FlowControlMetrics.NONE);
  }

  /**
   * Starts to listen.
   *
   * @param auditing where and what the audit trail records; null for nothing
   * @param pods access to running pods; null if none run here
   * @param site an additional site to serve; null for none
   * @param front wraps the API's filter in one that requests pass first
   * @param flowMetrics receives the metrics of API Priority and Fairness
   * @throws IOException if the address cannot be listened on
   */
  public static ApiEndpoint open(
      ControlPlane plane,
      Preparation preparation,
      @Nullable AuditSettings auditing,
      @Nullable PodAccess pods,
      @Nullable WebApp site,
      UnaryOperator<RequestFilter> front,
      FlowControlMetrics flowMetrics)
      throws IOException, GeneralSecurityException {
    Preparation.Keys keys = Preparation.join(preparation.keys);
    ObjectUids uids = new StoredUids(plane.api().registry(), preparation.clock);
    ServiceAccountTokens tokens =
        new ServiceAccountTokens(keys.own().serviceAccountKeys(), uids, preparation.clock);
    TokenRequests tokenRequests = new TokenRequests(tokens, uids, LONGEST_TOKEN);
    Authenticator authenticator = new Authenticator(preparation.token, tokens, preparation.clock);
    HealthHandler health = new HealthHandler(Map.of("store", () -> !plane.failure().isDone()));
    Authorizer authorizer = new Authorizer(plane.api().rules());
    Router router =
        new Router(
            plane.api(),
            plane.clock(),
            new SteadyClock(),
            health,
            new AccessReviews(authenticator, authorizer),
            tokenRequests,
            pods);
    Auditor audit =
        auditing == null
            ? Auditor.NONE
            : Auditor.open(auditing, preparation.clock, Thread::startVirtualThread);
    HttpLimits limits = preparation.limits;
    FairSharing sharing = sharing(plane, limits, flowMetrics);
    RequestFilter gate = new AccessFilter(authenticator, authorizer, router, audit, sharing);
    RequestFilter api = front.apply(gate);
    JettyAdapter requests =
        new JettyAdapter(
            plane.api()::catalogue,
            site == null ? api : new WebAppFilter(site, api, audit),
            limits);
    HttpServer server = Preparation.join(preparation.server);
    server.start(keys.tls(), requests);
    CertificateUpkeep upkeep =
        new CertificateUpkeep(
            keys.own(),
            server::renew,
            preparation.clock,
            plane.timers(),
            Thread::startVirtualThread);
    return new ApiEndpoint(server, keys.own(), preparation.address, audit, tokenRequests, upkeep);
  }

  /**
   * Renews the server's certificate in time from now on, however long it runs, and warns in the log
   * of what else is about to expire.
   */
  public void keepValid() {
    upkeep.start();
  }

  private static FairSharing sharing(
      ControlPlane plane, HttpLimits limits, FlowControlMetrics metrics) {
    return new FlowController(
        plane.api().flowControl(),
        plane.api()::count,
        Seats.ofThisMachine(plane.random().nextLong(), new SteadyClock(), plane.timers()),
        new StreamLimits(limits.streams(), limits.sessions()),
        metrics);
  }

  /** Returns the URL for clients. */
  public String url() {
    String host = address.getHostString();
    String named = host.contains(":") ? "[" + host + "]" : host;
    return "https://" + named + ":" + server.port();
  }

  /** Returns the certificate of the authority that signs this server's certificate, as PEM. */
  public String authority() {
    return keys.authorityPem();
  }

  /** Returns the API as pods see it, which get their tokens from it. */
  public PodApi forPods() {
    return new PodTokenIssuer(
        tokens,
        keys.authorityPem(),
        PodTokenIssuer.reachable(address.getHostString()),
        server.port(),
        !PodTokenIssuer.isReachableForContainers(address));
  }

  /**
   * Returns a kubeconfig for clients.
   *
   * @param namespace the default namespace of clients
   * @throws IllegalStateException if the keys are somebody else's, so that there is no admin
   */
  public String kubeconfig(String namespace) {
    return KubeconfigFile.text(url(), pki(), namespace);
  }

  /** Writes the kubeconfig to a file that only this user may read. */
  public void writeKubeconfig(Path file) throws IOException {
    KubeconfigFile.write(file, url(), pki());
  }

  private Pki pki() {
    if (keys instanceof Pki own) {
      return own;
    }
    throw new IllegalStateException("this API has no admin of its own");
  }

  @Override
  public void close() {
    upkeep.close();
    server.close();
    try {
      audit.close();
    } catch (IOException fault) {
      LoggerFactory.getLogger(ApiEndpoint.class)
          .warn("Cannot close the audit log; its last lines may be lost: {}", fault.getMessage());
    }
  }
}
