package dev.stint.console;

import dev.stint.apiserver.http.ApiResponse;
import dev.stint.apiserver.http.QueryParameters;
import dev.stint.cluster.Cluster;
import dev.stint.cluster.ObjectList;
import dev.stint.jobs.ApiCalls;
import dev.stint.model.DefinedKind;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.util.concurrent.CompletableFuture;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The read requests about custom resources: {@code kinds}, {@code kinds/NAME} and {@code
 * kinds/NAME/document}, where NAME is that of a definition, such as {@code reports.example.com}.
 */
final class KindReadHandler {
  /** A page with more objects helps nobody; kubectl lists them all. */
  private static final int MOST_OBJECTS = 500;

  private final Cluster cluster;

  KindReadHandler(Cluster cluster) {
    this.cluster = cluster;
  }

  /**
   * Answers a request.
   *
   * @param path below {@code /console/api/}
   */
  ApiResponse answer(String path, QueryParameters query) {
    String[] parts = path.split("/", -1);
    if (parts.length == 1) {
      return kinds();
    }
    if (parts.length == 2) {
      return objects(definition(parts[1]));
    }
    return parts.length == 3 && parts[2].equals("document")
        ? document(DefinedKind.served(definition(parts[1])), query)
        : ConsoleResponses.refused(404, "not found: /console/api/" + path);
  }

  private ApiResponse kinds() {
    ObjectNode answer = Json.object();
    ArrayNode list = answer.putArray("kinds");
    ApiCalls.await(cluster.list(Kind.CUSTOM_RESOURCE_DEFINITION, null))
        .items()
        .forEach(definition -> list.add(described(definition)));
    return ApiResponse.json(200, answer);
  }

  private static ObjectNode described(KubeObject definition) {
    Kind kind = DefinedKind.served(definition);
    return Json.object()
        .put("name", definition.name())
        .put("kind", kind.kind())
        .put("apiVersion", kind.apiVersion())
        .put("namespaced", kind.namespaced());
  }

  private KubeObject definition(String name) {
    return ApiCalls.await(cluster.get(new ObjectRef(Kind.CUSTOM_RESOURCE_DEFINITION, "", name)));
  }

  /** Returns the first objects of a kind, and how many there are. */
  private ApiResponse objects(KubeObject definition) {
    ObjectNode answer = described(definition);
    ArrayNode objects = answer.putArray("objects");
    int[] total = {0};
    ApiCalls.await(
        cluster.list(DefinedKind.served(definition), null, part -> add(part, objects, total)));
    return ApiResponse.json(200, answer.put("total", total[0]));
  }

  private static CompletableFuture<?> add(ObjectList part, ArrayNode objects, int[] total) {
    for (KubeObject each : part.items()) {
      if (objects.size() < MOST_OBJECTS) {
        objects
            .addObject()
            .put("namespace", each.namespace())
            .put("name", each.name())
            .put("createdAt", String.valueOf(each.creationTimestamp()));
      }
    }
    total[0] += part.items().size();
    return CompletableFuture.completedFuture(null);
  }

  private ApiResponse document(Kind kind, QueryParameters query) {
    String namespace = kind.namespaced() ? query.text("namespace") : "";
    ObjectRef ref = new ObjectRef(kind, namespace, query.text("name"));
    return ObjectDocument.of(ApiCalls.await(cluster.get(ref)), query.text("format"));
  }
}
