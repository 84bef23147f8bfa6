package dev.stint.apiserver.strategy;

import dev.stint.model.Kind;
import dev.stint.model.field.FieldError;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.kept.KeptRules;
import dev.stint.model.kept.StructuralRules;
import dev.stint.model.meta.MetadataRules;
import dev.stint.model.schema.ObjectSchema;
import dev.stint.model.schema.Schema;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The strategy of kinds that this server keeps for other programs: they have the fields of their
 * schema, its required and enumerated values, and rules. A status is empty at first, and is written
 * by separate requests.
 */
public final class KeptStrategy extends CheckedStrategy {
  private static final String STATUS = "status";

  /** The kinds whose writers have to say which revision they replace, as Kubernetes decided. */
  private static final Set<String> CONDITIONAL =
      Set.of("PodDisruptionBudget", "RuntimeClass", "APIService");

  private final ObjectSchema schema;
  private final KeptRules rules;
  private final boolean generation;
  private final List<String> written;

  /**
   * @param rules the rules of the kind, in addition to those of its schema
   * @param generation true if {@code metadata.generation} counts the changes of the objects
   */
  public KeptStrategy(Kind kind, KeptRules rules, boolean generation) {
    super(kind);
    this.schema = Schema.ofKind(kind.apiVersion(), kind.kind()).orElseThrow();
    this.rules = rules;
    this.generation = generation;
    this.written =
        schema.fields().keySet().stream()
            .filter(field -> !field.equals(STATUS) && !field.equals("metadata"))
            .toList();
  }

  @Override
  public boolean hasStatus() {
    return schema.field(STATUS) != null;
  }

  @Override
  public boolean hasGeneration() {
    return generation;
  }

  @Override
  public boolean allowsUnconditionalUpdate() {
    return !CONDITIONAL.contains(kind().kind());
  }

  @Override
  public List<List<String>> filledIn() {
    return rules.allocated();
  }

  @Override
  void metadata(FieldPath metadata, FieldErrors faults) {
    if (kind().namespaced()) {
      MetadataRules.create(metadata, rules::name, faults);
    } else {
      MetadataRules.createWithoutNamespace(metadata, rules::name, faults);
    }
  }

  @Override
  void metadata(FieldPath before, FieldPath after, FieldErrors faults) {
    MetadataRules.update(before, after, rules::name, faults);
  }

  @Override
  void prepare(ObjectNode object, @Nullable ObjectNode stored) {
    if (hasStatus() && stored == null) {
      object.putObject(STATUS);
    }
    JsonNode spec = object.get("spec");
    if (stored == null || spec == null || spec != stored.get("spec")) {
      rules.complete(object, stored);
    }
    if (generation && stored != null && schema.field("spec") == null && differ(stored, object)) {
      MetadataDefaults.countGeneration(stored, object);
    }
  }

  private boolean differ(ObjectNode stored, ObjectNode object) {
    return written.stream()
        .anyMatch(field -> !SemanticEquality.areEqual(stored.get(field), object.get(field)));
  }

  @Override
  void checkNew(FieldPath root, FieldErrors faults) {
    StructuralRules.check(root, schema, written, faults);
    rules.check(root, faults);
  }

  @Override
  void checkChanged(FieldPath before, FieldPath after, FieldErrors faults) {
    checkNew(after, faults);
    rules.checkChange(before, after, faults);
  }

  @Override
  public List<FieldError> updateStatus(ObjectNode before, ObjectNode after) {
    rules.completeStatus(after);
    FieldErrors faults = new FieldErrors();
    FieldPath root = FieldPath.root(after);
    StructuralRules.check(root, schema, List.of(STATUS), faults);
    rules.checkStatus(root, faults);
    return faults.list();
  }
}
