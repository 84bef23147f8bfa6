package dev.stint.apiextensions.rule.library;

import dev.cel.common.types.CelType;
import dev.cel.common.types.OpaqueType;
import dev.stint.apiextensions.rule.cost.LibraryValue;
import dev.stint.model.Quantity;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** A quantity in a rule. */
final class CelQuantity extends LibraryValue {
  static final CelType TYPE = OpaqueType.create("kubernetes.Quantity");

  private final Quantity quantity;

  CelQuantity(Quantity quantity) {
    this.quantity = quantity;
  }

  BigDecimal number() {
    return quantity.value();
  }

  CelQuantity plus(BigDecimal more) {
    return new CelQuantity(new Quantity(quantity.value().add(more), quantity.style()));
  }

  @Override
  public CelType celType() {
    return TYPE;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof CelQuantity amount && number().compareTo(amount.number()) == 0;
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
