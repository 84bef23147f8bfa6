package dev.stint.runner.container.daemon;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An image reference, as containers have it ("Images" of the Kubernetes documentation).
 *
 * @param repository with its registry, if that was named: {@code registry.example:5000/team/tool}
 * @param tag null if there is a digest
 * @param digest such as {@code sha256:…}; null for none
 */
public record ImageRef(String repository, @Nullable String tag, @Nullable String digest) {
  private static final String HOST = "(?:[a-zA-Z0-9][a-zA-Z0-9.-]*|\\[[0-9a-fA-F:]+])(?::\\d+)?";
  private static final String PART = "[a-z0-9]+(?:(?:\\.|__?|-+)[a-z0-9]+)*";
  private static final Pattern WHOLE =
      Pattern.compile(
          "((?:%s/)?%s(?:/%s)*)(?::([\\w][\\w.-]{0,127}))?(?:@([a-z0-9+._-]+:[0-9a-fA-F]{32,}))?"
              .formatted(HOST, PART, PART));

  /** The registry of references that name none. */
  static final String DOCKER_HUB = "docker.io";

  private static final String LATEST = "latest";

  /** Parses a reference; empty if it is malformed. */
  public static Optional<ImageRef> parse(String image) {
    Matcher matcher = WHOLE.matcher(image);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    String digest = matcher.group(3);
    String tag = digest != null ? null : matcher.group(2) == null ? LATEST : matcher.group(2);
    return Optional.of(new ImageRef(matcher.group(1), tag, digest));
  }

  /** True if the name may mean another image tomorrow. */
  public boolean isLatest() {
    return LATEST.equals(tag);
  }

  /** Returns its registry. */
  String registry() {
    int slash = repository.indexOf('/');
    String first = slash < 0 ? "" : repository.substring(0, slash);
    boolean host = first.contains(".") || first.contains(":") || first.equals("localhost");
    return host ? first : DOCKER_HUB;
  }

  /** Returns the repository without its registry. */
  String path() {
    String registry = registry();
    return repository.startsWith(registry + "/")
        ? repository.substring(registry.length() + 1)
        : repository;
  }

  @Override
  public String toString() {
    return digest != null ? repository + "@" + digest : repository + ":" + tag;
  }
}
