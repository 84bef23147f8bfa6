package dev.stint.apiserver.patch;

import dev.stint.apiserver.patch.FieldDifference.Difference;
import dev.stint.model.document.DocumentSyntaxException;
import dev.stint.model.document.Documents;
import dev.stint.model.meta.MetadataRules;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The configuration that {@code kubectl apply} keeps in an annotation. When kubectl migrates to
 * server-side apply, fields that it applied before and nobody changed since cause no conflict, and
 * the annotation follows what is applied (Kubernetes documentation, "Upgrading from client-side
 * apply to server-side apply").
 */
final class LastApplied {
  private static final String ANNOTATION = "kubectl.kubernetes.io/last-applied-configuration";
  private static final String KUBECTL = "kubectl";

  private LastApplied() {}

  /** Returns the fields that kubectl applied and that are unchanged; none for other managers. */
  static ObjectNode unchanged(ObjectNode live, FieldManager manager, SchemaNode shape) {
    String text = annotation(live, manager);
    ObjectNode last = text == null ? null : parsed(text);
    if (last == null || !DocumentValues.same(last.path("apiVersion"), live.path("apiVersion"))) {
      return FieldSets.none();
    }
    Difference since = FieldDifference.between(last, live, shape);
    ObjectNode same = FieldSets.minus(FieldDifference.listed(last, shape), since.changed());
    return FieldSets.minus(same, since.removed());
  }

  /**
   * Returns the object with the new configuration in its annotation, if it has that annotation;
   * without it if the annotations would be too long: then only the managed fields tell.
   */
  static ObjectNode kept(ObjectNode applied, ObjectNode intent, FieldManager manager) {
    if (annotation(applied, manager) == null) {
      return applied;
    }
    ObjectNode result = applied.deepCopy();
    ObjectNode annotations =
        result.withObjectProperty("metadata").withObjectProperty("annotations");
    annotations.put(ANNOTATION, without(intent) + "\n");
    if (MetadataRules.areTooLong(annotations)) {
      annotations.remove(ANNOTATION);
    }
    return result;
  }

  private static ObjectNode without(ObjectNode intent) {
    ObjectNode bare = intent.deepCopy();
    ObjectNode metadata = bare.withObjectProperty("metadata");
    metadata.remove(ManagedFields.MEMBER);
    if (metadata.get("annotations") instanceof ObjectNode annotations) {
      annotations.remove(ANNOTATION);
    }
    return bare;
  }

  private static @Nullable String annotation(ObjectNode object, FieldManager manager) {
    JsonNode text = object.path("metadata").path("annotations").get(ANNOTATION);
    boolean there = text != null && text.isString() && !text.stringValue().isEmpty();
    return there && manager.name().equals(KUBECTL) ? text.stringValue() : null;
  }

  private static @Nullable ObjectNode parsed(String text) {
    try {
      JsonNode read = Documents.readJson(text.getBytes(StandardCharsets.UTF_8)).tree();
      return read instanceof ObjectNode object ? object : null;
    } catch (DocumentSyntaxException broken) {
      return null;
    }
  }
}
