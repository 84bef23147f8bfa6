package dev.stint.apiserver.encryption;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stint.model.Sha256;
import dev.stint.model.document.DocumentSyntaxException;
import dev.stint.model.document.Documents;
import dev.stint.model.field.FieldPath;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import javax.crypto.spec.SecretKeySpec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The encryption of objects on disk: Kubernetes' {@code EncryptionConfiguration}. For each
 * resource, the first provider encrypts what is written, and all providers can decrypt what is
 * read.
 */
public final class EncryptionConfiguration {
  /** Encrypts nothing. */
  public static final EncryptionConfiguration NONE = new EncryptionConfiguration(List.of());

  private static final String API_VERSION = "apiserver.config.k8s.io/v1";
  private static final String KIND = "EncryptionConfiguration";
  private static final Set<String> SCHEMES = Set.of("identity", "aescbc", "aesgcm", "secretbox");

  /**
   * The providers of some resources.
   *
   * @param patterns see {@link StoredResource#matches}
   */
  private record Rule(List<String> patterns, List<EncryptionProvider> providers) {}

  private final List<Rule> rules;

  private EncryptionConfiguration(List<Rule> rules) {
    this.rules = rules;
  }

  /** True if nothing is encrypted. */
  boolean isEmpty() {
    return rules.isEmpty();
  }

  /**
   * Returns a text that is the same for configurations of the same resources, schemes and names of
   * keys; empty if nothing is encrypted. It tells nothing of the keys themselves.
   */
  public String digest() {
    if (isEmpty()) {
      return "";
    }
    MessageDigest digest = Sha256.begin();
    for (Rule rule : rules) {
      digest.update((String.join(",", rule.patterns) + ";").getBytes(UTF_8));
      for (EncryptionProvider provider : rule.providers) {
        digest.update(provider.prefix());
        digest.update((byte) ';');
      }
      digest.update((byte) '\n');
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  /** Returns the providers of the object with a key: the first writes. */
  List<EncryptionProvider> providers(String key) {
    StoredResource resource = StoredResource.ofKey(key);
    return rules.stream()
        .filter(rule -> rule.patterns.stream().anyMatch(resource::matches))
        .findFirst()
        .map(Rule::providers)
        .orElse(List.of(EncryptionProvider.IDENTITY));
  }

  /**
   * Reads a configuration, YAML or JSON.
   *
   * @throws IllegalArgumentException if it is invalid; the message names the field, and holds
   *     nothing of a secret
   */
  public static EncryptionConfiguration parse(byte[] text) {
    ObjectNode tree;
    try {
      tree = Documents.readWritten(text, API_VERSION, KIND).tree();
    } catch (DocumentSyntaxException malformed) {
      throw new IllegalArgumentException(malformed.getMessage(), malformed);
    }
    FieldPath root = FieldPath.root(tree);
    only(root, Set.of("apiVersion", "kind", "resources"));
    if (!root.get("apiVersion").text().equals(API_VERSION)) {
      throw fault(root.get("apiVersion"), "must be " + API_VERSION);
    }
    if (!root.get("kind").text().equals(KIND)) {
      throw fault(root.get("kind"), "must be " + KIND);
    }
    Set<String> seen = new HashSet<>();
    return new EncryptionConfiguration(
        items(root.get("resources")).stream().map(item -> rule(item, seen)).toList());
  }

  private static Rule rule(FieldPath item, Set<String> seen) {
    only(item, Set.of("resources", "providers"));
    List<String> patterns = new ArrayList<>();
    for (FieldPath pattern : items(item.get("resources"))) {
      patterns.add(pattern(pattern, seen));
    }
    List<EncryptionProvider> providers =
        items(item.get("providers")).stream().flatMap(EncryptionConfiguration::providers).toList();
    return new Rule(List.copyOf(patterns), providers);
  }

  private static String pattern(FieldPath field, Set<String> seen) {
    String pattern = field.text();
    if (pattern.equals("*")) {
      throw fault(field, "use *. for the core group, or *.* for all resources");
    }
    if (!pattern.matches("(\\*\\.|\\*\\.\\*|(\\*\\.)?[a-z0-9][a-z0-9.-]*)")) {
      throw fault(field, "must be a resource, such as secrets, jobs.batch, *.batch or *.*");
    }
    if (seen.contains("*.*") || !seen.add(pattern)) {
      throw fault(field, "an earlier entry holds for the same resources");
    }
    return pattern;
  }

  private static Stream<EncryptionProvider> providers(FieldPath field) {
    Map<String, FieldPath> named = new HashMap<>();
    names(field).forEach(name -> named.put(name, field.get(name)));
    if (named.size() != 1) {
      throw fault(field, "must name one of identity, aescbc, aesgcm and secretbox");
    }
    String scheme = named.keySet().iterator().next();
    if (!SCHEMES.contains(scheme)) {
      throw fault(field.get(scheme), "is not supported; use identity, aescbc, aesgcm or secretbox");
    }
    if (scheme.equals("identity")) {
      return Stream.of(EncryptionProvider.IDENTITY);
    }
    only(field.get(scheme), Set.of("keys"));
    Set<String> names = new HashSet<>();
    return items(field.get(scheme).get("keys")).stream().map(key -> key(scheme, key, names));
  }

  private static EncryptionProvider key(String scheme, FieldPath field, Set<String> names) {
    only(field, Set.of("name", "secret"));
    String name = field.get("name").text();
    if (name.isEmpty() || name.contains(":")) {
      throw fault(field.get("name"), "must not be empty, and must have no colon");
    }
    if (!names.add(name)) {
      throw fault(field.get("name"), "an earlier key has this name");
    }
    return EncryptionProvider.of(scheme, name, cipher(scheme, field.get("secret")));
  }

  private static ValueCipher cipher(String scheme, FieldPath field) {
    byte[] secret;
    try {
      secret = Base64.getDecoder().decode(field.text().strip());
    } catch (IllegalArgumentException malformed) {
      throw fault(field, "must be base64");
    }
    boolean box = scheme.equals("secretbox");
    if (box ? secret.length != 32 : !Set.of(16, 24, 32).contains(secret.length)) {
      throw fault(
          field,
          "must have %s bytes, in base64; it has %d"
              .formatted(box ? "32" : "16, 24 or 32", secret.length));
    }
    return switch (scheme) {
      case "aescbc" -> new ValueCipher.AesCbc(new SecretKeySpec(secret, "AES"));
      case "aesgcm" -> new ValueCipher.AesGcm(new SecretKeySpec(secret, "AES"));
      default -> new ValueCipher.SecretBox(secret);
    };
  }

  /** Returns the items of a list, at least one. */
  private static List<FieldPath> items(FieldPath list) {
    List<FieldPath> items = list.items();
    if (items.isEmpty()) {
      throw fault(list, "must not be empty");
    }
    return items;
  }

  private static void only(FieldPath field, Set<String> known) {
    for (String name : names(field)) {
      if (!known.contains(name)) {
        throw fault(field.get(name), "unknown field");
      }
    }
  }

  private static List<String> names(FieldPath field) {
    JsonNode node = field.node();
    if (!(node instanceof ObjectNode object)) {
      throw fault(field, "must be an object");
    }
    return List.copyOf(object.propertyNames());
  }

  private static IllegalArgumentException fault(FieldPath field, String why) {
    return new IllegalArgumentException(field + ": " + why);
  }
}
