package dev.stint.apiserver.http.handler;

import dev.stint.apiserver.catalogue.ApiResource;
import dev.stint.apiserver.catalogue.CustomType;
import dev.stint.apiserver.http.Call;
import dev.stint.apiserver.http.Route;
import dev.stint.apiserver.http.view.ObjectView;
import dev.stint.apiserver.patch.DocumentShape;
import dev.stint.apiserver.write.Warnings;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.document.DocumentSyntaxException;
import dev.stint.model.document.Documents;
import dev.stint.model.field.FieldError;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.schema.ObjectSchema;
import dev.stint.model.schema.Schema;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Reads request bodies and checks them against the schema. */
public final class RequestBodies {
  private static final List<String> JSON_TYPES = List.of("", "application/json");
  private static final String YAML_TYPE = "application/yaml";
  private static final String APPLY_TYPE = "application/apply-patch+yaml";

  private RequestBodies() {}

  /**
   * Returns the object in a request as its path shows it.
   *
   * @param kind the stored kind that the path names; the object may omit its kind
   * @param validation handles unknown and repeated fields
   */
  static ObjectNode object(Call call, Kind kind, FieldValidation validation) throws IOException {
    Kind shown = ObjectView.of(call).kind(kind);
    return object(call, shown.apiVersion(), shown.kind(), validation);
  }

  public static ObjectNode object(
      Call call, String apiVersion, String kind, FieldValidation validation) throws IOException {
    boolean yaml = isYaml(call);
    CustomType custom = customType(call, apiVersion, kind);
    Documents.Decoded document =
        read(() ->
            custom == null
                ? Documents.readOne(call.body().read(), yaml, apiVersion, kind)
                : custom.decode(Documents.readAny(call.body().read(), yaml)));
    ObjectNode tree = document.tree();
    if (custom != null && isCustom(call) && !tree.hasNonNull("kind")) {
      throw bad("Object 'Kind' is missing; a custom resource states its apiVersion and kind");
    }
    String found = or(Json.text(tree, "apiVersion"), apiVersion);
    if (!found.equals(apiVersion)) {
      throw bad(
          "the API version in the data (%s) does not match the expected API version (%s)"
              .formatted(found, apiVersion));
    }
    String foundKind = or(Json.text(tree, "kind"), kind);
    if (!foundKind.equals(kind)) {
      throw bad(
          "the kind in the data (%s) does not match the expected kind (%s)"
              .formatted(foundKind, kind));
    }
    validation.take(kind, document.faults());
    tree.put("apiVersion", apiVersion);
    tree.put("kind", kind);
    return tree;
  }

  /**
   * Returns the configuration that a request applies, undecoded. Unknown fields and wrong types are
   * always refused; the validation handles repeated fields.
   */
  static ObjectNode configuration(Call call, Kind kind, FieldValidation validation)
      throws IOException {
    Kind shown = ObjectView.of(call).kind(kind);
    CustomType custom = customType(call, shown.apiVersion(), shown.kind());
    Documents.Decoded written =
        read(() ->
            custom == null
                ? Documents.readWritten(call.body().read(), shown.apiVersion(), shown.kind())
                : custom.decode(Documents.readAny(call.body().read(), true)));
    ObjectNode tree = written.tree();
    String version = or(Json.text(tree, "apiVersion"), "");
    if (!version.equals(shown.apiVersion())) {
      throw bad(
          "Incorrect version specified in apply patch. Specified patch version: %s, expected: %s"
              .formatted(version, shown.apiVersion()));
    }
    String found = or(Json.text(tree, "kind"), "");
    if (!found.equals(shown.kind())) {
      throw bad(
          "the kind in the data (%s) does not match the expected kind (%s)"
              .formatted(found, shown.kind()));
    }
    List<FieldError> faults = written.faults();
    List<FieldError> fatal =
        faults.stream().filter(fault -> fault.type() != FieldError.Type.REPEATED).toList();
    if (!fatal.isEmpty()) {
      throw untyped(tree, fatal);
    }
    validation.take(shown.kind(), faults);
    return tree;
  }

