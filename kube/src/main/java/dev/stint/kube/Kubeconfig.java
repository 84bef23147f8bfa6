package dev.stint.kube;

import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.client.Config;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads kubeconfig files, and says in one line what is wrong with one. */
final class Kubeconfig {
  private Kubeconfig() {}

  /**
   * What the file says of one context. A context that the file lacks is an error: to go on with
   * another could mean another cluster.
   *
   * @param context null for the file's current context
   * @throws IllegalArgumentException where the file does not name a cluster
   */
  static Config read(Path file, @Nullable String context) {
    if (!Files.isReadable(file) || Files.isDirectory(file)) {
      throw new IllegalArgumentException(file + ": no kubeconfig file can be read here");
    }
    Config config = parsed(file, context);
    NamedContext found = config.getCurrentContext();
    if (found == null) {
      throw new IllegalArgumentException(
          file + ": has no current-context; choose one of: " + contexts(config));
    }
    if (context != null && !context.equals(found.getName())) {
      throw new IllegalArgumentException(
          file + ": has no context \"" + context + "\"; choose one of: " + contexts(config));
    }
    return config;
  }

  private static Config parsed(Path file, @Nullable String context) {
    try {
      return Config.fromKubeconfig(context, file.toFile());
    } catch (RuntimeException fault) {
      String why = String.valueOf(fault.getMessage()).lines().findFirst().orElse("");
      throw new IllegalArgumentException(file + ": is no kubeconfig file: " + why, fault);
    }
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
