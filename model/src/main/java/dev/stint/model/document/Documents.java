package dev.stint.model.document;

import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.document.RawNode.Member;
import dev.stint.model.document.RawNode.RawArray;
import dev.stint.model.document.RawNode.RawObject;
import dev.stint.model.document.RawNode.RawValue;
import dev.stint.model.field.FieldError;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.schema.ObjectSchema;
import dev.stint.model.schema.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads documents strictly: an unknown field is a fault, and all faults are reported, but no more
 * than {@link DocumentLimits#FAULTS} of one type.
 *
 * <pre>{@code
 * for (Document document : Documents.read("job.yaml", bytes)) {
 *   document.faults().forEach(fault -> System.err.println(document.describe(fault)));
 * }
 * }</pre>
 */
public final class Documents {
  private static final String BODY = "body";

  private Documents() {}

  /**
   * Reads YAML or JSON, whichever it is: one document or several, lists ({@code kind: List})
   * flattened, empty documents skipped.
   *
   * @param sourceName the name of the file in messages
   * @throws DocumentSyntaxException if the text is neither
   */
  public static List<Document> read(String sourceName, byte[] text) {
    List<Document> documents = new ArrayList<>();
    for (RawNode raw : readRaw(sourceName, text)) {
      if (!isNull(raw)) {
        add(sourceName, raw, documents);
      }
    }
    return documents;
  }

  /**
   * The one object of a request.
   *
   * @param tree made for the caller alone, who may change it
   * @param faults of decoding; the tree may only be used if there are none
   */
  public record Decoded(ObjectNode tree, List<FieldError> faults) {}

  /**
   * Reads the one object of a request. Null and empty YAML are read as an empty object; of several
   * YAML documents the first counts.
   *
   * @param yaml whether it may be YAML; JSON is YAML too
   * @param apiVersion the default for a missing {@code apiVersion}
   * @param kind the default for a missing {@code kind}
   * @throws DocumentSyntaxException if the text is neither, or holds no object
   */
  public static Decoded readOne(byte[] text, boolean yaml, String apiVersion, String kind) {
    FieldErrors faults = new FieldErrors();
    ObjectNode tree = decode(body(text, yaml, faults), apiVersion, kind, faults);
    return new Decoded(tree, faults.list());
  }

  private static ObjectNode decode(
      RawObject object, String apiVersion, String kind, FieldErrors faults) {
    String statedVersion = Objects.requireNonNullElse(text(object, "apiVersion"), apiVersion);
    String stated = Objects.requireNonNullElse(text(object, "kind"), kind);
    return decodeAs(object, statedVersion, stated, Schema.ofKind(statedVersion, stated), faults);
  }

  private static RawObject body(byte[] text, boolean yaml, FieldErrors repeated) {
    RawNode found = yaml ? yamlBody(text, repeated) : jsonBody(text);
    if (found instanceof RawObject object) {
      return object;
    }
    if (isNull(found)) {
      return new RawObject(1, List.of());
    }
    throw noObject();
  }

  private static RawNode jsonBody(byte[] text) {
    List<RawNode> found = JsonReader.readBody(BODY, text);
    if (found.size() != 1) {
      throw noObject();
    }
    return found.getFirst();
  }

  private static RawNode yamlBody(byte[] text, FieldErrors repeated) {
    if (looksLikeJson(text)) {
      try {
        return jsonBody(text);
      } catch (DocumentSyntaxException notJson) {
        return firstOf(YamlFlowStyle.withoutTabs(text), repeated);
      }
    }
    return firstOf(text, repeated);
  }

  private static RawNode firstOf(byte[] text, FieldErrors repeated) {
    RawNode found = YamlReader.readFirst(BODY, text, repeated);
    return found == null ? new RawObject(1, List.of()) : found;
  }

  private static DocumentSyntaxException noObject() {
    return new DocumentSyntaxException(BODY, 1, 0, "one object is expected");
  }

  /**
   * Reads the one object of a request, YAML or JSON, and returns exactly the fields as written:
   * without defaults, not converted. The faults are those of {@link #readOne}.
   */
  public static Decoded readWritten(byte[] text, String apiVersion, String kind) {
    FieldErrors faults = new FieldErrors();
    RawObject object = body(text, true, faults);
    ObjectNode tree = (ObjectNode) new DocumentDecoder(new FieldErrors()).anything(object);
    var _ = decode(object, apiVersion, kind, faults);
    return new Decoded(tree, faults.list());
  }

  /**
   * Reads the one object of a request as it is written. The faults are its repeated members.
   *
   * @param yaml whether it may be YAML
   * @throws DocumentSyntaxException if the text is neither, or holds no object
   */
  public static Decoded readAny(byte[] text, boolean yaml) {
    FieldErrors faults = new FieldErrors();
    RawObject object = body(text, yaml, faults);
    ObjectNode tree = (ObjectNode) new DocumentDecoder(faults).anything(object);
    return new Decoded(tree, faults.list());
  }

  /**
   * Reads the one object of a request as an object of a type, whatever kind it states.
   *
   * @param yaml whether it may be YAML
   * @throws DocumentSyntaxException if the text is neither, or holds no object
   */
  public static Decoded readOne(byte[] text, boolean yaml, ObjectSchema type) {
    FieldErrors faults = new FieldErrors();
    ObjectNode tree = new DocumentDecoder(faults).object(body(text, yaml, faults), type);
    return new Decoded(tree, faults.list());
  }

  /**
   * A document that is no object of an API, such as a configuration file.
   *
   * @param faults its repeated members
   * @param lines the lines of its fields
   */
  public record Plain(ObjectNode tree, List<FieldError> faults, FieldLineNumbers lines) {}

  /**
   * Reads one document without {@code apiVersion} and {@code kind}, YAML or JSON. Empty text is an
   * empty object.
   *
   * @param sourceName the name of the file in messages
   * @throws DocumentSyntaxException if the text is neither, or holds no object, or several
   */
  public static Plain readPlain(String sourceName, byte[] text) {
    List<RawNode> found = readRaw(sourceName, text).stream().filter(raw -> !isNull(raw)).toList();
    if (found.isEmpty()) {
      return new Plain(Json.object(), List.of(), new FieldLineNumbers(new RawObject(1, List.of())));
    }
    if (found.size() > 1) {
      throw new DocumentSyntaxException(
          sourceName, found.get(1).line(), 0, "one document is expected; remove the others");
    }
    if (!(found.getFirst() instanceof RawObject object)) {
      throw new DocumentSyntaxException(
          sourceName,
          found.getFirst().line(),
          0,
          "an object is expected, found " + ScalarDecoder.describe(found.getFirst()));
    }
    FieldErrors faults = new FieldErrors();
    ObjectNode tree = (ObjectNode) new DocumentDecoder(faults).anything(object);
    return new Plain(tree, faults.list(), new FieldLineNumbers(object));
  }

  /**
   * A JSON value of any form.
   *
   * @param faults its repeated members
   */
  public record Value(JsonNode tree, List<FieldError> faults) {}

  /**
   * Reads JSON of any form, such as a patch.
   *
   * @throws DocumentSyntaxException if the text is not JSON
   */
  public static Value readJson(byte[] text) {
    List<RawNode> found = JsonReader.readBody(BODY, text);
    if (found.size() != 1) {
      throw new DocumentSyntaxException(BODY, 1, 0, "one value is expected");
    }
    FieldErrors faults = new FieldErrors();
    JsonNode tree = new DocumentDecoder(faults).anything(found.getFirst());
    return new Value(tree, faults.list());
  }

  /**
   * Decodes one tree as an object of a type, whatever kind it states.
   *
   * @param faults collects the faults
   */
  public static ObjectNode decode(ObjectNode tree, ObjectSchema type, FieldErrors faults) {
    return new DocumentDecoder(faults).object((RawObject) RawNode.of(tree), type);
  }

  /**
   * Decodes a part of a document.
   *
   * @param field the member of the document that it is the value of
   */
  public static ObjectNode decode(
      String field, ObjectNode tree, ObjectSchema type, FieldErrors faults) {
    return new DocumentDecoder(faults).object(field, (RawObject) RawNode.of(tree), type);
  }

  private static List<RawNode> readRaw(String sourceName, byte[] text) {
    if (!looksLikeJson(text)) {
      return YamlReader.read(sourceName, text);
    }
    try {
      return JsonReader.read(sourceName, text);
    } catch (DocumentSyntaxException notJson) {
      return flowStyleYaml(sourceName, text, notJson);
    }
  }

  /**
   * Reads text that starts with a brace as YAML. If it is no YAML either, the JSON fault is
   * reported.
   */
  private static List<RawNode> flowStyleYaml(
      String sourceName, byte[] text, DocumentSyntaxException notJson) {
    try {
      return YamlReader.read(sourceName, YamlFlowStyle.withoutTabs(text));
    } catch (DocumentSyntaxException notYaml) {
      throw notJson;
    }
  }

  private static boolean looksLikeJson(byte[] text) {
    for (byte b : text) {
      if (b != ' ' && b != '\n' && b != '\r' && b != '\t') {
        return b == '{' || b == '[';
      }
    }
    return false;
  }

  private static void add(String sourceName, RawNode raw, List<Document> documents) {
    if (!(raw instanceof RawObject object)) {
      documents.add(notAnObject(sourceName, raw));
      return;
    }
    String kind = text(object, "kind");
    if (kind != null && kind.endsWith("List") && member(object, "items") instanceof RawArray list) {
      list.items().forEach(item -> add(sourceName, item, documents));
    } else {
      documents.add(document(sourceName, object, kind));
    }
  }

  private static Document document(String sourceName, RawObject object, @Nullable String kind) {
    FieldErrors faults = new FieldErrors();
    String apiVersion = text(object, "apiVersion");
    ObjectNode tree =
        decodeAs(object, apiVersion, kind, schemaOfDocument(apiVersion, kind), faults);
    return new Document(
        sourceName,
        object.line(),
        KubeObject.of(tree),
        faults.list(),
        new FieldLineNumbers(object));
  }

  /** Returns the schema of a kind that commands work with. */
  private static Optional<ObjectSchema> schemaOfDocument(
      @Nullable String apiVersion, @Nullable String kind) {
    return apiVersion == null
            || kind == null
            || Kind.of(apiVersion, kind).filter(Kind.kept()::contains).isPresent()
        ? Optional.empty()
        : Schema.ofKind(apiVersion, kind);
  }

  private static ObjectNode decodeAs(
      RawObject object,
      @Nullable String apiVersion,
      @Nullable String kind,
      Optional<ObjectSchema> schema,
      FieldErrors faults) {
    if (apiVersion == null) {
      faults.required("apiVersion", "is missing or not text; use for example batch/v1");
    }
    if (kind == null) {
      faults.required("kind", "is missing or not text; use for example Job");
    }
    if (schema.isEmpty() && apiVersion != null && kind != null) {
      faults.notFound("kind", unknownKind(apiVersion, kind));
    }
    return schema.isPresent()
        ? new DocumentDecoder(faults).object(object, schema.get())
        : (ObjectNode) new DocumentDecoder(faults).anything(object);
  }

  private static String unknownKind(@Nullable String apiVersion, @Nullable String kind) {
    Optional<Kind> meant = Kind.all().stream().filter(known -> known.kind().equals(kind)).findAny();
    if (meant.isPresent()) {
      return "%s is %s, found apiVersion %s".formatted(kind, meant.get().apiVersion(), apiVersion);
    }
    String all =
        Kind.all().stream()
            .map(known -> known.apiVersion() + " " + known.kind())
            .sorted()
            .collect(Collectors.joining(", "));
    return apiVersion + " " + kind + " is not a supported kind; supported are " + all;
  }

  private static Document notAnObject(String sourceName, RawNode raw) {
    FieldError fault =
        new FieldError(
            "",
            FieldError.Type.UNDECODABLE,
            "a document must be an object with apiVersion and kind, found "
                + ScalarDecoder.describe(raw));
    return new Document(
        sourceName,
        raw.line(),
        KubeObject.of(Json.object()),
        List.of(fault),
        new FieldLineNumbers(raw));
  }

  private static boolean isNull(RawNode raw) {
    return raw instanceof RawValue value && value.value().isNull();
  }

  private static @Nullable RawNode member(RawObject object, String name) {
    for (Member member : object.members()) {
      if (member.name().equals(name)) {
        return member.value();
      }
    }
    return null;
  }

  private static @Nullable String text(RawObject object, String name) {
    return member(object, name) instanceof RawValue value
            && value.value().isString()
            && !value.text().isEmpty()
        ? value.text()
        : null;
  }
}
