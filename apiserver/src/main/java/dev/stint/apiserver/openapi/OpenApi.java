package dev.stint.apiserver.openapi;

import dev.stint.apiserver.catalogue.ApiCatalogue;
import dev.stint.apiserver.catalogue.GroupVersion;
import dev.stint.apiserver.discovery.VersionInfo;
import dev.stint.model.Json;
import dev.stint.model.Sha256;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Serves OpenAPI v3: an index, and one document for each group and version; and v2, in one
 * document. They are made from the schema and the catalogue of resources on first use, and cached.
 *
 * <pre>{@code
 * OpenApi api = new OpenApi(catalogue);
 * byte[] index = api.index();                              // GET /openapi/v3
 * Optional<byte[]> batch = api.document("apis/batch/v1");  // GET /openapi/v3/apis/batch/v1
 * }</pre>
 */
public final class OpenApi {
  private static final String ROOT = "/openapi/v3/";

  private final ApiCatalogue catalogue;
  private final Map<GroupVersion, byte[]> made = new ConcurrentHashMap<>();
  private final Map<GroupVersion, String> hashes = new ConcurrentHashMap<>();
  private volatile byte @Nullable [] version2;

  public OpenApi(ApiCatalogue catalogue) {
    this.catalogue = catalogue;
  }

  /** Returns the index, as JSON: the path of each document, with a hash of its content. */
  public byte[] index() {
    ObjectNode index = Json.object();
    ObjectNode paths = index.putObject("paths");
    for (GroupVersion served : catalogue.groupVersions()) {
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
  public Optional<byte[]> document(String path) {
    return served(path).map(this::made);
  }

  /** Returns the hash of one document, as in the index; empty if it is not served. */
  public Optional<String> hash(String path) {
    return served(path).map(this::hash);
  }

  /** Returns the document of v2, as JSON. Not to be changed. */
  public byte[] version2() {
    byte[] known = version2;
    if (known == null) {
      known = Json.bytes(OpenApi2.document(catalogue));
      version2 = known;
    }
    return known;
  }

  private Optional<GroupVersion> served(String path) {
    return catalogue.groupVersions().stream()
        .filter(served -> served.path().equals(path))
        .findFirst();
  }

  private String hash(GroupVersion groupVersion) {
    return hashes.computeIfAbsent(groupVersion, served -> digest(made(served)));
  }

  private byte[] made(GroupVersion groupVersion) {
    return made.computeIfAbsent(groupVersion, served -> Json.bytes(make(served)));
  }

  private ObjectNode make(GroupVersion groupVersion) {
    Schemas schemas = new Schemas();
    Operations operations = new Operations(schemas);
    catalogue.of(groupVersion).forEach(operations::add);
    ObjectNode document = Json.object();
    document.put("openapi", "3.0.0");
    document.putObject("info").put("title", "Kubernetes").put("version", VersionInfo.KUBERNETES);
    document.set("paths", operations.tree());
    document.putObject("components").set("schemas", schemas.tree());
    return document;
  }

  private static String digest(byte[] document) {
    return Sha256.hex(document).toUpperCase(Locale.ROOT);
  }
}