  /** Returns the refusal of a configuration with fields that its kind does not have. */
  private static ClusterException untyped(ObjectNode tree, List<FieldError> faults) {
    KubeObject object = KubeObject.of(tree);
    List<String> each =
        faults.stream()
            .map(fault ->
                fault.type() == FieldError.Type.UNKNOWN
                    ? "." + fault.path() + ": field not declared in schema"
                    : FieldValidation.words(fault))
            .toList();
    return bad(
        "failed to create typed patch object (%s/%s; %s, Kind=%s): %s"
            .formatted(
                object.namespace(),
                object.name(),
                object.apiVersion(),
                object.kindName(),
                String.join(", ", each)));
  }

  /**
   * Returns the object in a request, of a kind that has several equivalent versions.
   *
   * @param apiVersion the version whose type it has
   * @param versions that it may name; null for any
   */
  public static ObjectNode object(
      Call call,
      String apiVersion,
      String kind,
      @Nullable Set<String> versions,
      FieldValidation validation)
      throws IOException {
    boolean yaml = isYaml(call);
    ObjectSchema type = Schema.ofKind(apiVersion, kind).orElseThrow();
    Documents.Decoded document = read(() -> Documents.readOne(call.body().read(), yaml, type));
    ObjectNode tree = document.tree();
    String version = or(Json.text(tree, "apiVersion"), apiVersion);
    boolean known =
        versions == null
            ? version.indexOf('/') == version.lastIndexOf('/')
            : versions.contains(version);
    if (!known || !or(Json.text(tree, "kind"), kind).equals(kind)) {
      throw bad(
          "no kind \"%s\" is registered for version \"%s\""
              .formatted(or(Json.text(tree, "kind"), kind), version));
    }
    validation.take(kind, document.faults());
    return tree.put("apiVersion", apiVersion).put("kind", kind);
  }

  /** True if a body is YAML. Throws {@code UNSUPPORTED_MEDIA_TYPE} if it is not JSON either. */
  private static boolean isYaml(Call call) {
    String type = call.contentType().toLowerCase(Locale.ROOT);
    boolean yaml = type.equals(call.method().equals("PATCH") ? APPLY_TYPE : YAML_TYPE);
    boolean unnamed = type.isEmpty() && !call.header("Content-Type").isEmpty();
    if (!yaml && (unnamed || !JSON_TYPES.contains(type))) {
      throw unsupported(call, List.of("application/json", YAML_TYPE));
    }
    return yaml;
  }

  private interface Reading<T> {
    T read() throws IOException;
  }

  private static <T> T read(Reading<T> reading) throws IOException {
    try {
      return reading.read();
    } catch (DocumentSyntaxException broken) {
      throw bad(String.valueOf(broken.getMessage()));
    }
  }

  /** Reads JSON of any form, for a patch. */
  static Documents.Value json(Call call) throws IOException {
    return read(() -> Documents.readJson(call.body().read()));
  }

  /** Returns a value as a JSON object. */
  static ObjectNode object(Documents.Value value) {
    if (value.tree() instanceof ObjectNode object) {
      return object;
    }
    throw bad("the body must be a JSON object");
  }

  /**
   * Returns the decoded form of a patched tree. Faults of decoding make the patch invalid.
   *
   * @param known faults of the patch itself
   */
  static ObjectNode decoded(
      Call call, ObjectNode tree, Kind kind, FieldValidation validation, List<FieldError> known) {
    FieldErrors faults = new FieldErrors();
    faults.addAll(known);
    ObjectNode decoded = decoded(call, tree, kind, faults);
    List<FieldError> fatal = validation.fatal(faults.list());
    if (!fatal.isEmpty()) {
      throw invalidPatch(FieldValidation.decodingError(fatal));
    }
    validation.take(kind.kind(), faults.list());
    return decoded;
  }

  /** Returns a tree as a document of the kind that a path names. */
  static ObjectNode decoded(Call call, ObjectNode tree, Kind kind, FieldErrors faults) {
    CustomType custom = customType(call, kind.apiVersion(), kind.kind());
    return custom == null
        ? Documents.decode(
            tree, Schema.ofKind(kind.apiVersion(), kind.kind()).orElseThrow(), faults)
        : custom.decode(tree, faults);
  }

  /** Returns what the ownership of the fields of the object depends on that a path names. */
  static DocumentShape shape(Call call) {
    return call.route() instanceof Route.Resource resource
        ? resource.served().map(ApiResource::shape).orElse(DocumentShape.BUILT_IN)
        : DocumentShape.BUILT_IN;
  }

