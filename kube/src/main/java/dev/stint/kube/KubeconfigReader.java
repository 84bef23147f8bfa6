package dev.stint.kube;

import dev.stint.cluster.Timers;
import io.fabric8.kubernetes.api.model.AuthInfo;
import io.fabric8.kubernetes.api.model.Cluster;
import io.fabric8.kubernetes.api.model.NamedAuthInfo;
import io.fabric8.kubernetes.api.model.NamedCluster;
import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.internal.KubeConfigUtils;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads kubeconfig files, and reports faults in one line. */
final class KubeconfigReader {
  private KubeconfigReader() {}

  /**
   * Returns the configuration of one context. A missing context is an error: another one could mean
   * another cluster.
   *
   * @param context null for the file's current context
   * @param timers bound the time of a credential plugin, if it names one: that runs now
   * @throws IllegalArgumentException if the file does not name a cluster, or its credential plugin
   *     gives no credentials
   */
  static Config read(Path file, @Nullable String context, Timers timers) {
    if (!Files.isReadable(file) || Files.isDirectory(file)) {
      throw new IllegalArgumentException(
          file + ": cannot be read; name an existing kubeconfig file");
    }
    Config config = parsed(file, context);
    NamedContext found = config.getCurrentContext();
    if (found == null) {
      throw new IllegalArgumentException(
          file + ": has no current-context; its contexts are: " + contexts(config));
    }
    if (context != null && !context.equals(found.getName())) {
      throw new IllegalArgumentException(
          file + ": has no context \"" + context + "\"; its contexts are: " + contexts(config));
    }
    var document = document(file);
    Optional<Cluster> cluster = cluster(document, found.getContext().getCluster());
    cluster
        .map(Cluster::getProxyUrl)
        .filter(url -> !url.isEmpty())
        .map(url -> ProxyUrl.usable(file, url))
        .ifPresent(url -> {
          config.setHttpProxy(url);
          config.setHttpsProxy(url);
        });
    user(document, found.getContext().getUser())
        .ifPresent(user -> authenticate(config, file, user, cluster.orElse(null), timers));
    return config;
  }

  /**
   * Adds the credentials that fabric8 does not read: those in a {@code tokenFile}, which takes
   * precedence over a token, and those of a plugin, for users who have no other token.
   */
  private static void authenticate(
      Config config, Path file, AuthInfo user, @Nullable Cluster cluster, Timers timers) {
    String tokenFile = user.getTokenFile();
    if (tokenFile != null && !tokenFile.isEmpty()) {
      config.setOauthTokenProvider(new TokenFile(file.toAbsolutePath().resolveSibling(tokenFile)));
    } else if (user.getExec() != null
        && user.getAuthProvider() == null
        && (user.getToken() == null || user.getToken().isEmpty())) {
      new CredentialPlugin(file, user.getExec(), cluster)
          .run(CredentialPlugin.hasTerminal(), timers)
          .applyTo(config);
    }
  }

  private static Optional<AuthInfo> user(
      io.fabric8.kubernetes.api.model.Config document, @Nullable String name) {
    return content(
        document.getUsers(), entry -> entry.getName().equals(name), NamedAuthInfo::getUser);
  }

  /**
   * Returns a cluster. Its {@code proxy-url} is for clusters with TLS too, whatever its scheme;
   * fabric8 uses one of HTTP only for clusters without.
   */
  private static Optional<Cluster> cluster(
      io.fabric8.kubernetes.api.model.Config document, @Nullable String name) {
    return content(
        document.getClusters(), entry -> entry.getName().equals(name), NamedCluster::getCluster);
  }

  /** Returns the content of the entry that is meant. */
  private static <T, C> Optional<C> content(
      @Nullable List<T> entries, Predicate<T> isMeant, Function<T, @Nullable C> content) {
    List<T> all = entries == null ? List.of() : entries;
    return all.stream().filter(isMeant).findFirst().map(content);
  }

  private static io.fabric8.kubernetes.api.model.Config document(Path file) {
    try {
      return KubeConfigUtils.parseConfig(file.toFile());
    } catch (RuntimeException unreadable) {
      throw unusable(file, unreadable);
    }
  }

  /**
   * Returns what fabric8 makes of a file, without the credentials of plugins: it would run them for
   * whoever asks for the names of the contexts, and take their failure for no credentials.
   */
  static Config parsed(Path file, @Nullable String context) {
    var document = document(file);
    if (document.getUsers() != null) {
      document.getUsers().stream()
          .filter(entry -> entry.getUser() != null)
          .forEach(entry -> entry.getUser().setExec(null));
    }
    try {
      Config config = Config.empty();
      KubeConfigUtils.merge(config, context, document);
      config.setRequestTimeout(RestClient.LONGEST_REQUEST_MILLIS);
      return config;
    } catch (RuntimeException fault) {
      throw unusable(file, fault);
    }
  }

  private static IllegalArgumentException unusable(Path file, Exception fault) {
    String why = String.valueOf(fault.getMessage()).lines().findFirst().orElse("");
    if (why.startsWith("Cannot ")) {
      why = "it is not a list of clusters, users and contexts"; // The parser would quote the file.
    }
    return new IllegalArgumentException(file + ": is not a valid kubeconfig file: " + why, fault);
  }

  /** Returns the root cause. */
  static Throwable rootOf(Throwable failure) {
    Throwable cause = failure.getCause();
    return cause == null ? failure : rootOf(cause);
  }

  private static String contexts(Config config) {
    String names =
        config.getContexts().stream()
            .map(NamedContext::getName)
            .sorted()
            .collect(Collectors.joining(", "));
    return names.isEmpty() ? "(none)" : names;
  }
}
