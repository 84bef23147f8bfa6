package dev.stint.apiserver.http;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The form in which a client wants its answer.
 *
 * @param yaml whether YAML instead of JSON
 */
record Accepted(As as, boolean yaml) {
  private static final String META = "meta.k8s.io";

  /** What becomes of objects. */
  enum As {
    OBJECT,
    TABLE,
    METADATA,
    METADATA_LIST
  }

  static final Accepted PLAIN = new Accepted(As.OBJECT, false);

  String mediaType() {
    return yaml ? "application/yaml" : Reply.JSON;
  }

  /**
   * The first form of an {@code Accept} header that there is. Throws {@code NOT_ACCEPTABLE} where
   * there is none.
   */
  static Accepted of(String header) throws ClusterException {
    if (header.isBlank()) {
      return PLAIN;
    }
    return Arrays.stream(header.split(",", -1))
        .map(String::strip)
        .flatMap(range -> form(range).stream())
        .findFirst()
        .orElseThrow(() ->
            new ClusterException(
                Reason.NOT_ACCEPTABLE,
                "only the following media types are accepted: application/json, application/yaml"));
  }

  /** Whether an {@code Accept} header names a type with these very parameters, in any order. */
  static boolean names(String header, String type) {
    String[] wanted = type.split(";", -1);
    return Arrays.stream(header.split(",", -1))
        .map(range -> range.strip().split(";", -1))
        .anyMatch(range ->
            range[0].strip().equals(wanted[0]) && parameters(range).equals(parameters(wanted)));
  }

  private static List<Accepted> form(String range) {
    String[] parts = range.split(";", -1);
    boolean yaml = parts[0].strip().equals("application/yaml");
    boolean json = List.of("application/json", "application/*", "*/*").contains(parts[0].strip());
    if (!yaml && !json) {
      return List.of();
    }
    Map<String, String> parameters = parameters(parts);
    if (parameters.getOrDefault("q", "1").matches("0(\\.0*)?")) {
      return List.of();
    }
    String as = parameters.get("as");
    if (as == null) {
      return List.of(new Accepted(As.OBJECT, yaml));
    }
    boolean known =
        META.equals(parameters.get("g"))
            && List.of("v1", "v1beta1").contains(parameters.getOrDefault("v", "v1"));
    return known ? transformed(as, yaml) : List.of();
  }

  private static List<Accepted> transformed(String as, boolean yaml) {
    return switch (as) {
      case "Table" -> List.of(new Accepted(As.TABLE, yaml));
      case "PartialObjectMetadata" -> List.of(new Accepted(As.METADATA, yaml));
      case "PartialObjectMetadataList" -> List.of(new Accepted(As.METADATA_LIST, yaml));
      default -> List.of();
    };
  }

  private static Map<String, String> parameters(String[] parts) {
    Map<String, String> parameters = new LinkedHashMap<>();
    Arrays.stream(parts)
        .skip(1)
        .map(part -> part.split("=", 2))
        .filter(pair -> pair.length == 2)
        .forEach(pair -> parameters.put(pair[0].strip().toLowerCase(Locale.ROOT), pair[1].strip()));
    return parameters;
  }
}