  /** Returns the type of documents of a path if they are custom resources; null for others. */
  private static @Nullable CustomType customType(Call call, String apiVersion, String kind) {
    CustomType custom = customType(call);
    return custom != null
            && custom.shown().apiVersion().equals(apiVersion)
            && custom.shown().kind().equals(kind)
        ? custom
        : null;
  }

  /** True if a path names custom resources. */
  static boolean isCustom(Call call) {
    return call.route() instanceof Route.Resource resource
        && resource.served().filter(ApiResource::isCustom).isPresent();
  }

  /** Returns {@link ApiResource#custom} of what a path names. */
  static @Nullable CustomType customType(Call call) {
    return call.route() instanceof Route.Resource resource ? resource.custom() : null;
  }

  /** Returns the refusal of a patch because of its result. */
  static ClusterException invalidPatch(String why) {
    FieldError fault = new FieldError("patch", FieldError.Type.INVALID, why);
    return new ClusterException(Reason.INVALID, " \"\" is invalid: " + fault, List.of(fault));
  }

  static ClusterException unsupported(Call call, List<String> known) {
    return new ClusterException(
        Reason.UNSUPPORTED_MEDIA_TYPE,
        "the body of the request was in an unknown format - accepted media types include: "
            + String.join(", ", known)
            + (call.contentType().isEmpty() ? "" : "; found " + call.contentType()));
  }

  public static ClusterException bad(String message) {
    return new ClusterException(Reason.BAD_REQUEST, message);
  }

  private static String or(@Nullable String text, String other) {
    return text == null ? other : text;
  }

  /** The handling of unknown and repeated fields that a client asked for. */
  static final class FieldValidation {
    /** The number of unknown and repeated fields that are reported, as in Kubernetes. */
    private static final int MOST_LENIENT = 100;

    private final Mode mode;
    private final Warnings warnings;

    /** The values of the parameter {@code fieldValidation}. */
    enum Mode {
      IGNORE,
      WARN,
      STRICT
    }

    FieldValidation(Mode mode, Warnings warnings) {
      this.mode = mode;
      this.warnings = warnings;
    }

    /** Refuses, warns about or ignores faults. Faults that prevent decoding are always refused. */
    void take(String kind, List<FieldError> faults) {
      List<FieldError> fatal = fatal(faults);
      if (!fatal.isEmpty()) {
        throw bad("%s in request cannot be handled: %s".formatted(kind, decodingError(fatal)));
      }
      if (mode == Mode.WARN) {
        warnings.add(words(faults));
      }
    }

    /** Returns the faults that are refused. */
    private List<FieldError> fatal(List<FieldError> faults) {
      return faults.stream().filter(fault -> mode == Mode.STRICT || !isLenient(fault)).toList();
    }

    /** Returns the messages of faults; of unknown and repeated fields only the first ones. */
    private static List<String> words(List<FieldError> faults) {
      Set<String> lenient = new HashSet<>();
      return faults.stream()
          .filter(fault -> !isLenient(fault) || isAmongFirst(lenient, words(fault)))
          .map(FieldValidation::words)
          .toList();
    }

    private static boolean isAmongFirst(Set<String> earlier, String words) {
      return earlier.contains(words) || earlier.size() < MOST_LENIENT && earlier.add(words);
    }

    private static boolean isLenient(FieldError fault) {
      return fault.type() == FieldError.Type.UNKNOWN || fault.type() == FieldError.Type.REPEATED;
    }

    /** Returns the message of a refusal; clients look for its beginning. */
    private static String decodingError(List<FieldError> fatal) {
      String which = fatal.stream().allMatch(FieldValidation::isLenient) ? "strict " : "";
      return which + "decoding error: " + String.join(", ", words(fatal));
    }

    /** Returns the message of a fault in Kubernetes' words. */
    private static String words(FieldError fault) {
      return switch (fault.type()) {
        case UNKNOWN -> "unknown field \"" + fault.path() + "\"";
        case REPEATED ->
            fault.path().isEmpty() ? fault.detail() : "duplicate field \"" + fault.path() + "\"";
        default -> fault.toString();
      };
    }
  }
}
