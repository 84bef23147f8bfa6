package dev.stint.apiserver.strategy;

import dev.stint.apiextensions.schema.JsonSchema;
import dev.stint.apiextensions.structure.StructuralSchema;
import dev.stint.apiserver.patch.DocumentShape;
import dev.stint.model.Kind;
import dev.stint.model.field.FieldError;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.field.Formats;
import dev.stint.model.meta.MetadataRules;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The strategy of custom resources: they have the members, defaults and rules of the schema in
 * their definition.
 */
public final class CustomStrategy implements Strategy {
  private static final String STATUS = "status";

  /** The members that generations don't count. */
  private static final Set<String> UNCOUNTED = Set.of("apiVersion", "kind", "metadata");

  private final Kind kind;
  private final String apiVersion;
  private final CustomVersions versions;
  private final JsonSchema schema;
  private final CustomContent content;
  private final boolean status;
  private final DocumentShape shape;

  /**
   * @param apiVersion by which writers know the objects
   * @param status true if the status is a subresource
   */
  public CustomStrategy(
      CustomVersions versions, String apiVersion, StructuralSchema schema, boolean status) {
    this.kind = versions.stored();
    this.apiVersion = apiVersion;
    this.versions = versions;
    this.schema = schema.root();
    this.content = new CustomContent(schema);
    this.status = status;
    this.shape = DocumentShape.ofCustomKind(schema.root(), versions.names(), status);
  }

  @Override
  public Kind kind() {
    return kind;
  }

  @Override
  public String apiVersion() {
    return apiVersion;
  }

  @Override
  public DocumentShape shape() {
    return shape;
  }

  @Override
  public ObjectNode shown(ObjectNode stored) {
    return versions.shown(stored, apiVersion);
  }

  @Override
  public ObjectNode kept(ObjectNode shown) {
    return versions.kept(shown);
  }

  @Override
  public boolean isCurrent(ObjectNode stored) {
    return versions.isCurrent(stored);
  }

  @Override
  public boolean mayWait() {
    return versions.converter().isRemote();
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
  public boolean allowsUnconditionalUpdate() {
    return false;
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

  /** Returns whatever there is: a schema may want another type, and may require members. */
  @Override
  public @Nullable JsonNode wantedStatus(ObjectNode wanted) {
    return wanted.get(STATUS);
  }

  @Override
  public List<FieldError> updateStatus(ObjectNode before, ObjectNode after) {
    after.set("metadata", before.get("metadata").deepCopy());
    complete(after);
    return content.update(before, after);
  }

  /** Removes unknown members, and fills in defaults. */
  private void complete(ObjectNode object) {
    ObjectNode complete = CustomVersions.complete(object, schema);
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
      if (!UNCOUNTED.contains(member.getKey()) && !(status && member.getKey().equals(STATUS))) {
        counted.set(member.getKey(), member.getValue());
      }
    }
    return counted;
  }
}
