package dev.stint.apiserver.catalogue;

import dev.stint.apiserver.patch.DocumentShape;
import dev.stint.apiserver.selector.SelectableFields;
import dev.stint.apiserver.strategy.Strategy;
import dev.stint.apiserver.table.Columns;
import dev.stint.model.Kind;
import dev.stint.model.document.Documents;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.schema.Schema;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

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
 * @param custom the type of the documents of custom resources, and of their definitions; null for
 *     all other kinds, which have a {@link dev.stint.model.schema.Schema}
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
    SelectableFields fields,
    @Nullable CustomType custom) {
  /** The verbs of requests for an object or a collection. */
  static final List<String> ALL_VERBS =
      List.of("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch");

  /** The name of the subresource that says how many replicas an object wants. */
  public static final String SCALE = "scale";

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
        SelectableFields.METADATA,
        null);
  }

  /** Returns a resource that is stored as it is shown, with all verbs and plain columns. */
  static ApiResource of(Strategy strategy) {
    Kind kind = strategy.kind();
    GroupVersion groupVersion = new GroupVersion(kind.group(), kind.version());
    return answered(kind)
        .with(draft -> {
          draft.stored = kind;
          draft.verbs = ALL_VERBS;
          draft.strategy = strategy;
          if (strategy.hasStatus()) {
            draft.subresources = List.of(Subresource.ofStatus("status", groupVersion, kind.kind()));
          }
        });
  }

  /**
   * True for custom resources. Definitions of them are built in, though their type is read as one
   * of custom resources is.
   */
  public boolean isCustom() {
    return custom != null && !shown.equals(Kind.CUSTOM_RESOURCE_DEFINITION);
  }

  private ApiResource with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.finished();
  }

  /** Returns this resource in another group or version, with the same stored objects. */
  ApiResource shownAs(Kind kind) {
    GroupVersion before = groupVersion();
    GroupVersion after = new GroupVersion(kind.group(), kind.version());
    return with(draft -> {
      draft.shown = kind;
      draft.subresources =
          subresources.stream()
              .map(each -> each.groupVersion.equals(before) ? each.in(after) : each)
              .toList();
    });
  }

  /** Returns this resource for the server alone. */
  ApiResource unserved() {
    return with(draft -> draft.verbs = List.of());
  }

  ApiResource withShortNames(String... names) {
    return with(draft -> draft.shortNames = List.of(names));
  }

  ApiResource without(String verb) {
    return with(draft -> draft.verbs = verbs.stream().filter(one -> !one.equals(verb)).toList());
  }

  ApiResource inCategory(String category) {
    return inCategories(List.of(category));
  }

  ApiResource inCategories(List<String> names) {
    return with(draft -> draft.categories = List.copyOf(names));
  }

  /** Returns this resource with more subresources. */
  ApiResource withSubresources(Subresource... more) {
    return with(draft ->
        draft.subresources =
            Stream.concat(subresources.stream(), Stream.of(more))
                .sorted((one, other) -> one.name().compareTo(other.name()))
                .toList());
  }

  /** Returns this resource with a subresource that shows its objects as scales. */
  ApiResource withScale() {
    return withSubresources(
        new Subresource(
            SCALE,
            new GroupVersion("autoscaling", "v1"),
            "Scale",
            List.of("get", "patch", "update"),
            Connection.SHORT));
  }

  /** Returns this resource with a subresource that writes the conditions of its objects. */
  ApiResource withApproval() {
    return withSubresources(Subresource.ofStatus("approval", groupVersion(), kind()));
  }

  /** True if its objects can be read and written as scales. */
  public boolean hasScale() {
    return subresource(SCALE).isPresent();
  }

  ApiResource withColumns(Columns other) {
    return with(draft -> draft.columns = other);
  }

  ApiResource withFields(SelectableFields other) {
    return with(draft -> draft.fields = other);
  }

  ApiResource withCustomType(CustomType type) {
    return with(draft -> draft.custom = type);
  }

  /** A mutable copy of a resource. */
  private static final class Draft {
    private Kind shown;
    private @Nullable Kind stored;
    private List<String> verbs;
    private List<String> shortNames;
    private List<String> categories;
    private List<Subresource> subresources;
    private @Nullable Strategy strategy;
    private Columns columns;
    private SelectableFields fields;
    private @Nullable CustomType custom;

    Draft(ApiResource from) {
      this.shown = from.shown;
      this.stored = from.stored;
      this.verbs = from.verbs;
      this.shortNames = from.shortNames;
      this.categories = from.categories;
      this.subresources = from.subresources;
      this.strategy = from.strategy;
      this.columns = from.columns;
      this.fields = from.fields;
      this.custom = from.custom;
    }

    ApiResource finished() {
      return new ApiResource(
          shown,
          stored,
          verbs,
          shortNames,
          categories,
          subresources,
          strategy,
          columns,
          fields,
          custom);
    }
  }

  public GroupVersion groupVersion() {
    return new GroupVersion(shown.group(), shown.version());
  }

  /**
   * Returns a document of this kind without unknown members.
   *
   * @param faults collects unknown members, and values of the wrong type
   */
  public ObjectNode decode(ObjectNode document, FieldErrors faults) {
    return custom != null
        ? custom.decode(document, faults)
        : Documents.decode(
            document, Schema.ofKind(shown.apiVersion(), shown.kind()).orElseThrow(), faults);
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

  /** True if requests can name it; the stored version of a custom kind may not be served. */
  boolean isServed() {
    return !verbs.isEmpty();
  }

  /** Returns the warning for those who use it; none if there is none. */
  public List<String> deprecations() {
    return custom == null || custom.deprecation().isEmpty()
        ? List.of()
        : List.of(custom.deprecation());
  }

  /** Returns what the ownership of the fields of its objects depends on. */
  public DocumentShape shape() {
    return strategy == null ? DocumentShape.BUILT_IN : strategy.shape();
  }

  /** Returns the singular name. */
  public String singular() {
    return custom == null ? kind().toLowerCase(Locale.ROOT) : custom.singular();
  }

  /** Returns the kind of lists. */
  public String listKind() {
    String own = custom == null ? null : custom.listKind();
    return own == null ? kind() + "List" : own;
  }

  /** True if the items of lists state their kind, as those of custom resources do. */
  public boolean hasTypedItems() {
    return custom != null && custom.listKind() != null;
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
    /** Returns a subresource that writes the status of an object, or a part of it. */
    static Subresource ofStatus(String name, GroupVersion groupVersion, String kind) {
      return new Subresource(
          name, groupVersion, kind, List.of("get", "patch", "update"), Connection.SHORT);
    }

    private Subresource in(GroupVersion other) {
      return new Subresource(name, other, kind, verbs, connection);
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
