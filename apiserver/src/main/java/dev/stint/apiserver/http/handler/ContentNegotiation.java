package dev.stint.apiserver.http.handler;

import dev.stint.apiserver.http.ApiResponse;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The result of content negotiation: the form of a response.
 *
 * @param yaml true for YAML instead of JSON
 */
public record ContentNegotiation(As as, boolean yaml) {
  private static final String META = "meta.k8s.io";

  /** The representation of objects. */
  enum As {
    OBJECT,
    TABLE,
    METADATA,
    METADATA_LIST
  }

  /** The forms that a request can have. */
  public enum Offer {
    /** Stored objects: all forms. */
    KEPT,
    /** Objects that are not stored: no tables, since they have no columns. */
    WITHOUT_TABLES,
    /** Refusals. */
    PLAIN,
    /** A watch: no YAML. */
    WATCH
  }

  static final ContentNegotiation PLAIN = new ContentNegotiation(As.OBJECT, false);

  String mediaType() {
    return yaml ? "application/yaml" : ApiResponse.JSON;
  }

  /**
   * Returns the available form that an {@code Accept} header prefers; JSON if it is blank. Throws
   * {@code NOT_ACCEPTABLE} if there is none.
   */
  static ContentNegotiation of(String header, Offer offer) throws ClusterException {
    return find(header, offer)
        .orElseThrow(() ->
            new ClusterException(
                Reason.NOT_ACCEPTABLE,
                "only the following media types are accepted: "
                    + (offer == Offer.WATCH
                        ? "application/json;stream=watch"
                        : "application/json, application/yaml")));
  }

  /** Returns the available form that an {@code Accept} header prefers; empty if there is none. */
  public static Optional<ContentNegotiation> find(String header, Offer offer) {
    if (header.isBlank()) {
      return Optional.of(PLAIN);
    }
    return Arrays.stream(header.split(",", -1))
        .map(Range::of)
        .sorted(Range.BEST_FIRST)
        .flatMap(range -> form(range, offer).stream())
        .findFirst();
  }

  /** True if an {@code Accept} header names a type with exactly these parameters, in any order. */
  static boolean names(String header, String type) {
    Range wanted = Range.of(type);
    return Arrays.stream(header.split(",", -1)).map(Range::of).anyMatch(wanted::alike);
  }

  /** One of the types that a header names; the weight {@code q} is not a parameter of the type. */
  private record Range(String type, Map<String, String> parameters, double weight) {
    static final Comparator<Range> BEST_FIRST =
        Comparator.<Range>comparingDouble(range -> -range.weight)
            .thenComparing(range -> range.type.startsWith("*"))
            .thenComparing(range -> range.type.endsWith("*"));

    static Range of(String text) {
      String[] parts = text.split(";", -1);
      Map<String, String> parameters = new LinkedHashMap<>();
      Arrays.stream(parts)
          .skip(1)
          .map(part -> part.split("=", 2))
          .filter(pair -> pair.length == 2)
          .forEach(
              pair -> parameters.put(pair[0].strip().toLowerCase(Locale.ROOT), pair[1].strip()));
      double weight = weight(parameters.remove("q"));
      return new Range(parts[0].strip(), parameters, weight);
    }

    boolean alike(Range other) {
      return type.equals(other.type) && parameters.equals(other.parameters);
    }

    private static double weight(@Nullable String q) {
      try {
        return q == null ? 1 : Double.parseDouble(q);
      } catch (NumberFormatException none) {
        return 0;
      }
    }
  }

  private static Optional<ContentNegotiation> form(Range range, Offer offer) {
    boolean yaml = range.type.equals("application/yaml");
    boolean json = List.of("application/json", "application/*", "*/*").contains(range.type);
    if (!yaml && !json || yaml && offer == Offer.WATCH || range.weight == 0) {
      return Optional.empty();
    }
    Map<String, String> parameters = range.parameters;
    if (!parameters.containsKey("as")) {
      return Optional.of(new ContentNegotiation(As.OBJECT, yaml));
    }
    boolean known =
        META.equals(parameters.get("g"))
            && List.of("v1", "v1beta1").contains(parameters.getOrDefault("v", ""));
    return known ? transformed(parameters.getOrDefault("as", ""), yaml, offer) : Optional.empty();
  }

  private static Optional<ContentNegotiation> transformed(String as, boolean yaml, Offer offer) {
    As form =
        switch (as) {
          case "Table" -> offer == Offer.WITHOUT_TABLES ? null : As.TABLE;
          case "PartialObjectMetadata" -> As.METADATA;
          case "PartialObjectMetadataList" -> As.METADATA_LIST;
          default -> null;
        };
    return form == null || offer == Offer.PLAIN
        ? Optional.empty()
        : Optional.of(new ContentNegotiation(form, yaml));
  }
}
