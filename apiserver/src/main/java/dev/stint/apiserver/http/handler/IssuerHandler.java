package dev.stint.apiserver.http.handler;

import dev.stint.apiserver.access.pki.IssuerDocuments;
import dev.stint.apiserver.access.pki.ServiceAccountKeys;
import dev.stint.apiserver.http.ApiResponse;
import dev.stint.model.Json;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** Serves what others need to check tokens of service accounts. */
public final class IssuerHandler {
  private static final String KEY_SET = "application/jwk-set+json";

  /** Keys change rarely, and a server that starts with other ones restarts. */
  private static final ApiResponse.Header CACHED =
      new ApiResponse.Header("Cache-Control", "public, max-age=3600");

  private final ServiceAccountKeys keys;

  public IssuerHandler(ServiceAccountKeys keys) {
    this.keys = keys;
  }

  /** Returns the document at a path; empty if there is none. */
  public Optional<ApiResponse> of(String path) {
    return switch (path.endsWith("/") ? path.substring(0, path.length() - 1) : path) {
      case IssuerDocuments.CONFIGURATION_PATH ->
          IssuerDocuments.configuration(keys).map(document -> cached(ApiResponse.JSON, document));
      case IssuerDocuments.KEYS_PATH -> Optional.of(cached(KEY_SET, IssuerDocuments.keys(keys)));
      default -> Optional.empty();
    };
  }

  private static ApiResponse cached(String type, ObjectNode document) {
    return new ApiResponse.Whole(200, type, Json.bytes(document), List.of(CACHED));
  }
}
