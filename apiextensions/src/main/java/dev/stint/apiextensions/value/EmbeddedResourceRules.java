package dev.stint.apiextensions.value;

import dev.stint.apiextensions.schema.JsonSchema;
import dev.stint.model.Json;
import dev.stint.model.document.Documents;
import dev.stint.model.field.FieldError;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.field.Formats;
import dev.stint.model.field.Trail;
import dev.stint.model.meta.MetadataRules;
import dev.stint.model.schema.Schema;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Objects within an object, such as templates, name their version and their kind. Their metadata
 * are sound, where they have some.
 */
public final class EmbeddedResourceRules {
  private final Findings findings = new Findings(new Trail());

  private EmbeddedResourceRules() {}

  /** Returns the faults of all embedded objects. */
  public static List<FieldError> check(ObjectNode object, JsonSchema schema) {
    EmbeddedResourceRules rules = new EmbeddedResourceRules();
    rules.inside(object, schema);
    return List.copyOf(rules.findings.list());
  }

  /** Returns the faults of a value that may be an embedded object itself. */
  public static List<FieldError> checkValue(JsonNode value, JsonSchema schema) {
    EmbeddedResourceRules rules = new EmbeddedResourceRules();
    rules.walk(value, schema);
    return List.copyOf(rules.findings.list());
  }

  private void walk(JsonNode value, JsonSchema schema) {
    if (schema.isEmbeddedResource() && value instanceof ObjectNode resource) {
      present(resource, "apiVersion");
      present(resource, "kind");
      kind(resource);
      metadata(resource.path("metadata"));
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

  private void metadata(JsonNode metadata) {
    FieldErrors faults = new FieldErrors();
    if (!(metadata instanceof ObjectNode object)) {
      if (!metadata.isMissingNode() && !metadata.isNull()) {
        invalidMetadata("must be an object", metadata);
      }
      return;
    }
    ObjectNode known = Documents.decode(object, Schema.type("ObjectMeta"), faults);
    Optional<FieldError> undecodable =
        faults.list().stream()
            .filter(fault -> fault.type() == FieldError.Type.UNDECODABLE)
            .findFirst();
    undecodable.ifPresentOrElse(
        fault -> invalidMetadata(fault.path() + " " + fault.detail(), metadata),
        () -> soundMetadata(known));
  }

  private void invalidMetadata(String detail, JsonNode metadata) {
    findings.trail().enter("metadata");
    findings.add(FieldError.Type.INVALID, detail, metadata);
    findings.trail().leave();
  }

  private void soundMetadata(ObjectNode known) {
    FieldErrors faults = new FieldErrors();
    ObjectNode resource = Json.object();
    resource.set("metadata", known);
    FieldPath metadata = FieldPath.root(resource).get("metadata");
    FieldPath name = metadata.get("name");
    if (!name.isEmpty()) {
      faults.invalidUnlessSound(name, Formats.pathSegment(name.text()));
    }
    MetadataRules.labelsAndAnnotations(metadata, faults);
    faults.list().forEach(findings::addWithin);
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
