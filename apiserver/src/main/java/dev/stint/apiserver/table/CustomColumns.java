package dev.stint.apiserver.table;

import dev.stint.apiextensions.definition.PrinterColumn;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.StringNode;

/** The columns of custom resources: those of their definition, after the name. */
final class CustomColumns {
  private CustomColumns() {}

  static List<Column> of(List<PrinterColumn> defined) {
    List<Column> columns = new ArrayList<>();
    columns.add(Column.named());
    if (defined.isEmpty()) {
      columns.add(Column.age());
    }
    defined.forEach(column -> columns.add(column(column)));
    return List.copyOf(columns);
  }

  private static Column column(PrinterColumn defined) {
    JsonPathExpression path = JsonPathExpression.parse(defined.jsonPath());
    return new Column(
        defined.name(),
        defined.type(),
        defined.format(),
        defined.priority() > 0,
        defined.description(),
        (object, now) ->
            cell(path == null ? null : path.first(object.node()), defined.type(), now));
  }

  /** Returns a value as the declared type has it; null if it has another. */
  private static JsonNode cell(@Nullable JsonNode value, String type, Instant now) {
    if (value == null || value.isNull()) {
      return NullNode.getInstance();
    }
    boolean fits =
        switch (type) {
          case "integer" -> value.isIntegralNumber();
          case "number" -> value.isNumber();
          case "boolean" -> value.isBoolean();
          default -> true;
        };
    if (!fits) {
      return NullNode.getInstance();
    }
    return switch (type) {
      case "string" ->
          StringNode.valueOf(value.isValueNode() ? value.asString() : value.toString());
      case "date" -> StringNode.valueOf(AgeFormat.since(value.asString(""), now));
      default -> value;
    };
  }
}
