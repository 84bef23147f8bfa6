package dev.stint.apiextensions.definition;

import dev.stint.apiextensions.definition.CompiledDefinition.CustomKind;
import dev.stint.apiextensions.definition.CompiledDefinition.Faulty;
import dev.stint.apiextensions.rule.CostLimits;
import dev.stint.apiextensions.schema.Keywords;
import dev.stint.apiextensions.structure.StructuralSchema;
import dev.stint.model.Json;
import dev.stint.model.field.FieldErrors;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Checks a CustomResourceDefinition and makes of it what the API needs.
 *
 * <p>As in Kubernetes, what all versions have in common is named as if it stood once in the spec:
 * {@code spec.validation.openAPIV3Schema}.
 */
public final class DefinitionCompiler {
  private final Keywords spec;
  private final Function<ObjectNode, CostLimits> limits;
  private final FieldErrors faults;
  private final List<Keywords> versions = new ArrayList<>();

  private DefinitionCompiler(
      ObjectNode spec, Function<ObjectNode, CostLimits> limits, FieldErrors faults) {
    this.spec = new Keywords(spec, "spec", faults);
    this.limits = limits;
    this.faults = faults;
    List<JsonNode> found = this.spec.values("versions");
    for (int i = 0; i < found.size(); i++) {
      String path = "spec.versions[" + i + "]";
      if (found.get(i) instanceof ObjectNode version) {
        versions.add(new Keywords(version, path, faults));
      } else {
        faults.undecodable(path, "a version must be an object");
      }
    }
  }

  /**
   * Returns the kind that a new and complete definition describes, or its faults.
   *
   * @param definition not changed
   */
  public static CompiledDefinition compile(ObjectNode definition) {
    return compile(definition, _ -> CostLimits.STANDARD);
  }

  /** Returns the same of a changed definition. A rule of a schema that stays may cost anything. */
  public static CompiledDefinition compile(ObjectNode definition, ObjectNode before) {
    return compile(
        definition,
        version -> isUnchanged(version, before) ? CostLimits.UNCHANGED : CostLimits.STANDARD);
  }

  /** Returns the same of a stored definition, which is served whatever its rules cost. */
  public static CompiledDefinition compileStored(ObjectNode definition) {
    return compile(definition, _ -> CostLimits.NONE);
  }

  private static CompiledDefinition compile(
      ObjectNode definition, Function<ObjectNode, CostLimits> limits) {
    FieldErrors faults = new FieldErrors();
    ObjectNode found = Json.objectAt(definition, "spec");
    ObjectNode spec = found == null ? Json.object() : found;
    CustomKind kind = new DefinitionCompiler(spec, limits, faults).kind(definition);
    return kind == null ? new Faulty(faults.list()) : kind;
  }

  private static boolean isUnchanged(ObjectNode version, ObjectNode before) {
    for (JsonNode old : before.at("/spec/versions")) {
      if (Objects.equals(old.get("name"), version.get("name"))) {
        return Objects.equals(old.get("schema"), version.get("schema"));
      }
    }
    return false;
  }

  private @Nullable CustomKind kind(ObjectNode tree) {
    Keywords names = new Keywords(objectOf(spec, "names"), "spec.names", faults);
    NameRules.check(tree, spec, names);
    VersionRules.check(spec, versions);
    ConversionRules.check(spec);
    List<DefinitionVersion> compiled = compiledVersions();
    return faults.isEmpty()
        ? new CustomKind(
            spec.text("group"),
            names(names),
            spec.text("scope").equals("Namespaced"),
            compiled,
            ConversionRules.webhook(spec))
        : null;
  }

  private static DefinitionNames names(Keywords names) {
    return new DefinitionNames(
        names.text("plural"),
        names.text("singular"),
        names.text("kind"),
        names.text("listKind"),
        names.texts("shortNames"),
        names.texts("categories"));
  }

  private List<DefinitionVersion> compiledVersions() {
    boolean oneSchema = areAlike("schema");
    StructuralSchema shared = null;
    List<DefinitionVersion> compiled = new ArrayList<>();
    for (int i = 0; i < versions.size(); i++) {
      Keywords version = versions.get(i);
      boolean again = oneSchema && i > 0;
      StructuralSchema schema = again ? shared : schema(version, oneSchema);
      shared = schema;
      if (schema != null) {
        compiled.add(version(version, schema, i));
      }
    }
    return List.copyOf(compiled);
  }

  private @Nullable StructuralSchema schema(Keywords version, boolean once) {
    Keywords holder =
        new Keywords(
            objectOf(version, "schema"), once ? "spec.validation" : version.at("schema"), faults);
    JsonNode tree = holder.get("openAPIV3Schema");
    if (tree == null) {
      faults.required(version.at("schema.openAPIV3Schema"), "schemas are required");
      return null;
    }
    return StructuralSchema.compile(
        tree, holder.at("openAPIV3Schema"), limits.apply(version.tree()), faults);
  }

  private DefinitionVersion version(Keywords version, StructuralSchema schema, int index) {
    Keywords subresources = part(version, "subresources", index);
    Keywords columns = part(version, "additionalPrinterColumns", index);
    Keywords selectable = part(version, "selectableFields", index);
    return new DefinitionVersion(
        version.text("name"),
        version.isTrue("served"),
        version.isTrue("storage"),
        version.isTrue("deprecated"),
        version.text("deprecationWarning"),
        schema,
        SubresourceRules.hasStatus(subresources),
        SubresourceRules.scale(subresources),
        ColumnRules.columns(columns),
        SelectableFieldRules.fields(selectable, schema.root()));
  }

  /**
   * Returns a part of a version, at the place of which its faults are reported. What all versions
   * have in common is reported for the first one only.
   */
  private Keywords part(Keywords version, String name, int index) {
    boolean alike = areAlike(name);
    return new Keywords(
        version.tree(),
        alike ? "spec" : version.path(),
        alike && index > 0 ? new FieldErrors() : faults);
  }

  private boolean areAlike(String name) {
    JsonNode first = versions.isEmpty() ? null : versions.getFirst().get(name);
    return versions.stream().allMatch(version -> Objects.equals(version.get(name), first));
  }

  private static ObjectNode objectOf(Keywords holder, String name) {
    ObjectNode found = holder.object(name);
    return found == null ? Json.object() : found;
  }
}
