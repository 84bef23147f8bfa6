package dev.stint.apiextensions.definition;

import dev.stint.model.field.FieldError;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The result of compiling a CustomResourceDefinition: a custom kind, or the faults in it. */
public sealed interface CompiledDefinition {

  /**
   * A custom kind. Immutable.
   *
   * @param webhook converts objects between versions; null if they differ in their {@code
   *     apiVersion} alone
   */
  record CustomKind(
      String group,
      DefinitionNames names,
      boolean isNamespaced,
      List<DefinitionVersion> versions,
      @Nullable ConversionWebhook webhook)
      implements CompiledDefinition {

    /** Returns this kind under other names. */
    public CustomKind withNames(DefinitionNames other) {
      return new CustomKind(group, other, isNamespaced, versions, webhook);
    }

    /** Returns the version in which objects are stored. */
    public DefinitionVersion stored() {
      return versions.stream().filter(DefinitionVersion::storage).findFirst().orElseThrow();
    }
  }

  record Faulty(List<FieldError> faults) implements CompiledDefinition {}
}
