package dev.stint.apiserver.strategy;

import dev.stint.apiextensions.schema.JsonSchema;
import dev.stint.apiextensions.structure.StructuralSchema;
import dev.stint.apiextensions.value.Defaulting;
import dev.stint.apiextensions.value.Pruning;
import dev.stint.model.Kind;
import dev.stint.model.field.FieldError;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.field.Formats;
import dev.stint.model.meta.MetadataRules;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The strategy of custom resources: they have the members, defaults and rules of the schema in
 * their definition.
 */
public final class CustomStrategy implements Strategy {
  private static final String STATUS = "status";

  private final Kind kind;
  private final JsonSchema schema;
  private final CustomContent content;
  private final boolean status;

  /**
   * @param status true if the status is a subresource
   */
  public CustomStrategy(Kind kind, StructuralSchema schema, boolean status) {
    this.kind = kind;
    this.schema = schema.root();
    this.content = new CustomContent(schema);
    this.status = status;
  }

  @Override
  public Kind kind() {
    return kind;
  }

  @Override
  public boolean hasStatus() {
    return status;
  }

  @Override
  public boolean hasGeneration() {
    return true;
  }

  @Override
  public List<FieldError> create(ObjectNode object) {
    if (status) {
      object.remove(STATUS);
    }
    complete(object);
    FieldErrors faults = new FieldErrors();
    FieldPath metadata = FieldPath.root(object).get("metadata");
    if (kind.namespaced()) {
      MetadataRules.createWithAnyFinalizer(metadata, Formats::dnsSubdomain, faults);
    } else {
      MetadataRules.createClusterWide(metadata, Formats::dnsSubdomain, faults);
    }
    faults.addAll(content.create(object));
    return faults.list();
  }

  @Override
  public List<FieldError> update(ObjectNode before, ObjectNode after) {
    complete(after);
    FieldErrors faults = new FieldErrors();
    MetadataRules.updateStatus(
        FieldPath.root(before).get("metadata"), FieldPath.root(after).get("metadata"), faults);
    faults.addAll(content.update(before, after));
    if (differBesideTheSpec(before, after)) {
      MetadataDefaults.countGeneration(before, after);
    }
    return faults.list();
  }

  @Override
  public List<FieldError> updateStatus(ObjectNode before, ObjectNode after) {
    complete(after);
    return content.update(before, after);
  }

  /**
   * Removes unknown members, and fills in defaults. These may have unknown metadata for embedded
   * objects.
   */
  private void complete(ObjectNode object) {
    ObjectNode known = Pruning.prune(object, schema);
    ObjectNode complete = Defaulting.apply(known, schema);
    if (complete != known) {
      complete = Pruning.prune(complete, schema);
    }
    if (complete != object) {
      JsonNode metadata = object.get("metadata");
      object.removeAll();
      object.setAll(complete);
      object.set("metadata", metadata);
    }
  }

  /**
   * True if the generation has to count a change that is not in the spec, which is counted for all
   * kinds alike.
   */
  private boolean differBesideTheSpec(ObjectNode before, ObjectNode after) {
    return SemanticEquality.areEqual(before.get("spec"), after.get("spec"))
        && !SemanticEquality.areEqual(counted(before), counted(after));
  }

  private ObjectNode counted(ObjectNode object) {
    ObjectNode counted = object.objectNode();
    for (Map.Entry<String, JsonNode> member : object.properties()) {
      if (!member.getKey().equals("metadata") && !(status && member.getKey().equals(STATUS))) {
        counted.set(member.getKey(), member.getValue());
      }
    }
    return counted;
  }
}
