package dev.stint.apiextensions.value;

import dev.stint.apiextensions.schema.JsonSchema;
import dev.stint.model.Json;
import dev.stint.model.field.FieldError;
import dev.stint.model.field.Formats;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Objects within an object, such as templates, name their version and their kind. */
public final class EmbeddedResourceRules {
  private final Findings findings = new Findings(new Trail());

  private EmbeddedResourceRules() {}

  /** Returns the faults of all embedded objects. */
  public static List<FieldError> check(ObjectNode object, JsonSchema schema) {
    EmbeddedResourceRules rules = new EmbeddedResourceRules();
    rules.inside(object, schema);
    return List.copyOf(rules.findings.list());
  }

  private void walk(JsonNode value, JsonSchema schema) {
    if (schema.isEmbeddedResource() && value instanceof ObjectNode resource) {
      present(resource, "apiVersion");
      present(resource, "kind");
      kind(resource);
    }
    inside(value, schema);
  }

  private void present(ObjectNode resource, String member) {
    String text = Json.text(resource, member);
    if (text == null || text.isEmpty()) {
      findings.trail().enter(member);
      findings.add(FieldError.Type.REQUIRED, "must not be empty", null);
      findings.trail().leave();
    }
  }

  private void kind(ObjectNode resource) {
    String kind = Json.text(resource, "kind");
    if (kind == null || kind.isEmpty()) {
      return;
    }
    String fault = Formats.dnsLabel(kind.toLowerCase(Locale.ROOT));
    if (fault != null) {
      findings.trail().enter("kind");
      findings.add(FieldError.Type.INVALID, fault, Json.text(kind));
      findings.trail().leave();
    }
  }

  private void inside(JsonNode value, JsonSchema schema) {
    if (value instanceof ObjectNode object) {
      for (Map.Entry<String, JsonNode> member : object.properties()) {
        JsonSchema known = schema.member(member.getKey());
        if (known != null && member.getValue().isContainer()) {
          findings.trail().enter(member.getKey());
          walk(member.getValue(), known);
          findings.trail().leave();
        }
      }
    } else if (value.isArray() && schema.items() != null) {
      for (int i = 0; i < value.size(); i++) {
        findings.trail().enterIndex(i);
        walk(value.get(i), schema.items());
        findings.trail().leave();
      }
    }
  }
}
