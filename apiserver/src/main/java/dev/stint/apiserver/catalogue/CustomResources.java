package dev.stint.apiserver.catalogue;

import dev.stint.apiextensions.definition.CompiledDefinition.CustomKind;
import dev.stint.apiextensions.definition.DefinitionNames;
import dev.stint.apiextensions.definition.DefinitionVersion;
import dev.stint.apiserver.selector.SelectableFields;
import dev.stint.apiserver.strategy.CustomStrategy;
import dev.stint.apiserver.strategy.DefinitionStrategy;
import dev.stint.apiserver.table.Columns;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The resources that a CustomResourceDefinition makes. */
public final class CustomResources {
  private CustomResources() {}

  /**
   * Returns the resources of a custom kind: the version in which its objects are stored, if that is
   * served.
   *
   * @param definition the document, whose schemas are shown to clients; not to be changed
   */
  public static List<ApiResource> of(CustomKind custom, ObjectNode definition) {
    DefinitionVersion version = custom.stored();
    return version.served() ? List.of(of(custom, version, definition)) : List.of();
  }

  private static ApiResource of(
      CustomKind custom, DefinitionVersion version, ObjectNode definition) {
    DefinitionNames names = custom.names();
    Kind kind =
        new Kind(
            custom.group(), version.name(), names.kind(), names.plural(), custom.isNamespaced());
    CustomType type =
        new CustomType(
            version.schema().root(),
            openApi(version.name(), definition),
            names.singular(),
            names.listKind());
    ApiResource resource =
        ApiResource.of(new CustomStrategy(kind, version.schema(), version.hasStatus()))
            .withShortNames(names.shortNames().toArray(String[]::new))
            .inCategories(names.categories())
            .withColumns(Columns.ofCustomKind(version.columns()))
            .withFields(SelectableFields.ofCustomKind(version.selectableFields()))
            .withCustomType(type);
    return DefinitionStrategy.isTerminating(definition) ? resource.without("create") : resource;
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
