package dev.stint.apiserver.catalogue;

import dev.stint.apiserver.selector.SelectableFields;
import dev.stint.apiserver.strategy.Strategy;
import dev.stint.apiserver.table.Columns;
import dev.stint.model.Kind;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A resource that the API serves, with all that a control plane knows of its kind. A kind that the
 * catalogue has an entry for needs to be named nowhere else.
 *
 * @param shown the kind of its documents
 * @param stored the kind as which its objects are stored; null if they are never stored
 * @param verbs in alphabetical order
 * @param shortNames short forms of the name that kubectl accepts
 * @param categories groups of resources that kubectl accepts as one, such as {@code all}
 * @param subresources in alphabetical order
 * @param strategy the rules for writes; null if its objects are never stored
 * @param columns the columns of its tables
 * @param fields the fields that its objects can be selected by
 */
public record ApiResource(
    Kind shown,
    @Nullable Kind stored,
    List<String> verbs,
    List<String> shortNames,
    List<String> categories,
    List<Subresource> subresources,
    @Nullable Strategy strategy,
    Columns columns,
    SelectableFields fields) {
  /** The verbs of requests for an object or a collection. */
  static final List<String> ALL_VERBS =
      List.of("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch");

  /** Returns a resource whose objects are answered and never stored. */
  static ApiResource answered(Kind kind) {
    return new ApiResource(
        kind,
        null,
        List.of("create"),
        List.of(),
        List.of(),
        List.of(),
        null,
        Columns.PLAIN,
        SelectableFields.METADATA);
  }

  /** Returns a resource that is stored as it is shown, with all verbs and plain columns. */
  static ApiResource of(Strategy strategy) {
    Kind kind = strategy.kind();
    GroupVersion groupVersion = new GroupVersion(kind.group(), kind.version());
    return new ApiResource(
        kind,
        kind,
        ALL_VERBS,
        List.of(),
        List.of(),
        strategy.hasStatus() ? List.of(Subresource.status(groupVersion, kind.kind())) : List.of(),
        strategy,
        Columns.PLAIN,
        SelectableFields.METADATA);
  }

  /** Returns this resource in another group, with the same stored objects. */
  ApiResource shownAs(Kind kind) {
    return new ApiResource(
        kind, stored, verbs, shortNames, categories, subresources, strategy, columns, fields);
  }

  ApiResource withShortName(String name) {
    return new ApiResource(
        shown, stored, verbs, List.of(name), categories, subresources, strategy, columns, fields);
  }

  ApiResource without(String verb) {
    List<String> fewer = verbs.stream().filter(one -> !one.equals(verb)).toList();
    return new ApiResource(
        shown, stored, fewer, shortNames, categories, subresources, strategy, columns, fields);
  }

  ApiResource inCategory(String category) {
    return new ApiResource(
        shown,
        stored,
        verbs,
        shortNames,
        List.of(category),
        subresources,
        strategy,
        columns,
        fields);
  }

  /** Returns this resource with more subresources. */
  ApiResource with(Subresource... more) {
    List<Subresource> all =
        Stream.concat(subresources.stream(), List.of(more).stream())
            .sorted(Comparator.comparing(Subresource::name))
            .toList();
    return new ApiResource(
        shown, stored, verbs, shortNames, categories, all, strategy, columns, fields);
  }

  ApiResource with(Columns other) {
    return new ApiResource(
        shown, stored, verbs, shortNames, categories, subresources, strategy, other, fields);
  }

  ApiResource with(SelectableFields other) {
    return new ApiResource(
        shown, stored, verbs, shortNames, categories, subresources, strategy, columns, other);
  }

  public GroupVersion groupVersion() {
    return new GroupVersion(shown.group(), shown.version());
  }

  /** Returns the plural, as in URLs. */
  public String name() {
    return shown.plural();
  }

  /** Returns the name of the kind of its documents. */
  public String kind() {
    return shown.kind();
  }

  public boolean namespaced() {
    return shown.namespaced();
  }

  /** True if its objects are stored. */
  public boolean isStored() {
    return stored != null;
  }

  /** Returns the singular name. */
  public String singular() {
    return kind().toLowerCase(Locale.ROOT);
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
    /** Returns the subresource that writes the status of an object. */
    static Subresource status(GroupVersion groupVersion, String kind) {
      return new Subresource(
          "status", groupVersion, kind, List.of("get", "patch", "update"), Connection.SHORT);
    }

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
