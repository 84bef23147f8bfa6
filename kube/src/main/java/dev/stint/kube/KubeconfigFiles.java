package dev.stint.kube;

import io.fabric8.kubernetes.api.model.AuthInfo;
import io.fabric8.kubernetes.api.model.Cluster;
import io.fabric8.kubernetes.api.model.NamedAuthInfo;
import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.internal.KubeConfigUtils;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Kubeconfig files that count as one, as the variable {@code KUBECONFIG} lists them: the first file
 * that has an entry or a current context decides, and a relative path begins at the file that names
 * it. Of several files, those that do not exist are skipped (Kubernetes documentation, Organizing
 * Cluster Access Using kubeconfig Files).
 */
final class KubeconfigFiles {
  private static final Path NOTHING = Path.of("/dev/null");

  private final String names;
  private final List<Path> files;
  private final List<io.fabric8.kubernetes.api.model.Config> documents;

  private KubeconfigFiles(String names, List<Path> files) {
    this.names = names;
    this.files = files;
    this.documents = files.stream().map(KubeconfigFiles::document).toList();
  }

  /**
   * Reads files.
   *
   * @throws IllegalArgumentException if one cannot be read or none exists; the message is one line
   *     for the user
   */
  static KubeconfigFiles read(List<Path> named) {
    String names = names(named);
    List<Path> files = named.size() == 1 ? named : named.stream().filter(Files::exists).toList();
    if (files.isEmpty()) {
      throw unreadable(names);
    }
    files.stream()
        .filter(file -> !Files.isReadable(file) || Files.isDirectory(file))
        .findFirst()
        .ifPresent(file -> {
          throw unreadable(file.toString());
        });
    return new KubeconfigFiles(names, files);
  }

  /** Returns the names of files, for people. */
  static String names(List<Path> named) {
    return named.stream().map(Path::toString).collect(Collectors.joining(", "));
  }

  private static IllegalArgumentException unreadable(String names) {
    return new IllegalArgumentException(
        names + ": cannot be read; name an existing kubeconfig file");
  }

  private static io.fabric8.kubernetes.api.model.Config document(Path file) {
    try {
      return KubeConfigUtils.parseConfig(file.toFile());
    } catch (RuntimeException unreadable) {
      if (isEmpty(file)) {
        return new io.fabric8.kubernetes.api.model.Config();
      }
      throw unusable(file.toString(), unreadable);
    }
  }

  /** True if a file says nothing, as /dev/null; kubectl passes over such a file. */
  private static boolean isEmpty(Path file) {
    if (!Files.isRegularFile(file)) {
      return file.equals(NOTHING);
    }
    try (Stream<String> lines = Files.lines(file)) {
      return lines.map(String::strip).allMatch(line -> line.isEmpty() || line.startsWith("#"));
    } catch (IOException | UncheckedIOException unreadable) {
      return false;
    }
  }

  private static IllegalArgumentException unusable(String names, Exception fault) {
    String why = String.valueOf(fault.getMessage()).lines().findFirst().orElse("");
    if (why.startsWith("Cannot ")) {
      why = "it is not a list of clusters, users and contexts"; // The parser would quote the file.
    }
    return new IllegalArgumentException(names + ": is not a valid kubeconfig file: " + why, fault);
  }

  /** Returns the name of the current context; null if no file names one. */
  @Nullable String currentContext() {
    return documents.stream()
        .map(io.fabric8.kubernetes.api.model.Config::getCurrentContext)
        .filter(name -> name != null && !name.isEmpty())
        .findFirst()
        .orElse(null);
  }

  /** Returns the names of the contexts, for people. */
  String contexts() {
    String all =
        entries(io.fabric8.kubernetes.api.model.Config::getContexts)
            .filter(entry -> entry.getContext() != null)
            .map(NamedContext::getName)
            .distinct()
            .sorted()
            .collect(Collectors.joining(", "));
    return all.isEmpty() ? "(none)" : all;
  }

  /**
   * Returns a context.
   *
   * @throws IllegalArgumentException if it does not exist
   */
  NamedContext context(String name) {
    return entries(io.fabric8.kubernetes.api.model.Config::getContexts)
        .filter(entry -> name.equals(entry.getName()) && entry.getContext() != null)
        .findFirst()
        .orElseThrow(() ->
            new IllegalArgumentException(
                "%s: has no context \"%s\"; its contexts are: %s"
                    .formatted(names, name, contexts())));
  }

  /**
   * Returns what fabric8 makes of a context, without the credentials of plugins: it would take
   * their failure for no credentials.
   */
  Config config(String context) {
    try {
      Config config = Config.empty();
      KubeConfigUtils.merge(
          config,
          context,
          files.stream()
              .map(KubeconfigFiles::withoutPlugins)
              .toArray(io.fabric8.kubernetes.api.model.Config[]::new));
      config.setRequestTimeout(RestClient.LONGEST_REQUEST_MILLIS);
      return config;
    } catch (RuntimeException fault) {
      throw unusable(names, fault);
    }
  }

  private static io.fabric8.kubernetes.api.model.Config withoutPlugins(Path file) {
    var document = document(file);
    if (document.getUsers() != null) {
      document.getUsers().stream()
          .filter(entry -> entry.getUser() != null)
          .forEach(entry -> entry.getUser().setExec(null));
    }
    return document;
  }

  /**
   * Returns the cluster of a context.
   *
   * @throws IllegalArgumentException if there is none: a default could be another cluster
   */
  Cluster cluster(NamedContext context) {
    String name = context.getContext().getCluster();
    Cluster found =
        entries(io.fabric8.kubernetes.api.model.Config::getClusters)
            .filter(entry -> Objects.equals(entry.getName(), name))
            .flatMap(entry -> Stream.ofNullable(entry.getCluster()))
            .findFirst()
            .orElseThrow(() -> fault(context, "cluster", name, "does not exist"));
    if (found.getServer() == null || found.getServer().isEmpty()) {
      throw fault(context, "cluster", name, "has no server");
    }
    return found;
  }

  /**
   * Returns the user of a context; empty if it names none, or one without credentials.
   *
   * @throws IllegalArgumentException if the one that it names does not exist
   */
  Optional<AuthInfo> user(NamedContext context) {
    String name = context.getContext().getUser();
    if (name == null || name.isEmpty()) {
      return Optional.empty();
    }
    NamedAuthInfo found =
        entries(io.fabric8.kubernetes.api.model.Config::getUsers)
            .filter(entry -> name.equals(entry.getName()))
            .findFirst()
            .orElseThrow(() -> fault(context, "user", name, "does not exist"));
    return Optional.ofNullable(found.getUser());
  }

  /** Returns entries of all files; the first one of a name counts. */
  private <T> Stream<T> entries(
      Function<io.fabric8.kubernetes.api.model.Config, @Nullable List<T>> kind) {
    return documents.stream()
        .flatMap(document -> Stream.ofNullable(kind.apply(document)).flatMap(List::stream));
  }

  private IllegalArgumentException fault(
      NamedContext context, String kind, @Nullable String name, String how) {
    return new IllegalArgumentException(
        "%s: the %s of the context \"%s\" %s%s"
            .formatted(
                names, kind, context.getName(), how, name == null ? "" : ": \"" + name + "\""));
  }

  /** Returns the names of the files, for people. */
  @Override
  public String toString() {
    return names;
  }
}
