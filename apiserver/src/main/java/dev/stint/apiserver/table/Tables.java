package dev.stint.apiserver.table;

import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.field.At;
import java.time.Instant;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Objects as rows: what the API answers to {@code Accept: application/json;as=Table;v=v1;
 * g=meta.k8s.io}, with the columns that {@code kubectl get} shows.
 *
 * <pre>{@code
 * ObjectNode list = Tables.of(Kind.JOB, jobs, Tables.metadata(revision), now, IncludeObject.NONE);
 * ObjectNode one = Tables.of(job, now, IncludeObject.METADATA);
 * }</pre>
 */
public final class Tables {
  private Tables() {}

  /**
   * A list as a table.
   *
   * @param metadata the list's own: {@code resourceVersion}, {@code continue}, {@code
   *     remainingItemCount}
   */
  public static ObjectNode of(
      Kind kind,
      List<KubeObject> objects,
      ObjectNode metadata,
      Instant now,
      IncludeObject include) {
    ObjectNode table = table(metadata);
    ArrayNode definitions = table.putArray("columnDefinitions");
    Columns.of(kind, objects).forEach(column -> column.define(definitions.addObject()));
    rows(table, kind, objects, now, include);
    return table;
  }

  /** One object as a table. */
  public static ObjectNode of(KubeObject object, Instant now, IncludeObject include) {
    return of(object.kind(), List.of(object), metadata(object.resourceVersion()), now, include);
  }

  /** One object as a table without columns, as a watch sends it from its second event on. */
  public static ObjectNode withoutColumns(KubeObject object, Instant now, IncludeObject include) {
    ObjectNode table = table(metadata(object.resourceVersion()));
    table.putArray("columnDefinitions");
    rows(table, object.kind(), List.of(object), now, include);
    return table;
  }

  /** The metadata of a list that is complete. */
  public static ObjectNode metadata(String resourceVersion) {
    return Json.object().put("resourceVersion", resourceVersion);
  }

  private static ObjectNode table(ObjectNode metadata) {
    ObjectNode table = Json.object();
    table.put("kind", "Table");
    table.put("apiVersion", "meta.k8s.io/v1");
    table.set("metadata", metadata);
    return table;
  }

  private static void rows(
      ObjectNode table, Kind kind, List<KubeObject> objects, Instant now, IncludeObject include) {
    ArrayNode rows = table.putArray("rows");
    List<Column> columns = Columns.of(kind, objects);
    for (KubeObject object : objects) {
      ObjectNode row = rows.addObject();
      ArrayNode cells = row.putArray("cells");
      At at = At.root(object.tree());
      columns.forEach(column -> cells.add(column.cell().of(at, now)));
      switch (include) {
        case NONE -> {}
        case METADATA -> row.set("object", PartialMetadata.of(object));
        case OBJECT -> row.set("object", object.tree());
      }
    }
  }
}
