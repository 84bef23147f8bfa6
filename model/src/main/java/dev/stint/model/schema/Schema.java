package dev.stint.model.schema;

import dev.stint.model.schema.SchemaText.Block;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
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
      List.of(
          "meta.schema",
          "pod.schema",
          "batch.schema",
          "core.schema",
          "cluster.schema",
          "network.schema",
          "volume.schema",
          "workload.schema",
          "registration.schema");

  private static final Schema KUBERNETES = load();

  private final Map<String, Block> texts;
  private final Map<String, String> kinds;
  private final List<Address> addresses;
  private final Map<String, ObjectSchema> parsed = new ConcurrentHashMap<>();

  /**
   * The names by which the objects of a kind are addressed.
   *
   * @param kind of documents, such as {@code "apps/v1 Deployment"}
   * @param plural the name in URLs, such as {@code deployments}
   */
  public record Address(String kind, String plural, boolean namespaced) {}

  private Schema(Map<String, Block> texts, Map<String, String> kinds, List<Address> addresses) {
    this.texts = texts;
    this.kinds = kinds;
    this.addresses = addresses;
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

  /** Returns the addresses of the kinds that no code names. */
  public static List<Address> addresses() {
    return KUBERNETES.addresses;
  }

  /** Returns the name of a type in OpenAPI, such as {@code io.k8s.api.batch.v1.JobSpec}. */
  public static String publicName(String type) {
    Block block = KUBERNETES.texts.get(type);
    if (block == null) {
      throw new IllegalArgumentException("unknown type " + type);
    }
    return block.inPackage() + "." + SchemaText.publicName(block.text());
  }

  private ObjectSchema parse(String name) {
    Block block = texts.get(name);
    if (block == null) {
      throw new IllegalArgumentException("unknown type " + name);
    }
    ObjectSchema type = SchemaText.objectType(block.text());
    parsed.put(name, type);
    return type;
  }

  private static Schema load() {
    Map<String, Block> texts = new HashMap<>();
    Map<String, String> kinds = new HashMap<>();
    List<Address> addresses = new ArrayList<>();
    for (String file : FILES) {
      for (Block block : SchemaText.blocks(resource(file))) {
        String name = SchemaText.name(block.text());
        texts.put(name, block);
        String kind = SchemaText.kind(block.text());
        if (kind != null) {
          kinds.put(kind, name);
        }
        Address address = SchemaText.address(block.text());
        if (address != null) {
          addresses.add(address);
        }
      }
    }
    return new Schema(texts, kinds, List.copyOf(addresses));
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
