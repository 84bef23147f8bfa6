package dev.stint.apiextensions.definition;

import java.util.List;

/** The names of a custom kind. */
public record DefinitionNames(
    String plural,
    String singular,
    String kind,
    String listKind,
    List<String> shortNames,
    List<String> categories) {
  /** No names at all. */
  public static final DefinitionNames NONE =
      new DefinitionNames("", "", "", "", List.of(), List.of());
}
