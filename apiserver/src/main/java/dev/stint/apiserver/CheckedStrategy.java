package dev.stint.apiserver;

import dev.stint.model.Kind;
import dev.stint.model.field.At;
import dev.stint.model.field.Faults;
import dev.stint.model.field.FieldError;
import dev.stint.model.support.LeaseRules;
import dev.stint.model.support.NodeRules;
import dev.stint.model.support.PriorityClassRules;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** Kinds with sound metadata and a few rules of their own. */
abstract sealed class CheckedStrategy extends PlainStrategy {
  private CheckedStrategy(Kind kind) {
    super(kind);
  }

  @Override
  public final List<FieldError> create(ObjectNode object) {
    prepare(object);
    Faults faults = new Faults();
    faults.addAll(super.create(object));
    checkNew(At.root(object), faults);
    return faults.list();
  }

  @Override
  public final List<FieldError> update(ObjectNode before, ObjectNode after) {
    prepare(after);
    Faults faults = new Faults();
    faults.addAll(super.update(before, after));
    checkChanged(At.root(before), At.root(after), faults);
    return faults.list();
  }

  void prepare(ObjectNode object) {}

  abstract void checkNew(At root, Faults faults);

  abstract void checkChanged(At before, At after, Faults faults);

  /** Leases. */
  static final class OfLease extends CheckedStrategy {
    OfLease() {
      super(Kind.LEASE);
    }

    @Override
    void checkNew(At root, Faults faults) {
      LeaseRules.check(root.get("spec"), faults);
    }

    @Override
    void checkChanged(At before, At after, Faults faults) {
      LeaseRules.check(after.get("spec"), faults);
    }
  }

  /** Priority classes. */
  static final class OfPriorityClass extends CheckedStrategy {
    OfPriorityClass() {
      super(Kind.PRIORITY_CLASS);
    }

    @Override
    void prepare(ObjectNode object) {
      PriorityClassRules.complete(object);
    }

    @Override
    void checkNew(At root, Faults faults) {
      PriorityClassRules.create(root, faults);
    }

    @Override
    void checkChanged(At before, At after, Faults faults) {
      PriorityClassRules.update(before, after, faults);
    }
  }

  /** Nodes, whose status their agents write. */
  static final class OfNode extends CheckedStrategy {
    OfNode() {
      super(Kind.NODE);
    }

    @Override
    public boolean hasStatus() {
      return true;
    }

    @Override
    void checkNew(At root, Faults faults) {
      NodeRules.check(root.get("spec"), faults);
    }

    @Override
    void checkChanged(At before, At after, Faults faults) {
      NodeRules.check(after.get("spec"), faults);
    }
  }
}
