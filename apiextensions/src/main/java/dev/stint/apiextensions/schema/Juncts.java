package dev.stint.apiextensions.schema;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Schemas that are combined: value validations, which name no fields of their own. */
public record Juncts(
    List<JsonSchema> allOf,
    List<JsonSchema> anyOf,
    List<JsonSchema> oneOf,
    @Nullable JsonSchema not) {
  public static final Juncts NONE = new Juncts(List.of(), List.of(), List.of(), null);

  public boolean isEmpty() {
    return allOf.isEmpty() && anyOf.isEmpty() && oneOf.isEmpty() && not == null;
  }
}
