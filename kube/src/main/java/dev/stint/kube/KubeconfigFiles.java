package dev.stint.kube;

import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.client.Config;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Several kubeconfig files, as the variable {@code KUBECONFIG} may list them. Files that do not
 * exist are skipped, and the first one that has a context or a current context decides. Each
 * context and what it names are in one file.
 */
public final class KubeconfigFiles {
  private KubeconfigFiles() {}

  /**
   * The file of a context.
   *
   * @param context null for the file's current context
   */
  public record Chosen(Path file, @Nullable String context) {}

  /**
   * Returns the file that has a context.
   *
   * @param context null for the current context
   * @throws IllegalArgumentException if none has it; the message is one line for the user
   */
  public static Chosen choose(List<Path> files, @Nullable String context) {
    if (files.size() == 1) {
      return new Chosen(files.getFirst(), context);
    }
    List<Path> existing = files.stream().filter(Files::exists).toList();
    String wanted = context == null ? current(existing) : context;
    return existing.stream()
        .filter(file -> has(file, wanted))
        .findFirst()
        .map(file -> new Chosen(file, wanted))
        .orElseThrow(() ->
            new IllegalArgumentException(
                "none of these files has the context \"%s\": %s".formatted(wanted, joined(files))));
  }

  private static String current(List<Path> files) {
    return files.stream()
        .map(file -> KubeconfigReader.parsed(file, null).getCurrentContext())
        .filter(context -> context != null)
        .map(NamedContext::getName)
        .findFirst()
        .orElseThrow(() ->
            new IllegalArgumentException(
                "none of these files has a current-context: " + joined(files)));
  }

  private static boolean has(Path file, String context) {
    Config config = KubeconfigReader.parsed(file, null);
    return config.getContexts().stream().anyMatch(each -> context.equals(each.getName()));
  }

  private static String joined(List<Path> files) {
    return files.stream().map(Path::toString).reduce((one, other) -> one + ", " + other).orElse("");
  }
}
