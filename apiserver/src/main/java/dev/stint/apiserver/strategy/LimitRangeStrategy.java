package dev.stint.apiserver.strategy;

import dev.stint.model.Kind;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.limit.LimitRangeDefaults;
import dev.stint.model.limit.LimitRangeRules;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** The strategy of limit ranges. */
public final class LimitRangeStrategy extends CheckedStrategy {
  public LimitRangeStrategy() {
    super(Kind.LIMIT_RANGE);
  }

  @Override
  public boolean createsOnUpdate() {
    return true;
  }

  @Override
  void prepare(ObjectNode limitRange, @Nullable ObjectNode stored) {
    if (stored == null || stored.get("spec") != limitRange.get("spec")) {
      LimitRangeDefaults.apply(limitRange);
    }
  }

  @Override
  void checkNew(FieldPath root, FieldErrors faults) {
    LimitRangeRules.check(root.get("spec"), faults);
  }

  @Override
  void checkChanged(FieldPath before, FieldPath after, FieldErrors faults) {
    LimitRangeRules.check(after.get("spec"), faults);
  }
}
