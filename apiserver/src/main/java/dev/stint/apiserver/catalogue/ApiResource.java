package dev.stint.apiserver.catalogue;

import dev.stint.model.Kind;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A resource that the API serves.
 *
 * @param name the plural, as in URLs
 * @param kind the kind of its documents
 * @param stored the kind as which its objects are stored; null if they are never stored
 * @param verbs in alphabetical order
 * @param shortNames short forms of the name that kubectl accepts
 * @param categories groups of resources that kubectl accepts as one, such as {@code all}
 */
public record ApiResource(
    GroupVersion groupVersion,
    String name,
    String kind,
    boolean namespaced,
    @Nullable Kind stored,
    List<String> verbs,
    List<String> shortNames,
    List<String> categories,
    List<Subresource> subresources) {
  /** True if its objects are stored. */
  public boolean isStored() {
    return stored != null;
  }

  /** Returns the singular name. */
  public String singular() {
    return kind.toLowerCase(Locale.ROOT);
  }

  /** Returns the subresource of that name; empty if there is none. */
  public Optional<Subresource> subresource(String wanted) {
    for (Subresource subresource : subresources) {
      if (subresource.name.equals(wanted)) {
        return Optional.of(subresource);
      }
    }
    return Optional.empty();
  }

  /**
   * A subresource with its own path, such as {@code jobs/status}.
   *
   * @param groupVersion of its request documents, which may differ from the resource's
   */
  public record Subresource(
      String name,
      GroupVersion groupVersion,
      String kind,
      List<String> verbs,
      Connection connection) {
    /** True if a request may last as long as the client stays connected. */
    public boolean isLongRunning() {
      return connection != Connection.SHORT;
    }

    /**
     * True if a request enters a container. It requires the right to create even when the handshake
     * of a WebSocket makes it a GET.
     */
    public boolean entersContainer() {
      return connection == Connection.SESSION;
    }
  }

  /** The use that requests for a subresource make of their connection. */
  public enum Connection {
    /** One answer. */
    SHORT,
    /** Output, for as long as the client listens. */
    STREAM,
    /** A session in a container. */
    SESSION
  }
}
