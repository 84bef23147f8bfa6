package dev.stint.apiextensions.rule.library;

import dev.cel.common.types.CelType;
import dev.cel.common.types.OpaqueType;
import dev.stint.apiextensions.rule.cost.LibraryValue;
import dev.stint.model.Quantity;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** A quantity in a rule. */
final class Amount extends LibraryValue {
  static final CelType TYPE = OpaqueType.create("kubernetes.Quantity");

  private final Quantity quantity;

  Amount(Quantity quantity) {
    this.quantity = quantity;
  }

  BigDecimal number() {
    return quantity.value();
  }

  Amount plus(BigDecimal more) {
    return new Amount(new Quantity(quantity.value().add(more), quantity.style()));
  }

  @Override
  public CelType celType() {
    return TYPE;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Amount amount && number().compareTo(amount.number()) == 0;
  }

  @Override
  public int hashCode() {
    return number().stripTrailingZeros().hashCode();
  }

  @Override
  public String toString() {
    return quantity.canonical();
  }
}
