package dev.stint.apiextensions.rule.cost;

import dev.cel.common.values.CelValue;

/** A value of a type that a library of Kubernetes adds, such as a quantity or an address. */
public abstract class LibraryValue extends CelValue {
  /** Returns the size by which calls that work on this value are counted. */
  public long size() {
    return 1;
  }

  @Override
  public Object value() {
    return this;
  }

  @Override
  public boolean isZeroValue() {
    return false;
  }
}
