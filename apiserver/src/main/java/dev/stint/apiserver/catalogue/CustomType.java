package dev.stint.apiserver.catalogue;

import dev.stint.apiextensions.definition.DefinitionPruning;
import dev.stint.apiextensions.schema.JsonSchema;
import dev.stint.apiextensions.value.CanonicalNumbers;
import dev.stint.apiextensions.value.Pruning;
import dev.stint.apiextensions.value.ScaleFields;
import dev.stint.apiserver.strategy.CustomVersions;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.document.Documents;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.schema.Schema;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The type of the documents of a custom kind.
 *
 * @param shown the kind of the documents, in their version
 * @param schema of this version
 * @param versions of the kind; null if its objects are shown as they are stored
 * @param openApi the schema as its definition has it; not to be changed
 * @param singular the singular name of its resource
 * @param listKind the kind of lists, whose items have a kind of their own; null for the usual lists
 * @param deprecation the warning for those who use this version; "" for none
 * @param scale null if there is no such subresource
 */
public record CustomType(
    Kind shown,
    JsonSchema schema,
    @Nullable CustomVersions versions,
    ObjectNode openApi,
    String singular,
    @Nullable String listKind,
    String deprecation,
    @Nullable ScaleFields scale) {
  /** Returns the type of definitions of custom resources. */
  static CustomType ofDefinitions() {
    ObjectNode open = Json.object().put("type", "object");
    open.put("x-kubernetes-preserve-unknown-fields", true);
    return new CustomType(
        Kind.CUSTOM_RESOURCE_DEFINITION,
        DefinitionPruning.all(),
        null,
        open,
        "customresourcedefinition",
        null,
        "",
        null);
  }

  /** Returns a document without unknown members, which count as faults. */
  public Documents.Decoded decode(Documents.Decoded document) {
    FieldErrors faults = new FieldErrors();
    faults.addAll(document.faults());
    ObjectNode known = decode(document.tree(), faults);
    return new Documents.Decoded(known, faults.list());
  }

  /**
   * Returns a document without the members that the schema does not name, and with the numbers of
   * custom resources.
   *
   * @param tree not changed
   * @param faults collects unknown members, a number that is too large, and faults of the metadata
   */
  public ObjectNode decode(ObjectNode tree, FieldErrors faults) {
    List<String> removed = new ArrayList<>();
    ObjectNode sound = isOfDefinitions() ? tree : CanonicalNumbers.of(tree, faults);
    ObjectNode known = Pruning.prune(sound, schema, removed);
    ObjectNode metadata = Json.objectAt(tree, "metadata");
    if (metadata != null) {
      known = Json.copyOf(known);
      known.set(
          "metadata", Documents.decode("metadata", metadata, Schema.type("ObjectMeta"), faults));
    } else if (tree.hasNonNull("metadata")) {
      faults.undecodable("metadata", "must be an object");
    }
    removed.forEach(path -> faults.unknown(path, "unknown field"));
    return known;
  }

  /** True for definitions, whose fields have types of their own. */
  private boolean isOfDefinitions() {
    return shown.equals(Kind.CUSTOM_RESOURCE_DEFINITION);
  }
}
