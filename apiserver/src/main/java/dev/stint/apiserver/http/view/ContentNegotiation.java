package dev.stint.apiserver.http.view;

import dev.stint.apiserver.http.ApiResponse;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.protobuf.ProtobufDocument;
import dev.stint.cluster.protobuf.ProtobufEvents;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The result of content negotiation: the form of a response. */
public record ContentNegotiation(As as, Format format) {
  private static final String META = "meta.k8s.io";

  /** The representation of objects. */
  enum As {
    OBJECT,
    TABLE,
    METADATA,
    METADATA_LIST
  }

  /** The encoding of a response. */
  public enum Format {
    JSON,
    YAML,
    PROTOBUF
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
    WATCH,
    /** A watch over a WebSocket: JSON only. */
    WEB_SOCKET
  }

  static final ContentNegotiation PLAIN = new ContentNegotiation(As.OBJECT, Format.JSON);

  String mediaType() {
    return switch (format) {
      case JSON -> ApiResponse.JSON;
      case YAML -> "application/yaml";
      case PROTOBUF -> ProtobufDocument.MEDIA_TYPE;
    };
  }

  /** Returns the media type of a watch. */
  public String streamType() {
    return format == Format.PROTOBUF ? ProtobufEvents.MEDIA_TYPE : mediaType();
  }

  /**
   * Returns the available form that an {@code Accept} header prefers; JSON if it is blank. Throws
   * {@code NOT_ACCEPTABLE} if there is none.
   *
   * @param hasMessage true if the objects have a protobuf form
   */
  static ContentNegotiation of(String header, Offer offer, boolean hasMessage)
      throws ClusterException {
    return find(header, offer, hasMessage)
        .orElseThrow(() ->
            new ClusterException(
                Reason.NOT_ACCEPTABLE,
                "only the following media types are accepted: " + accepted(offer, hasMessage)));
  }

  private static String accepted(Offer offer, boolean hasMessage) {
    boolean isWatch = offer == Offer.WATCH || offer == Offer.WEB_SOCKET;
    String text = isWatch ? "application/json;stream=watch" : "application/json, application/yaml";
    return !hasMessage || offer == Offer.WEB_SOCKET
        ? text
        : text + ", " + (isWatch ? ProtobufEvents.MEDIA_TYPE : ProtobufDocument.MEDIA_TYPE);
  }

  /**
   * Returns the available form that an {@code Accept} header prefers; empty if there is none.
   *
   * @param hasMessage true if the objects have a protobuf form
   */
  public static Optional<ContentNegotiation> find(String header, Offer offer, boolean hasMessage) {
    if (header.isBlank() || header.equals(ApiResponse.JSON)) {
      return Optional.of(PLAIN);
    }
    return Arrays.stream(header.split(",", -1))
        .map(Range::of)
        .sorted(Range.BEST_FIRST)
        .flatMap(range -> form(range, offer, hasMessage).stream())
        .findFirst();
  }

  /** True if an {@code Accept} header names a type with exactly these parameters, in any order. */
  public static boolean names(String header, String type) {
    Range wanted = Range.of(type);
    return Arrays.stream(header.split(",", -1)).map(Range::of).anyMatch(wanted::overlaps);
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

    boolean overlaps(Range other) {
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

  private static Optional<ContentNegotiation> form(Range range, Offer offer, boolean hasMessage) {
    Format format = format(range, offer);
    if (format == null || range.weight == 0) {
      return Optional.empty();
    }
    Map<String, String> parameters = range.parameters;
    if (!parameters.containsKey("as")) {
      return format == Format.PROTOBUF && !hasMessage
          ? Optional.empty()
          : Optional.of(new ContentNegotiation(As.OBJECT, format));
    }
    boolean known =
        META.equals(parameters.get("g"))
            && List.of("v1", "v1beta1").contains(parameters.getOrDefault("v", ""));
    return known ? transformed(parameters.getOrDefault("as", ""), format, offer) : Optional.empty();
  }

  private static @Nullable Format format(Range range, Offer offer) {
    Format format =
        switch (range.type) {
          case "application/json", "application/*", "*/*" -> Format.JSON;
          case "application/yaml" -> Format.YAML;
          case ProtobufDocument.MEDIA_TYPE -> Format.PROTOBUF;
          default -> null;
        };
    boolean offered =
        switch (offer) {
          case KEPT, WITHOUT_TABLES, PLAIN -> true;
          case WATCH -> format != Format.YAML;
          case WEB_SOCKET -> format == Format.JSON;
        };
    return offered ? format : null;
  }

  private static Optional<ContentNegotiation> transformed(String as, Format format, Offer offer) {
    As form =
        switch (as) {
          case "Table" ->
              offer == Offer.WITHOUT_TABLES || format == Format.PROTOBUF ? null : As.TABLE;
          case "PartialObjectMetadata" -> As.METADATA;
          case "PartialObjectMetadataList" -> As.METADATA_LIST;
          default -> null;
        };
    return form == null || offer == Offer.PLAIN
        ? Optional.empty()
        : Optional.of(new ContentNegotiation(form, format));
  }
}
