package dev.stint.kube;

import dev.stint.cluster.Timers;
import dev.stint.kube.http.HttpTransport;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.OAuthTokenProvider;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way to the API, replaced when the certificates have changed. Requests in flight continue on
 * their connections.
 *
 * <p>Files are checked regularly, and when the API cannot be reached. Credentials are read again,
 * which may run a program (client-go credential plugins), if files have changed, the API no longer
 * accepts the current ones, or the client certificate has expired. A server may refuse such a
 * certificate before it takes a request, and so never answer 401.
 */
final class RenewableClient implements AutoCloseable {
  /** The interval between two checks of the files. */
  static final Duration INTERVAL = Duration.ofSeconds(20);

  /** The time after which no watch uses a former transport any more; followed logs end with it. */
  private static final Duration LONGEST_USE = KubeWatch.DATA_TIMEOUT.plusSeconds(30);

  private static final Logger LOG = LoggerFactory.getLogger(RenewableClient.class);

  private final Supplier<Config> source;
  private final Timers timers;
  private final InstantSource clock;
  private final Executor blocking;
  private final Queue<HttpTransport> former = new ConcurrentLinkedQueue<>();
  private volatile Login login;
  private volatile Runnable cancelTimer = () -> {};
  private volatile boolean closed;

  /**
   * True if no request has had an expired certificate replaced since the last regular check: a
   * plugin that goes on to print it must not run for each request that fails.
   */
  private final AtomicBoolean replacesExpired = new AtomicBoolean(true);

  /** The logged reason why the credentials could not be read; null if they could. */
  private @Nullable String logged;

  /**
   * The result of one reading of the credentials, and the transport made from it.
   *
   * @param until the end of the client certificate
   */
  record Login(
      HttpTransport http,
      Config config,
      String kubeconfig,
      Certificates certificates,
      Instant until) {
    boolean isOutdated() {
      return !kubeconfig.equals(textOf(config)) || !certificates.equals(Certificates.of(config));
    }

    @Nullable String token() {
      OAuthTokenProvider provider = config.getOauthTokenProvider();
      String given = provider == null ? config.getOauthToken() : provider.getToken();
      return given == null ? config.getAutoOAuthToken() : given;
    }
  }

  /** The certificate texts of a client, from the configuration or from files; empty if absent. */
  record Certificates(String certificate, String key, String authority) {
    static Certificates of(Config config) {
      return new Certificates(
          text(config.getClientCertData(), config.getClientCertFile()),
          text(config.getClientKeyData(), config.getClientKeyFile()),
          text(config.getCaCertData(), config.getCaCertFile()));
    }

    private static String text(@Nullable String data, @Nullable String file) {
      return data != null ? data : RenewableClient.text(file == null ? null : Path.of(file));
    }
  }

  /**
   * Creates a client without connecting.
   *
   * @param config the API's address and our credentials
   * @param source reads them again; may take a while, and throws if files are invalid
   * @param clock the time of day, by which certificates expire
   * @param blocking the executor that may block, on which they are read
   */
  RenewableClient(
      Config config,
      Supplier<Config> source,
      Timers timers,
      InstantSource clock,
      Executor blocking) {
    this.source = source;
    this.timers = timers;
    this.clock = clock;
    this.blocking = blocking;
    Certificates certificates = Certificates.of(config);
    this.login =
        new Login(client(config), config, textOf(config), certificates, CertificateEnd.of(config));
    if (hasFiles(config)) {
      scheduleRefresh();
    }
  }

  private static boolean hasFiles(Config config) {
    return config.getFile() != null
        || config.getClientCertFile() != null
        || config.getClientKeyFile() != null
        || config.getCaCertFile() != null;
  }

  /** Returns the login that requests currently use. */
  Login current() {
    return login;
  }

  /**
   * Reads the credentials again if their files have changed or their certificate has expired. May
   * run a program.
   */
  void refresh() {
    Login now = login;
    if (!closed && (now.isOutdated() || replacesExpired(now))) {
      read(now);
    }
  }

