package dev.stint.model.schema;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The fields of every kind that this program knows, as of Kubernetes 1.36.
 *
 * <p>They are read once from the {@code *.schema} files beside this class, whose first lines
 * describe their format; each type is parsed on first use.
 */
public final class Schema {
  private static final List<String> FILES =
      List.of("meta.schema", "pod.schema", "batch.schema", "core.schema", "cluster.schema");

  private static final Schema KUBERNETES = load();

  private final Map<String, String> texts;
  private final Map<String, String> kinds;
  private final Map<String, ObjectSchema> parsed = new ConcurrentHashMap<>();

  private Schema(Map<String, String> texts, Map<String, String> kinds) {
    this.texts = texts;
    this.kinds = kinds;
  }

  /** Returns the type of that name, which must exist. */
  public static ObjectSchema type(String name) {
    ObjectSchema known = KUBERNETES.parsed.get(name);
    return known != null ? known : KUBERNETES.parse(name);
  }

  /** Returns the type of documents with these fields, such as ("batch/v1", "Job"). */
  public static Optional<ObjectSchema> ofKind(String apiVersion, String kind) {
    return Optional.ofNullable(KUBERNETES.kinds.get(apiVersion + " " + kind)).map(Schema::type);
  }

  /** Returns the names of all types. */
  public static Set<String> typeNames() {
    return new TreeSet<>(KUBERNETES.texts.keySet());
  }

  /**
   * Returns the kinds of whole documents, such as {@code "batch/v1 Job"}, with the names of their
   * types.
   */
  public static Map<String, String> kinds() {
    return Map.copyOf(KUBERNETES.kinds);
  }

  private ObjectSchema parse(String name) {
    String text = texts.get(name);
    if (text == null) {
      throw new IllegalArgumentException("unknown type " + name);
    }
    ObjectSchema type = SchemaText.objectType(text);
    parsed.put(name, type);
    return type;
  }

  private static Schema load() {
    Map<String, String> texts = new HashMap<>();
    Map<String, String> kinds = new HashMap<>();
    for (String file : FILES) {
      for (String block : SchemaText.blocks(resource(file))) {
        String name = SchemaText.name(block);
        texts.put(name, block);
        String kind = SchemaText.kind(block);
        if (kind != null) {
          kinds.put(kind, name);
        }
      }
    }
    return new Schema(texts, kinds);
  }

  private static String resource(String file) {
    try (InputStream in = Schema.class.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalStateException("missing from the program: " + file);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
