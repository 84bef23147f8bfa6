package dev.stint.model;

import java.io.ByteArrayOutputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One Kubernetes object: an immutable JSON document with accessors for the fields that every kind
 * has. It is built from a tree or from bytes; the other form is made on first use. Of an object in
 * another encoding, only those parts are decoded that are used.
 *
 * <p>Objects are shared: the cache of the API server, watchers, informers and controllers hold the
 * same instance, and the trees of two revisions share the parts that did not change. So a tree
 * belongs to the code that builds it until it becomes an object by {@link #of(ObjectNode)}. From
 * then on nobody may change it: not the code that built it, and not those who get it, or a part of
 * it, from an object. To make a changed object, change a deep {@link #copy()}, or a copy of each
 * node on the way to the change ({@link Json#copyOf}), which shares all the rest.
 *
 * <p>Where assertions are enabled, as in all tests, the change of a shared tree throws {@link
 * UnsupportedOperationException}.
 */
public final class KubeObject {
  private final @Nullable String resourceVersion;

  /** The bytes as passed in; without the resource version if that is kept separately. */
  private final byte @Nullable [] given;

  private final @Nullable ObjectSource source;

  private volatile byte @Nullable [] bytes;
  private volatile @Nullable ObjectNode tree;

  /** The metadata, which is read very often; of a long list, most readers need nothing else. */
  private volatile @Nullable ObjectNode metadata;

  /** The spec, decoded without the tree. */
  private volatile @Nullable ObjectNode spec;

  /** The status, decoded without the tree. */
  private volatile @Nullable ObjectNode status;

  /** The document in another encoding, for all who want it. */
  private volatile byte @Nullable [] encoded;

  /** A cache of the uid, which is read very often. */
  private volatile @Nullable String uid;

  private KubeObject(
      byte @Nullable [] bytes, @Nullable ObjectNode tree, @Nullable String resourceVersion) {
    TreeGuard.freeze(tree);
    this.source = null;
    this.given = bytes;
    this.bytes = resourceVersion == null ? bytes : null;
    this.tree = tree;
    this.resourceVersion = resourceVersion;
  }

  private KubeObject(ObjectSource source) {
    this.source = source;
    this.given = null;
    this.resourceVersion = null;
  }

  /** Returns an object in another encoding, which is decoded on use. */
  public static KubeObject of(ObjectSource source) {
    return new KubeObject(source);
  }

  /** Returns an object with this tree, which nobody may change from now on. */
  public static KubeObject of(ObjectNode tree) {
    return new KubeObject(null, tree, null);
  }

  /** Returns an object from JSON text that is known to be well-formed. */
  static KubeObject of(byte[] json) {
    return new KubeObject(json, null, null);
  }

  /**
   * Returns an object in the store's form: JSON without a resource version, and that version beside
   * it.
   */
  public static KubeObject of(byte[] json, String resourceVersion) {
    return new KubeObject(json, null, resourceVersion);
  }

  /** Returns the document, which nobody may change. */
  public ObjectNode tree() {
    ObjectNode known = tree;
    if (known == null) {
      known =
          source != null
              ? source.tree()
              : Json.parse(Objects.requireNonNull(given == null ? bytes : given));
      if (resourceVersion != null) {
        known.withObjectProperty("metadata").put("resourceVersion", resourceVersion);
      }
      TreeGuard.freeze(known);
      tree = known;
      metadata = null;
    }
    return known;
  }

  /** Returns the text in the store's form, for reading single members; null if there is a tree. */
  private byte @Nullable [] text() {
    return tree == null && resourceVersion != null ? given : null;
  }

  /** Returns the source, for decoding single parts; null if there is none, or a tree. */
  private @Nullable ObjectSource parts() {
    return tree == null ? source : null;
  }

  /**
   * Drops the parsed tree, which takes several times the memory of its text; it is parsed again on
   * use. For objects that are kept but rarely read.
   */
  public void trim() {
    if (given == null && source == null) {
      var _ = bytes();
    }
    tree = null;
    metadata = null;
    spec = null;
    status = null;
    encoded = null;
  }

  /** Returns the document as JSON text, including the resource version. */
  public byte[] bytes() {
    byte[] known = bytes;
    if (known == null) {
      known =
          given != null && resourceVersion != null
              ? JsonSplice.resourceVersion(given, resourceVersion)
              : null;
      if (known == null) {
        known = Json.bytes(tree());
      }
      bytes = known;
    }
    return known;
  }

  /**
   * Returns the document in another encoding, which is made once.
   *
   * @param encoding always the same
   */
  public byte[] encoded(Function<ObjectNode, byte[]> encoding) {
    byte[] known = encoded;
    if (known == null) {
      known = encoding.apply(tree());
      encoded = known;
    }
    return known;
  }

  /** Returns the approximate length of the document as text. */
  public int length() {
    return source != null ? source.length() : given != null ? given.length : bytes().length;
  }

  /** Returns the same if it is known without making the text; else 0. */
  public int knownLength() {
    byte[] made = bytes;
    return source != null
        ? source.length()
        : given != null ? given.length : made == null ? 0 : made.length;
  }

  /** Writes the document as an item of a list, without its kind, which the list states. */
  public void writeItem(ByteArrayOutputStream out) {
    JsonSplice.untyped(bytes(), out);
  }

  /** Returns a deep copy that the caller may change. */
  public ObjectNode copy() {
    return tree().deepCopy();
  }

  public String apiVersion() {
    return source != null ? source.apiVersion() : orEmpty(topText("apiVersion"));
  }

  public String kindName() {
    return source != null ? source.kind() : orEmpty(topText("kind"));
  }

  /** Returns the kind, which must be one that this program knows. */
  public Kind kind() {
    return Kind.of(apiVersion(), kindName())
        .orElseThrow(
            () -> new IllegalArgumentException("unknown kind " + apiVersion() + " " + kindName()));
  }

  public ObjectRef ref() {
    return new ObjectRef(kind(), namespace(), name());
  }

  public String name() {
    return orEmpty(metadataText("name"));
  }

  public String namespace() {
    return orEmpty(metadataText("namespace"));
  }

  public String uid() {
    String known = uid;
    if (known == null) {
      known = orEmpty(metadataText("uid"));
      uid = known;
    }
    return known;
  }

  public String resourceVersion() {
    return resourceVersion != null
        ? resourceVersion
        : orEmpty(Json.text(metadata(), "resourceVersion"));
  }

  public long generation() {
    Long generation = Json.longInteger(metadata(), "generation");
    return generation == null ? 0 : generation;
  }

  public @Nullable Instant creationTimestamp() {
    return Timestamps.parse(metadataText("creationTimestamp"));
  }

  public @Nullable Instant deletionTimestamp() {
    return Timestamps.parse(metadataText("deletionTimestamp"));
  }

  public Map<String, String> labels() {
    return texts("labels");
  }

  public Map<String, String> annotations() {
    return texts("annotations");
  }

  /** Returns the value of a label; null if there is none. */
  public @Nullable String label(String name) {
    return textIn("labels", name);
  }

  /** Returns the value of an annotation; null if there is none. */
  public @Nullable String annotation(String name) {
    return textIn("annotations", name);
  }

  public List<String> finalizers() {
    JsonText at = metadataMember("finalizers");
    if (at != null) {
      return at.texts();
    }
    List<String> finalizers = new ArrayList<>();
    JsonNode found = Json.arrayAt(metadata(), "finalizers");
    if (found != null) {
      found.forEach(finalizer -> finalizers.add(finalizer.stringValue()));
    }
    return finalizers;
  }

  /** Returns the uid of the owner that is marked as the controller, or null. */
  public @Nullable String controllerUid() {
    JsonText at = metadataMember("ownerReferences");
    if (at != null) {
      return at.textOfFirst("controller", "uid");
    }
    JsonNode owners = Json.arrayAt(metadata(), "ownerReferences");
    if (owners != null) {
      for (JsonNode owner : owners) {
        if (Boolean.TRUE.equals(Json.bool(owner, "controller"))) {
          return Json.text(owner, "uid");
        }
      }
    }
    return null;
  }

  /** Returns the metadata, which nobody may change; null if there is none. */
  public @Nullable ObjectNode metadata() {
    ObjectNode known = metadata;
    if (known == null) {
      byte[] json = text();
      ObjectSource encodedParts = parts();
      known =
          json == null && encodedParts == null
              ? Json.objectAt(tree(), "metadata")
              : decodedMetadata(json, encodedParts);
      metadata = known;
    }
    return known;
  }

  private ObjectNode decodedMetadata(byte @Nullable [] json, @Nullable ObjectSource encodedParts) {
    ObjectNode found =
        encodedParts != null
            ? encodedParts.member("metadata")
            : JsonText.in(Objects.requireNonNull(json), "metadata").object();
    ObjectNode decoded = found == null ? Json.object() : found;
    if (resourceVersion != null) {
      decoded.put("resourceVersion", resourceVersion);
    }
    TreeGuard.freeze(decoded);
    return decoded;
  }

  /** Returns the spec, which nobody may change; null if there is none. */
  public @Nullable ObjectNode spec() {
    ObjectSource encodedParts = parts();
    if (encodedParts == null) {
      return Json.objectAt(tree(), "spec");
    }
    ObjectNode known = spec;
    if (known == null) {
      known = encodedParts.member("spec");
      TreeGuard.freeze(known);
      spec = known;
    }
    return known;
  }

  /** Returns a text of the spec; null if there is none. */
  public @Nullable String specText(String member) {
    return memberText("spec", member);
  }

  /** Returns the status, which nobody may change; null if there is none. */
  public @Nullable ObjectNode status() {
    ObjectSource encodedParts = parts();
    if (encodedParts == null) {
      return Json.objectAt(tree(), "status");
    }
    ObjectNode known = status;
    if (known == null) {
      known = encodedParts.member("status");
      TreeGuard.freeze(known);
      status = known;
    }
    return known;
  }

  /** Returns a text of the status, such as the phase; null if there is none. */
  public @Nullable String statusText(String member) {
    return memberText("status", member);
  }

  private @Nullable String memberText(String outer, String member) {
    ObjectSource encodedParts = parts();
    if (encodedParts != null) {
      return encodedParts.text(outer, member);
    }
    byte[] json = text();
    return json == null
        ? Json.text(Json.objectAt(tree(), outer), member)
        : JsonText.in(json, outer, member).text();
  }

  private @Nullable String metadataText(String member) {
    JsonText at = metadataMember(member);
    return at == null ? Json.text(metadata(), member) : at.text();
  }

  /**
   * Returns the position of a metadata member in the text; null if the metadata is parsed already.
   */
  private @Nullable JsonText metadataMember(String member) {
    byte[] json = metadata == null ? text() : null;
    return json == null ? null : JsonText.in(json, "metadata", member);
  }

  private @Nullable String topText(String member) {
    byte[] json = text();
    return json == null ? Json.text(tree(), member) : JsonText.in(json, member).text();
  }

  @Override
  public String toString() {
    return kindName() + " " + namespace() + "/" + name() + "@" + resourceVersion();
  }

  private @Nullable String textIn(String map, String name) {
    JsonText at = metadataMember(map);
    if (at != null) {
      return at.enter(name) ? at.text() : null;
    }
    return Json.text(Json.objectAt(metadata(), map), name);
  }

  private Map<String, String> texts(String member) {
    Map<String, String> texts = new LinkedHashMap<>();
    Json.forEachText(metadata(), member, texts::put);
    return texts;
  }

  private static String orEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }
}
