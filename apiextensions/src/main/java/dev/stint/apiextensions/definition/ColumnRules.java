package dev.stint.apiextensions.definition;

import dev.stint.apiextensions.schema.Keywords;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The columns of tables. */
final class ColumnRules {
  private static final List<String> TYPES =
      List.of("boolean", "date", "integer", "number", "string");
  private static final List<String> FORMATS =
      List.of("byte", "date", "date-time", "double", "float", "int32", "int64", "password");

  private ColumnRules() {}

  /** Returns the columns of a version, after a check. */
  static List<PrinterColumn> columns(Keywords version) {
    List<PrinterColumn> columns = new ArrayList<>();
    List<JsonNode> trees = version.values("additionalPrinterColumns");
    for (int i = 0; i < trees.size(); i++) {
      String path = version.at("additionalPrinterColumns[" + i + "]");
      if (trees.get(i) instanceof ObjectNode tree) {
        columns.add(column(new Keywords(tree, path, version.faults())));
      } else {
        version.faults().undecodable(path, "a column must be an object");
      }
    }
    return List.copyOf(columns);
  }

  private static PrinterColumn column(Keywords column) {
    if (column.text("name").isEmpty()) {
      Reports.required(column, "name", "is required");
    }
    oneOf(column, "type", TYPES, true);
    oneOf(column, "format", FORMATS, false);
    path(column);
    Long priority = column.count("priority");
    return new PrinterColumn(
        column.text("name"),
        column.text("type"),
        column.text("format"),
        column.text("description"),
        priority == null ? 0 : priority,
        column.text("jsonPath"));
  }

  private static void oneOf(Keywords column, String name, List<String> all, boolean needed) {
    String found = column.text(name);
    if (found.isEmpty()) {
      if (needed) {
        Reports.required(column, name, "must be one of " + String.join(",", all));
      }
    } else if (!all.contains(found)) {
      Reports.invalid(column, name, "must be one of " + String.join(",", all));
    }
  }

  private static void path(Keywords column) {
    String path = column.text("jsonPath");
    if (path.isEmpty()) {
      Reports.required(column, "jsonPath", "is required");
    } else {
      String fault = ColumnPath.fault(path);
      if (!fault.isEmpty()) {
        Reports.invalid(column, "jsonPath", fault);
      }
    }
  }
}
