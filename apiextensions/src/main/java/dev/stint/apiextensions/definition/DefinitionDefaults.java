package dev.stint.apiextensions.definition;

import dev.stint.model.Json;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Fills in what a CustomResourceDefinition leaves out. */
public final class DefinitionDefaults {
  private DefinitionDefaults() {}

  /**
   * Completes a definition.
   *
   * @param definition changed in place
   */
  public static void apply(ObjectNode definition) {
    ObjectNode spec = Json.objectAt(definition, "spec");
    if (spec == null) {
      return;
    }
    names(Json.objectAt(spec, "names"));
    ObjectNode conversion = spec.withObjectProperty("conversion");
    if (!conversion.has("strategy")) {
      conversion.put("strategy", "None");
    }
    webhook(conversion);
  }

  private static void names(@Nullable ObjectNode names) {
    String kind = Json.text(names, "kind");
    if (names == null || kind == null || kind.isEmpty()) {
      return;
    }
    if (isEmpty(names, "singular")) {
      names.put("singular", kind.toLowerCase(Locale.ROOT));
    }
    if (isEmpty(names, "listKind")) {
      names.put("listKind", kind + "List");
    }
  }

  private static void webhook(ObjectNode conversion) {
    ObjectNode client = Json.objectAt(Json.objectAt(conversion, "webhook"), "clientConfig");
    ObjectNode service = Json.objectAt(client, "service");
    if (service != null && !service.has("port")) {
      service.put("port", 443);
    }
  }

  private static boolean isEmpty(ObjectNode names, String member) {
    String text = Json.text(names, member);
    return text == null || text.isEmpty();
  }
}
