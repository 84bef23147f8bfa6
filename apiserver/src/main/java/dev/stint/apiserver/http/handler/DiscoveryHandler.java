package dev.stint.apiserver.http.handler;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.stint.apiserver.catalogue.ApiCatalogue;
import dev.stint.apiserver.catalogue.GroupVersion;
import dev.stint.apiserver.discovery.AggregatedDiscovery;
import dev.stint.apiserver.discovery.Discovery;
import dev.stint.apiserver.discovery.VersionInfo;
import dev.stint.apiserver.http.ApiResponse;
import dev.stint.apiserver.http.Call;
import dev.stint.apiserver.http.Route;
import dev.stint.apiserver.http.view.ContentNegotiation;
import dev.stint.apiserver.openapi.OpenApi;
import dev.stint.model.Json;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Serves discovery: version, groups, resources. */
public final class DiscoveryHandler {
  private static final String OPEN_API_2_ASKED =
      "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";

  /**
   * The content type of the answer: the requested one is not a valid media type, and clients reject
   * it in answers.
   */
  private static final String OPEN_API_2 =
      "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

  /** In protobuf: swagger 2.0, a title, a version, and no paths. */
  private static final byte[] OPEN_API_2_EMPTY =
      "\n\u00032.0\u0012\u000e\n\u0005Stint\u0012\u00050.1.0B\0".getBytes(ISO_8859_1);

  private final Supplier<ApiCatalogue> served;
  private volatile @Nullable Described described;

  /** The description of one catalogue, which is made once. */
  private record Described(ApiCatalogue catalogue, OpenApi openApi) {}

  /**
   * @param served returns the resources that are served now
   */
  public DiscoveryHandler(Supplier<ApiCatalogue> served) {
    this.served = served;
  }

  private OpenApi openApi() {
    ApiCatalogue catalogue = served.get();
    Described known = described;
    if (known == null || known.catalogue != catalogue) {
      known = new Described(catalogue, new OpenApi(catalogue));
      described = known;
    }
    return known.openApi;
  }

  /** Returns the document at a path; empty if there is none. */
  public Optional<ApiResponse> of(Call call, Route.NonResource route) {
    List<String> parts = route.segments().stream().filter(part -> !part.isEmpty()).toList();
    return switch (String.join("/", parts)) {
      case "version" -> Optional.of(ApiResponse.json(200, VersionInfo.document("0.1.0")));
      case "api" -> Optional.of(aggregated(call, true));
      case "apis" -> Optional.of(aggregated(call, false));
      case "openapi/v3" ->
          Optional.of(new ApiResponse.Whole(200, ApiResponse.JSON, openApi().index(), List.of()));
      case "openapi/v2" -> Optional.of(version2(call));
      default ->
          parts.size() > 2 && String.join("/", parts.subList(0, 2)).equals("openapi/v3")
              ? described(String.join("/", parts.subList(2, parts.size())))
              : listed(parts).map(document -> ApiResponse.json(200, document));
    };
  }

  /**
   * Returns the OpenAPI v2 document. In protobuf it is empty: kubectl falls back to it if v3 lacks
   * a kind, and needs some document to report so.
   */
  private ApiResponse version2(Call call) {
    return ContentNegotiation.names(call.header("Accept"), OPEN_API_2_ASKED)
        ? new ApiResponse.Whole(200, OPEN_API_2, OPEN_API_2_EMPTY, List.of())
        : new ApiResponse.Whole(200, ApiResponse.JSON, openApi().version2(), List.of());
  }

  private Optional<ApiResponse> described(String path) {
    OpenApi openApi = openApi();
    return openApi
        .document(path)
        .map(bytes -> {
          List<ApiResponse.Header> headers =
              openApi.hash(path).stream()
                  .map(hash -> new ApiResponse.Header("ETag", "\"" + hash + "\""))
                  .toList();
          return new ApiResponse.Whole(200, ApiResponse.JSON, bytes, headers);
        });
  }

  private Optional<ObjectNode> listed(List<String> parts) {
    ApiCatalogue catalogue = served.get();
    if (parts.size() == 2 && parts.getFirst().equals("api")) {
      return Discovery.resources(catalogue, new GroupVersion("", parts.get(1)));
    }
    if (parts.size() == 2 && parts.getFirst().equals("apis")) {
      return Discovery.group(catalogue, parts.get(1));
    }
    if (parts.size() == 3 && parts.getFirst().equals("apis")) {
      return Discovery.resources(catalogue, new GroupVersion(parts.get(1), parts.get(2)));
    }
    return Optional.empty();
  }

  /**
   * Returns the aggregated document to newer clients, and the plain one to older ones, which do not
   * know it.
   */
  private ApiResponse aggregated(Call call, boolean core) {
    ApiCatalogue catalogue = served.get();
    String accept = call.header("Accept");
    for (AggregatedDiscovery.Form form : AggregatedDiscovery.Form.values()) {
      if (ContentNegotiation.names(accept, form.contentType())) {
        ObjectNode document =
            core
                ? AggregatedDiscovery.core(catalogue, form)
                : AggregatedDiscovery.groups(catalogue, form);
        return new ApiResponse.Whole(200, form.contentType(), Json.bytes(document), List.of());
      }
    }
    return ApiResponse.json(
        200, core ? Discovery.versions(call.header("Host")) : Discovery.groups(catalogue));
  }
}
