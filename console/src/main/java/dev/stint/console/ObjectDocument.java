package dev.stint.console;

import dev.stint.apiserver.http.ApiResponse;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.document.YamlWriter;
import tools.jackson.databind.node.ObjectNode;

/** An object as a document for people, without {@code managedFields}. */
final class ObjectDocument {
  private ObjectDocument() {}

  /**
   * Returns the document.
   *
   * @param format {@code json}; anything else is YAML
   */
  static ApiResponse of(KubeObject object, String format) {
    ObjectNode tree = object.copy();
    tree.withObjectProperty("metadata").remove("managedFields");
    return ApiResponse.text(200, format.equals("json") ? Json.pretty(tree) : YamlWriter.text(tree));
  }
}
