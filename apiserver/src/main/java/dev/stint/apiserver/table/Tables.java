package dev.stint.apiserver.table;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.field.FieldPath;
import java.time.Instant;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Renders objects as tables: the answer to {@code Accept: application/json;as=Table;v=v1;
 * g=meta.k8s.io}, with the columns that {@code kubectl get} shows.
 *
 * <pre>{@code
 * Columns columns = Columns.JOBS;
 * ObjectNode list = Tables.of(columns, jobs, Tables.metadata(revision), now, IncludeObject.NONE);
 * ObjectNode one = Tables.of(columns.of(job), job, now, IncludeObject.METADATA);
 * }</pre>
 */
public final class Tables {
  private Tables() {}

  /**
   * Returns a list as a table.
   *
   * @param metadata the list's own: {@code resourceVersion}, {@code continue}, {@code
   *     remainingItemCount}
   */
  public static ObjectNode of(
      Columns columns,
      List<KubeObject> objects,
      ObjectNode metadata,
      Instant now,
      IncludeObject include) {
    ObjectNode table = table(metadata);
    ArrayNode definitions = table.putArray("columnDefinitions");
    columns.list().forEach(column -> column.define(definitions.addObject()));
    rows(table, columns, objects, now, include);
    return table;
  }

  /** Returns one object as a table with the columns of its list. */
  public static ObjectNode of(
      Columns columns, KubeObject object, Instant now, IncludeObject include) {
    return of(columns, List.of(object), metadata(object.resourceVersion()), now, include);
  }

  /**
   * Returns one object as a table without columns, as a watch sends it from its second event on.
   */
  public static ObjectNode withoutColumns(
      Columns columns, KubeObject object, Instant now, IncludeObject include) {
    ObjectNode table = table(metadata(object.resourceVersion()));
    table.putNull("columnDefinitions");
    rows(table, columns, List.of(object), now, include);
    return table;
  }

  /** Returns the metadata of a complete list. */
  static ObjectNode metadata(String resourceVersion) {
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
      ObjectNode table,
      Columns columns,
      List<KubeObject> objects,
      Instant now,
      IncludeObject include) {
    ArrayNode rows = table.putArray("rows");
    objects.forEach(object -> rows.add(row(columns, object, now, include)));
  }

  /** Returns the row of an object. */
  public static ObjectNode row(
      Columns columns, KubeObject object, Instant now, IncludeObject include) {
    ObjectNode row = Json.object();
    ArrayNode cells = row.putArray("cells");
    FieldPath at = FieldPath.root(object.tree());
    columns.list().forEach(column -> cells.add(column.cell().of(at, now)));
    switch (include) {
      case NONE -> {}
      case METADATA -> row.set("object", PartialObjectMetadata.of(object));
      case OBJECT -> row.set("object", object.tree());
    }
    return row;
  }
}
