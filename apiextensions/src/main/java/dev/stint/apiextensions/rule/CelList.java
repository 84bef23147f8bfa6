package dev.stint.apiextensions.rule;

import dev.cel.common.types.CelType;
import dev.stint.apiextensions.rule.RuleType.ListOf;
import dev.stint.apiextensions.rule.RuleType.Order;
import java.util.AbstractList;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;

/** A list, which knows whether the order of its items counts. */
final class CelList extends ListValue {
  private final ListOf type;

  CelList(ArrayNode list, ListOf type) {
    super(items(list, type.elements()));
    this.type = type;
  }

  private static List<Object> items(ArrayNode list, RuleType items) {
    return new AbstractList<>() {
      @Override
      public Object get(int index) {
        if (index < 0 || index >= list.size()) {
          throw new IndexOutOfBoundsException("Index out of bounds: " + index);
        }
        return CelValues.of(list.get(index), items);
      }

      @Override
      public int size() {
        return list.size();
      }
    };
  }

  @Override
  public CelType celType() {
    return type.celType();
  }

  ListOf type() {
    return type;
  }

  boolean isOrdered() {
    return type.order() == Order.ATOMIC;
  }
}
