package dev.stint.apiextensions.rule.cost;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The part of an object from which an expression takes its value. It limits the value's size.
 *
 * @param root the type of the whole object
 * @param type null if the part is not known, or if the value is computed
 * @param isComputed whether the value is made by the expression
 */
record SizedPlace(SizedType root, @Nullable SizedType type, boolean isComputed) {
  static SizedPlace whole(SizedType root) {
    return new SizedPlace(root, root, false);
  }

  static SizedPlace computed(SizedType root) {
    return new SizedPlace(root, null, true);
  }

  /**
   * Returns the place of a part of this value. As in Kubernetes, what a computed value holds counts
   * as the whole object.
   */
  SizedPlace part(Function<SizedType, @Nullable SizedType> step) {
    if (isComputed) {
      return whole(root);
    }
    return type == null ? this : new SizedPlace(root, step.apply(type), false);
  }

  /** Returns the size of the value; null if the place does not limit it. */
  @Nullable Size size() {
    return type == null ? null : Size.atMost(type.maxElements());
  }
}
