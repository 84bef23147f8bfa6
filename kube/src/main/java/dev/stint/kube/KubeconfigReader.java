package dev.stint.kube;

import dev.stint.cluster.Timers;
import io.fabric8.kubernetes.api.model.AuthInfo;
import io.fabric8.kubernetes.api.model.Cluster;
import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.client.Config;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads kubeconfig files, and reports faults in one line. */
final class KubeconfigReader {
  private KubeconfigReader() {}

  /**
   * Returns the configuration of one context. A missing context, or a missing entry that it names,
   * is an error: another one could mean another cluster.
   *
   * @param named the files, which count as one
   * @param context null for the current context
   * @param timers bound the time of a credential plugin, if they name one: that runs now
   * @throws IllegalArgumentException if the files do not name a cluster, or its credential plugin
   *     gives no credentials
   */
  static Config read(List<Path> named, @Nullable String context, Timers timers) {
    KubeconfigFiles files = KubeconfigFiles.read(named);
    String wanted = context == null ? files.currentContext() : context;
    if (wanted == null) {
      throw new IllegalArgumentException(
          files + ": has no current-context; its contexts are: " + files.contexts());
    }
    NamedContext found = files.context(wanted);
    Cluster cluster = files.cluster(found);
    Optional<AuthInfo> user = files.user(found);
    Config config = files.config(wanted);
    setProxy(config, cluster);
    user.ifPresent(known -> authenticate(config, known, cluster, timers));
    user.ifPresent(known -> impersonate(config, known));
    return config;
  }

  /**
   * Sets a {@code proxy-url}, which is for clusters with TLS too, whatever its scheme; fabric8 uses
   * one of HTTP only for clusters without.
   */
  private static void setProxy(Config config, Cluster cluster) {
    String given = cluster.getProxyUrl();
    if (given != null && !given.isEmpty()) {
      String url = ProxyUrl.usable(config.getFileWithCluster().toPath(), given);
      config.setHttpProxy(url);
      config.setHttpsProxy(url);
    }
  }

  /**
   * Adds the credentials that fabric8 does not read: those in a {@code tokenFile}, which takes
   * precedence over a token, and those of a plugin, for users who have no other token.
   */
  private static void authenticate(Config config, AuthInfo user, Cluster cluster, Timers timers) {
    Path file = config.getFileWithAuthInfo().toPath();
    String tokenFile = user.getTokenFile();
    if (tokenFile != null && !tokenFile.isEmpty()) {
      config.setOauthTokenProvider(new TokenFile(file.toAbsolutePath().resolveSibling(tokenFile)));
    } else if (user.getExec() != null
        && user.getAuthProvider() == null
        && (user.getToken() == null || user.getToken().isEmpty())) {
      cluster.setCertificateAuthority(config.getCaCertFile()); // The plugin is in another file.
      new CredentialPlugin(file, user.getExec(), cluster)
          .run(CredentialPlugin.hasTerminal(), timers)
          .applyTo(config);
    }
  }

  /**
   * Sets whom the user acts as, which fabric8 does not read: without it, requests would have all
   * rights of the user.
   */
  private static void impersonate(Config config, AuthInfo user) {
    List<String> groups = Objects.requireNonNullElse(user.getAsGroups(), List.of());
    Map<String, List<String>> extra = Objects.requireNonNullElse(user.getAsUserExtra(), Map.of());
    if (isGiven(user.getAsUid())) {
      throw refused(config, "as-uid is not supported; remove it, or use another context");
    }
    if (isGiven(user.getAs())) {
      config.setImpersonateUsername(user.getAs());
      config.setImpersonateGroups(groups.toArray(String[]::new));
      config.setImpersonateExtras(extra);
    } else if (!groups.isEmpty() || !extra.isEmpty()) {
      throw refused(config, "as-groups and as-user-extra need \"as\": name a user, or remove them");
    }
  }

  private static boolean isGiven(@Nullable String text) {
    return text != null && !text.isEmpty();
  }

  private static IllegalArgumentException refused(Config config, String why) {
    return new IllegalArgumentException(config.getFileWithAuthInfo() + ": " + why);
  }

  /** Returns the root cause. */
  static Throwable rootOf(Throwable failure) {
    Throwable cause = failure.getCause();
    return cause == null ? failure : rootOf(cause);
  }
}
