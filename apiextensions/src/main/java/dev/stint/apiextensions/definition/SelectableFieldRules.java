package dev.stint.apiextensions.definition;

import dev.stint.apiextensions.schema.JsonSchema;
import dev.stint.apiextensions.schema.Keywords;
import dev.stint.apiextensions.schema.SimplePath;
import dev.stint.model.Json;
import dev.stint.model.field.FieldError;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The fields by which objects may be selected. */
final class SelectableFieldRules {
  private static final int MOST = 8;
  private static final Set<String> TYPES = Set.of("string", "boolean", "integer");

  private SelectableFieldRules() {}

  /** Returns the fields, after a check. */
  static List<String> fields(Keywords version, JsonSchema schema) {
    List<JsonNode> trees = version.values("selectableFields");
    if (trees.size() > MOST) {
      Reports.add(
          version,
          "selectableFields",
          FieldError.Type.TOO_MANY,
          trees.size() + ": must have at most " + MOST + " items",
          null);
    }
    List<String> fields = new ArrayList<>();
    for (int i = 0; i < trees.size(); i++) {
      String path = version.at("selectableFields[" + i + "]");
      if (trees.get(i) instanceof ObjectNode tree) {
        field(new Keywords(tree, path, version.faults()), schema, fields);
      } else {
        version.faults().undecodable(path, "a field must be an object");
      }
    }
    return List.copyOf(fields);
  }

  private static void field(Keywords field, JsonSchema schema, List<String> fields) {
    String path = field.text("jsonPath");
    if (path.isEmpty()) {
      Reports.required(field, "jsonPath", "is required");
      return;
    }
    if (fields.contains(path)) {
      Reports.add(field, "jsonPath", FieldError.Type.DUPLICATE, "is a duplicate", Json.text(path));
      return;
    }
    fields.add(path);
    SimplePath parsed = SimplePath.parse(path);
    JsonSchema found = parsed == null ? null : parsed.find(schema);
    if (parsed == null || found == null) {
      Reports.invalid(field, "jsonPath", "is an invalid path: does not refer to a valid field");
    } else if (parsed.names().getFirst().equals("metadata")) {
      Reports.invalid(field, "jsonPath", "must not point to fields in metadata");
    } else if (!TYPES.contains(found.type())) {
      Reports.invalid(
          field,
          "jsonPath",
          "must point to a field of type string, boolean or integer. Enum string fields and strings"
              + " with formats are allowed.");
    }
  }
}
