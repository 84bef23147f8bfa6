package dev.stint.apiserver.openapi;

import dev.stint.apiserver.catalogue.ApiResources;
import dev.stint.apiserver.catalogue.GroupVersion;
import dev.stint.apiserver.discovery.VersionInfo;
import dev.stint.model.Json;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.node.ObjectNode;

/**
 * Serves OpenAPI v3: an index, and one document for each group and version. They are made from the
 * schema and the catalogue of resources on first use, and cached.
 *
 * <pre>{@code
 * byte[] index = OpenApi.index();                              // GET /openapi/v3
 * Optional<byte[]> batch = OpenApi.document("apis/batch/v1");  // GET /openapi/v3/apis/batch/v1
 * }</pre>
 */
public final class OpenApi {
  private static final String ROOT = "/openapi/v3/";
  private static final Map<GroupVersion, byte[]> MADE = new ConcurrentHashMap<>();
  private static final Map<GroupVersion, String> HASHES = new ConcurrentHashMap<>();

  private OpenApi() {}

  /** Returns the index, as JSON: the path of each document, with a hash of its content. */
  public static byte[] index() {
    ObjectNode index = Json.object();
    ObjectNode paths = index.putObject("paths");
    for (GroupVersion served : ApiResources.groupVersions()) {
      paths
          .putObject(served.path())
          .put("serverRelativeURL", ROOT + served.path() + "?hash=" + hash(served));
    }
    return Json.bytes(index);
  }

  /**
   * Returns the document of one group and version, as JSON; empty if it is not served. Not to be
   * changed.
   *
   * @param path such as {@code api/v1} or {@code apis/batch/v1}
   */
  public static Optional<byte[]> document(String path) {
    return served(path).map(OpenApi::made);
  }

  /** Returns the hash of one document, as in the index; empty if it is not served. */
  public static Optional<String> hash(String path) {
    return served(path).map(OpenApi::hash);
  }

  private static Optional<GroupVersion> served(String path) {
    return ApiResources.groupVersions().stream()
        .filter(served -> served.path().equals(path))
        .findFirst();
  }

  private static String hash(GroupVersion groupVersion) {
    return HASHES.computeIfAbsent(groupVersion, served -> digest(made(served)));
  }

  private static byte[] made(GroupVersion groupVersion) {
    return MADE.computeIfAbsent(groupVersion, served -> Json.bytes(make(served)));
  }

  private static ObjectNode make(GroupVersion groupVersion) {
    Schemas schemas = new Schemas();
    Operations operations = new Operations(schemas);
    ApiResources.of(groupVersion).forEach(operations::add);
    ObjectNode document = Json.object();
    document.put("openapi", "3.0.0");
    document.putObject("info").put("title", "Kubernetes").put("version", VersionInfo.KUBERNETES);
    document.set("paths", operations.tree());
    document.putObject("components").set("schemas", schemas.tree());
    return document;
  }

  private static String digest(byte[] document) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(document);
      return HexFormat.of().formatHex(digest).toUpperCase(Locale.ROOT);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
