package dev.stint.apiserver.strategy;

import dev.stint.model.Kind;
import dev.stint.model.field.FieldError;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.limit.LimitRangeDefaults;
import dev.stint.model.limit.LimitRangeRules;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** The strategy of limit ranges. */
public final class LimitRangeStrategy extends PlainStrategy {
  public LimitRangeStrategy() {
    super(Kind.LIMIT_RANGE);
  }

  @Override
  public boolean createsOnUpdate() {
    return true;
  }

  @Override
  public List<FieldError> create(ObjectNode limitRange) {
    LimitRangeDefaults.apply(limitRange);
    return checked(super.create(limitRange), limitRange);
  }

  @Override
  public List<FieldError> update(ObjectNode before, ObjectNode after) {
    if (before.get("spec") != after.get("spec")) {
      LimitRangeDefaults.apply(after);
    }
    return checked(super.update(before, after), after);
  }

  private static List<FieldError> checked(List<FieldError> found, ObjectNode limitRange) {
    FieldErrors faults = new FieldErrors();
    faults.addAll(found);
    LimitRangeRules.check(FieldPath.root(limitRange).get("spec"), faults);
    return faults.list();
  }
}
