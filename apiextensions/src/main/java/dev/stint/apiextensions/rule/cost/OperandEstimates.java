package dev.stint.apiextensions.rule.cost;

import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.types.CelKind;
import dev.cel.common.types.CelType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The operands of a call before the rule runs. */
record OperandEstimates(CostEstimator estimator, List<CelExpr> operands, List<Estimated> estimates)
    implements Operands {
  private static final double TEXT = 0.1;

  @Override
  public int count() {
    return operands.size();
  }

  @Override
  public Size size(int index) {
    return estimates.get(index).sizeOrUnknown();
  }

  @Override
  public long traversal(int index) {
    if (elementType(index) == null) {
      return size(index).cost(TEXT);
    }
    long item = hasTexts(index) ? SaturatingMath.plus(1, itemSize(index).cost(TEXT)) : 1;
    return SaturatingMath.times(size(index).max(), item);
  }

  @Override
  public Size itemSize(int index) {
    SizedPlace place = estimates.get(index).place();
    Size found = place.isComputed() ? null : place.part(SizedType::elements).size();
    return found == null ? Size.UNKNOWN : found;
  }

  @Override
  public boolean hasTexts(int index) {
    CelType element = elementType(index);
    return element != null && (element.kind() == CelKind.STRING || element.kind() == CelKind.BYTES);
  }

  @Override
  public boolean isText(int index) {
    return type(index).kind() == CelKind.STRING;
  }

  @Override
  public long number(int index, long otherwise) {
    CelExpr expr = operands.get(index);
    return expr.getKind() == CelExpr.ExprKind.Kind.CONSTANT
            && expr.constant().getKind() == CelConstant.Kind.INT64_VALUE
        ? expr.constant().int64Value()
        : otherwise;
  }

  @Override
  public @Nullable String libraryType(int index) {
    CelType type = type(index);
    boolean isLibrary = type.name().startsWith("kubernetes.") || type.name().startsWith("net.");
    return type.kind() == CelKind.OPAQUE && isLibrary ? type.name() : null;
  }

  @Override
  public @Nullable Size result() {
    return null;
  }

  private CelType type(int index) {
    return estimator.type(operands.get(index));
  }

  private @Nullable CelType elementType(int index) {
    List<CelType> parameters = type(index).parameters();
    return parameters.isEmpty() ? null : parameters.getFirst();
  }
}
