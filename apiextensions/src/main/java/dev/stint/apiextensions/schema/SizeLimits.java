package dev.stint.apiextensions.schema;

import org.jspecify.annotations.Nullable;

/** The sizes of lists and objects. */
public record SizeLimits(
    @Nullable Long minItems,
    @Nullable Long maxItems,
    boolean uniqueItems,
    @Nullable Long minProperties,
    @Nullable Long maxProperties) {
  public static final SizeLimits NONE = new SizeLimits(null, null, false, null, null);
}
