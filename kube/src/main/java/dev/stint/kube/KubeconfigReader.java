package dev.stint.kube;

import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
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
   * @throws IllegalArgumentException if the file does not name a cluster
   */
  static Config read(Path file, @Nullable String context) {
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
    tokenFile(document, found.getContext().getUser())
        .map(token -> file.toAbsolutePath().resolveSibling(token))
        .ifPresent(token -> config.setOauthTokenProvider(new TokenFile(token)));
    proxyUrl(document, found.getContext().getCluster())
        .map(url -> ProxyUrl.usable(file, url))
        .ifPresent(url -> {
          config.setHttpProxy(url);
          config.setHttpsProxy(url);
        });
    return config;
  }

  /**
   * Returns the user's {@code tokenFile}, which fabric8 does not know; it takes precedence over a
   * token.
   */
  private static Optional<String> tokenFile(
      io.fabric8.kubernetes.api.model.Config document, @Nullable String user) {
    return textOf(
        document.getUsers(),
        entry -> entry.getName().equals(user) && entry.getUser() != null,
        entry -> entry.getUser().getTokenFile());
  }

  /**
   * Returns the cluster's {@code proxy-url}. It is for clusters with TLS too, whatever its scheme;
   * fabric8 uses one of HTTP only for clusters without.
   */
  private static Optional<String> proxyUrl(
      io.fabric8.kubernetes.api.model.Config document, @Nullable String cluster) {
    return textOf(
        document.getClusters(),
        entry -> entry.getName().equals(cluster) && entry.getCluster() != null,
        entry -> entry.getCluster().getProxyUrl());
  }

  /** Returns a text of the entry that is meant, unless it is absent or empty. */
  private static <T> Optional<String> textOf(
      @Nullable List<T> entries, Predicate<T> isMeant, Function<T, @Nullable String> text) {
    List<T> all = entries == null ? List.of() : entries;
    return all.stream().filter(isMeant).findFirst().map(text).filter(found -> !found.isEmpty());
  }

  private static io.fabric8.kubernetes.api.model.Config document(Path file) {
    try {
      return Serialization.unmarshal(
          Files.readString(file), io.fabric8.kubernetes.api.model.Config.class);
    } catch (IOException | RuntimeException unreadable) {
      throw unusable(file, unreadable);
    }
  }

  static Config parsed(Path file, @Nullable String context) {
    try {
      Config config = Config.fromKubeconfig(context, file.toFile());
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
