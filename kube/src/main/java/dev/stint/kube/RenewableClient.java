package dev.stint.kube;

import dev.stint.cluster.Timers;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.OAuthTokenProvider;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.utils.HttpClientUtils;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * fabric8's client, made anew where the certificates have changed that it was made from, as it
 * reads them once. What is under way goes on over the connections on which it began.
 *
 * <p>Files are looked at from time to time, and where the API can't be reached; credentials are
 * read anew, which may run a program (client-go credential plugins), where files have changed or
 * the API does not know us any more.
 */
final class RenewableClient implements AutoCloseable {
  /** How often files are looked at. */
  static final Duration INTERVAL = Duration.ofSeconds(20);

  /** When nothing is under way any more on connections of a former client. */
  private static final Duration LONGEST_USE = KubeWatch.PATIENCE.plusSeconds(30);

  private static final Logger LOG = LoggerFactory.getLogger(RenewableClient.class);

  private final Supplier<Config> source;
  private final Timers timers;
  private final Executor blocking;
  private final Queue<HttpClient> former = new ConcurrentLinkedQueue<>();
  private volatile Login login;
  private volatile Runnable cancelTimer = () -> {};
  private volatile boolean closed;

  /** Why the credentials could not be read, as the log has it already; null where they could. */
  private @Nullable String told;

  /** What one reading of the credentials gave, and the client made of it. */
  record Login(HttpClient http, Config config, String kubeconfig, Certificates certificates) {
    boolean isOutdated() {
      return !kubeconfig.equals(text(config.getFile()))
          || !certificates.equals(Certificates.of(config));
    }

    @Nullable String token() {
      OAuthTokenProvider provider = config.getOauthTokenProvider();
      String given = provider == null ? config.getOauthToken() : provider.getToken();
      return given == null ? config.getAutoOAuthToken() : given;
    }
  }

  /** The texts that a client is made from, wherever they are; empty for what there is not. */
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
   * Connects to nothing yet.
   *
   * @param config the API's address and our credentials
   * @param source reads them anew; may take a while, and throw for files that are not right
   * @param blocking where that is done
   */
  RenewableClient(Config config, Supplier<Config> source, Timers timers, Executor blocking) {
    this.source = source;
    this.timers = timers;
    this.blocking = blocking;
    Certificates certificates = Certificates.of(config);
    this.login = new Login(client(config), config, text(config.getFile()), certificates);
    if (hasFiles(config)) {
      lookLater();
    }
  }

  private static boolean hasFiles(Config config) {
    return config.getFile() != null
        || config.getClientCertFile() != null
        || config.getClientKeyFile() != null
        || config.getCaCertFile() != null;
  }

  /** What requests go out with now. */
  Login current() {
    return login;
  }

  /** Completes when credentials have been read anew, where their files have changed. */
  CompletableFuture<@Nullable Void> look() {
    try {
      return CompletableFuture.runAsync(this::readWhatChanged, blocking);
    } catch (RejectedExecutionException ended) {
      return CompletableFuture.completedFuture(null);
    }
  }

  /**
   * Reads the credentials anew, as the API does not know these.
   *
   * @return whether there are others now
   */
  CompletableFuture<Boolean> renewed(Login refused) {
    return CompletableFuture.supplyAsync(() -> login != refused || read(refused), blocking);
  }

  boolean isClosed() {
    return closed;
  }

  @Override
  public void close() {
    closed = true;
    cancelTimer.run();
    login.http().close();
    former.forEach(HttpClient::close);
  }

  private void lookLater() {
    if (!closed) {
      cancelTimer = timers.after(INTERVAL, () -> look().whenComplete((_, _) -> lookLater()));
    }
  }

  private void readWhatChanged() {
    Login now = login;
    if (!closed && now.isOutdated()) {
      read(now);
    }
  }

  /** Files may be half written: what can't be read or used now is tried again later. */
  private synchronized boolean read(Login before) {
    if (login != before || closed) {
      return login != before;
    }
    try {
      String kubeconfig = text(before.config().getFile());
      return take(before, source.get(), kubeconfig);
    } catch (RuntimeException notRight) {
      tell(String.valueOf(KubeconfigReader.rootOf(notRight).getMessage()));
      return false;
    }
  }

  private void tell(String why) {
    if (!why.equals(told)) {
      LOG.warn(
          "the credentials have changed, and can't be used: {}; going on with those of before",
          why);
    }
    told = why;
  }

  /**
   * @param kubeconfig as it was before it was read, so that no change is missed
   */
  private boolean take(Login before, Config found, String kubeconfig) {
    if (!Objects.equals(found.getMasterUrl(), before.config().getMasterUrl())) {
      tell("they are for " + found.getMasterUrl());
      return false;
    }
    Certificates certificates = Certificates.of(found);
    boolean same = certificates.equals(before.certificates());
    HttpClient http = same ? before.http() : client(found);
    Login next = new Login(http, found, kubeconfig, certificates);
    login = next;
    told = null;
    if (!same) {
      LOG.info("the certificates for {} have changed, and are used", found.getMasterUrl());
      retire(before.http());
    }
    return !same || !Objects.equals(before.token(), next.token());
  }

  private void retire(HttpClient http) {
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
   * Requests are sent once; who made them knows whether they may be repeated. Tokens come from
   * here: fabric8 would read the kubeconfig for every request once a minute is over. Only those of
   * an auth-provider are left to it, which it renews itself.
   */
  private HttpClient client(Config config) {
    ConfigBuilder sendingOnce =
        new ConfigBuilder(config).withRequestRetryBackoffLimit(0).withUserAgent("stint");
    if (config.getAuthProvider() == null) {
      sendingOnce.withOauthTokenProvider(() -> login.token());
    }
    return HttpClientUtils.getHttpClientFactory().newBuilder(sendingOnce.build()).build();
  }

  private static String text(@Nullable File file) {
    return text(file == null ? null : file.toPath());
  }

  /** Bytes as they are; empty for what can't be read, which is found out elsewhere. */
  private static String text(@Nullable Path file) {
    try {
      return file == null ? "" : Files.readString(file, StandardCharsets.ISO_8859_1);
    } catch (IOException unreadable) {
      return "";
    }
  }
}