  private boolean replacesExpired(Login now) {
    return clock.instant().isAfter(now.until()) && replacesExpired.getAndSet(false);
  }

  /**
   * Reads the credentials again after the API has refused them. May run a program.
   *
   * @return true if the credentials have changed
   * @throws IOException if an auth-provider does not answer
   */
  boolean renew(Login refused) throws IOException {
    return login != refused || refused.http().renewToken() || read(refused);
  }

  boolean isClosed() {
    return closed;
  }

  @Override
  public void close() {
    closed = true;
    cancelTimer.run();
    login.http().close();
    former.forEach(HttpTransport::close);
  }

  private void scheduleRefresh() {
    if (!closed) {
      cancelTimer = timers.after(INTERVAL, () -> blocking.execute(this::refreshAndSchedule));
    }
  }

  private void refreshAndSchedule() {
    replacesExpired.set(true);
    refresh();
    scheduleRefresh();
  }

  /**
   * Reads the credentials. Files may be half written: unreadable or invalid ones are tried again
   * later.
   */
  private synchronized boolean read(Login before) {
    if (login != before || closed) {
      return login != before;
    }
    try {
      String kubeconfig = textOf(before.config());
      return use(before, source.get(), kubeconfig);
    } catch (RuntimeException notRight) {
      logUnusable(String.valueOf(KubeconfigReader.rootOf(notRight).getMessage()));
      return false;
    }
  }

  private void logUnusable(String why) {
    if (!why.equals(logged)) {
      LOG.warn("Cannot use the changed credentials; continuing with the previous ones: {}", why);
    }
    logged = why;
  }

  /**
   * @param kubeconfig the text of the files from before the credentials were read, so that no
   *     change is missed
   */
  private boolean use(Login before, Config found, String kubeconfig) {
    if (!Objects.equals(found.getMasterUrl(), before.config().getMasterUrl())) {
      logUnusable("they are for another server: " + found.getMasterUrl());
      return false;
    }
    Certificates certificates = Certificates.of(found);
    boolean same = certificates.equals(before.certificates());
    HttpTransport http = same ? before.http() : client(found);
    Login next = new Login(http, found, kubeconfig, certificates, CertificateEnd.of(found));
    login = next;
    logged = null;
    if (!same) {
      LOG.info("Using the changed certificates for {}", found.getMasterUrl());
      retire(before.http());
    }
    return !same || !Objects.equals(before.token(), next.token());
  }

  private void retire(HttpTransport http) {
    former.add(http);
    timers.after(
        LONGEST_USE,
        () -> {
          former.remove(http);
          http.close();
        });
    if (closed) {
      close();
    }
  }

  /**
   * Returns a transport that is given the tokens by us, since fabric8 would read the kubeconfig for
   * every request once a minute is over. Tokens of an auth-provider are left to fabric8, which
   * renews them.
   */
  private HttpTransport client(Config config) {
    ConfigBuilder used = new ConfigBuilder(config).withUserAgent("stint");
    if (config.getAuthProvider() == null) {
      used.withOauthTokenProvider(() -> login.token());
    }
    return new HttpTransport(used.build(), timers);
  }

  /** Returns the texts of the files that have the context, its cluster and its user. */
  private static String textOf(Config config) {
    return Stream.of(
            Optional.ofNullable(config.getFile()),
            Optional.ofNullable(config.getFileWithCluster()),
            Optional.ofNullable(config.getFileWithAuthInfo()))
        .flatMap(Optional::stream)
        .distinct()
        .map(file -> text(file.toPath()))
        .collect(Collectors.joining());
  }

  /** Returns a file's bytes as text; empty for an unreadable file, which is reported elsewhere. */
  private static String text(@Nullable Path file) {
    try {
      return file == null ? "" : Files.readString(file, StandardCharsets.ISO_8859_1);
    } catch (IOException unreadable) {
      return "";
    }
  }
}
