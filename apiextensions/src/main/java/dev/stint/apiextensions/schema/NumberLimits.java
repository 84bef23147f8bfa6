package dev.stint.apiextensions.schema;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** The bounds of numbers. */
public record NumberLimits(
    @Nullable BigDecimal minimum,
    @Nullable BigDecimal maximum,
    boolean exclusiveMinimum,
    boolean exclusiveMaximum,
    @Nullable BigDecimal multipleOf) {
  public static final NumberLimits NONE = new NumberLimits(null, null, false, false, null);
}
