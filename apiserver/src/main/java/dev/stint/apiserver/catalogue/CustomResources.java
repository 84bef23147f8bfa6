package dev.stint.apiserver.catalogue;

import dev.stint.apiextensions.definition.CompiledDefinition.CustomKind;
import dev.stint.apiextensions.definition.DefinitionNames;
import dev.stint.apiextensions.definition.DefinitionVersion;
import dev.stint.apiextensions.schema.JsonSchema;
import dev.stint.apiextensions.value.ScaleFields;
import dev.stint.apiserver.conversion.ObjectConverter;
import dev.stint.apiserver.selector.SelectableFields;
import dev.stint.apiserver.strategy.CustomStrategy;
import dev.stint.apiserver.strategy.CustomVersions;
import dev.stint.apiserver.strategy.DefinitionStrategy;
import dev.stint.apiserver.table.Columns;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The resources that a CustomResourceDefinition makes. */
public final class CustomResources {
  private CustomResources() {}

  /**
   * Returns the resources of a custom kind, one for each version that is served or stored.
   *
   * @param definition the document, whose schemas are shown to clients; not to be changed
   * @param converter between the versions
   */
  public static List<ApiResource> of(
      CustomKind custom, ObjectNode definition, ObjectConverter converter) {
    CustomVersions versions = versions(custom, converter);
    return custom.versions().stream()
        .filter(version -> version.served() || version.storage())
        .map(version -> of(custom, versions, version, definition))
        .toList();
  }

  private static CustomVersions versions(CustomKind custom, ObjectConverter converter) {
    Map<String, JsonSchema> schemas = new HashMap<>();
    for (DefinitionVersion version : custom.versions()) {
      schemas.put(kind(custom, version).apiVersion(), version.schema().root());
    }
    return new CustomVersions(kind(custom, custom.stored()), schemas, converter);
  }

  private static Kind kind(CustomKind custom, DefinitionVersion version) {
    DefinitionNames names = custom.names();
    return new Kind(
        custom.group(), version.name(), names.kind(), names.plural(), custom.isNamespaced());
  }

  private static ApiResource of(
      CustomKind custom,
      CustomVersions versions,
      DefinitionVersion version,
      ObjectNode definition) {
    DefinitionNames names = custom.names();
    Kind kind = kind(custom, version);
    CustomType type =
        new CustomType(
            kind,
            version.schema().root(),
            versions,
            openApi(version.name(), definition),
            names.singular(),
            names.listKind(),
            deprecation(kind, version),
            version.scale() == null ? null : new ScaleFields(version.scale()));
    ApiResource resource =
        ApiResource.of(
                new CustomStrategy(
                    versions, kind.apiVersion(), version.schema(), version.hasStatus()))
            .shownAs(kind)
            .withShortNames(names.shortNames().toArray(String[]::new))
            .inCategories(names.categories())
            .withColumns(Columns.ofCustomKind(version.columns()))
            .withFields(SelectableFields.ofCustomKind(version.selectableFields()))
            .withCustomType(type);
    if (version.scale() != null) {
      resource = resource.withScale();
    }
    if (!version.served()) {
      return resource.unserved();
    }
    return DefinitionStrategy.isTerminating(definition) ? resource.without("create") : resource;
  }

  private static String deprecation(Kind kind, DefinitionVersion version) {
    if (!version.deprecated()) {
      return "";
    }
    return version.deprecationWarning().isEmpty()
        ? kind.apiVersion() + " " + kind.kind() + " is deprecated"
        : version.deprecationWarning();
  }

  private static ObjectNode openApi(String version, ObjectNode definition) {
    for (JsonNode each : definition.at("/spec/versions")) {
      if (each.path("name").asString("").equals(version)
          && each.at("/schema/openAPIV3Schema") instanceof ObjectNode schema) {
        return schema;
      }
    }
    return Json.object();
  }
}
