package dev.stint.kube;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * The configuration that a pod finds for its own cluster: the API's address in its environment, and
 * a service account's token and the cluster's certificate as files (Kubernetes, Accessing the API
 * from a Pod).
 */
final class InCluster {
  static final Path SERVICE_ACCOUNT = Path.of("/var/run/secrets/kubernetes.io/serviceaccount");

  private InCluster() {}

  /**
   * Returns the configuration; empty if this process does not run in a pod that may use the API.
   */
  static Optional<Config> config(Path serviceAccount, Map<String, String> environment) {
    String host = environment.getOrDefault("KUBERNETES_SERVICE_HOST", "");
    String port = environment.getOrDefault("KUBERNETES_SERVICE_PORT", "443");
    Path token = serviceAccount.resolve("token");
    if (host.isEmpty() || !Files.isReadable(token)) {
      return Optional.empty();
    }
    String named = host.contains(":") ? "[" + host + "]" : host;
    return Optional.of(
        new ConfigBuilder(Config.empty())
            .withMasterUrl("https://" + named + ":" + port + "/")
            .withCaCertFile(serviceAccount.resolve("ca.crt").toString())
            .withOauthTokenProvider(new TokenFile(token))
            .withRequestTimeout(RestClient.LONGEST_REQUEST_MILLIS)
            .build());
  }

  static Optional<String> namespace(Path serviceAccount) {
    return read(serviceAccount.resolve("namespace"));
  }

  private static Optional<String> read(Path file) {
    try {
      return Optional.of(Files.readString(file).strip()).filter(text -> !text.isEmpty());
    } catch (IOException absent) {
      return Optional.empty();
    }
  }
}
