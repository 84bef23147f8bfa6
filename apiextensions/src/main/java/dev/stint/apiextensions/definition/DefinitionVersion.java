package dev.stint.apiextensions.definition;

import dev.stint.apiextensions.structure.StructuralSchema;
import dev.stint.apiextensions.value.ScalePaths;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A version of a custom kind.
 *
 * @param deprecationWarning "" for none
 * @param hasStatus whether status is a subresource
 * @param scale null if there is no such subresource
 * @param selectableFields paths such as {@code .spec.color}
 */
public record DefinitionVersion(
    String name,
    boolean served,
    boolean storage,
    boolean deprecated,
    String deprecationWarning,
    StructuralSchema schema,
    boolean hasStatus,
    @Nullable ScalePaths scale,
    List<PrinterColumn> columns,
    List<String> selectableFields) {}
