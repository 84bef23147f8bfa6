package dev.stint.apiserver.table;

import dev.stint.apiserver.catalogue.TestCatalogue;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Objects, and the contents of their tables. */
final class Given {
  static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

  private Given() {}

  /** Returns an object that is five seconds old. */
  static KubeObject object(Kind kind, String rest) {
    ObjectNode tree = Json.parse(rest);
    tree.put("apiVersion", kind.apiVersion());
    tree.put("kind", kind.kind());
    ObjectNode metadata = tree.withObjectProperty("metadata");
    metadata.put("name", "a");
    metadata.put("creationTimestamp", "2026-01-01T11:59:55Z");
    metadata.put("resourceVersion", "7");
    return KubeObject.of(tree);
  }

  static ObjectNode table(Kind kind, String rest) {
    KubeObject object = object(kind, rest);
    return Tables.of(columnsOf(kind).of(object), object, NOW, IncludeObject.NONE);
  }

  /** Returns the cells of the only row, as text. */
  static List<String> cells(Kind kind, String rest) {
    List<String> cells = new ArrayList<>();
    table(kind, rest).get("rows").get(0).get("cells").forEach(cell -> cells.add(cell.asString()));
    return cells;
  }

  /** Returns the columns as {@code name:type:priority}. */
  static List<String> columns(Kind kind) {
    List<String> columns = new ArrayList<>();
    for (JsonNode column : table(kind, "{}").get("columnDefinitions")) {
      columns.add(
          column.get("name").stringValue()
              + ":"
              + column.get("type").stringValue()
              + ":"
              + column.get("priority").intValue());
    }
    return columns;
  }

  /** Returns the columns of a kind that is served. */
  static Columns columnsOf(Kind kind) {
    return Objects.requireNonNull(TestCatalogue.BUILT_IN.of(kind)).columns();
  }
}
