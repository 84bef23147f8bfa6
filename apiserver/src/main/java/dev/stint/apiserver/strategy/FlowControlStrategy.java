package dev.stint.apiserver.strategy;

import dev.stint.model.Kind;
import dev.stint.model.field.FieldError;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.flowcontrol.FlowSchemaRules;
import dev.stint.model.flowcontrol.PriorityLevelRules;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Strategies of flow schemas and priority levels, whose status the server keeps. */
public abstract class FlowControlStrategy extends CheckedStrategy {
  private FlowControlStrategy(Kind kind) {
    super(kind);
  }

  public static Strategy ofFlowSchemas() {
    return new OfFlowSchema();
  }

  public static Strategy ofPriorityLevels() {
    return new OfPriorityLevel();
  }

  @Override
  public boolean hasStatus() {
    return true;
  }

  @Override
  public boolean hasGeneration() {
    return true;
  }

  @Override
  void prepare(ObjectNode object, @Nullable ObjectNode stored) {
    if (stored == null) {
      object.putObject("status");
    }
    complete(object);
  }

  @Override
  void checkChanged(FieldPath before, FieldPath after, FieldErrors faults) {
    checkNew(after, faults);
  }

  @Override
  public List<FieldError> updateStatus(ObjectNode before, ObjectNode after) {
    FieldErrors faults = new FieldErrors();
    checkStatus(FieldPath.root(after).get("status"), faults);
    return faults.list();
  }

  abstract void complete(ObjectNode object);

  abstract void checkStatus(FieldPath status, FieldErrors faults);

  /** Flow schemas. */
  private static final class OfFlowSchema extends FlowControlStrategy {
    OfFlowSchema() {
      super(Kind.FLOW_SCHEMA);
    }

    @Override
    void complete(ObjectNode schema) {
      FlowSchemaRules.complete(schema);
    }

    @Override
    void checkNew(FieldPath root, FieldErrors faults) {
      FlowSchemaRules.check(root, faults);
    }

    @Override
    void checkStatus(FieldPath status, FieldErrors faults) {
      FlowSchemaRules.status(status, faults);
    }
  }

  /** Priority levels. */
  private static final class OfPriorityLevel extends FlowControlStrategy {
    OfPriorityLevel() {
      super(Kind.PRIORITY_LEVEL);
    }

    @Override
    void complete(ObjectNode level) {
      PriorityLevelRules.complete(level);
    }

    @Override
    void checkNew(FieldPath root, FieldErrors faults) {
      PriorityLevelRules.check(root, faults);
    }

    @Override
    void checkStatus(FieldPath status, FieldErrors faults) {
      PriorityLevelRules.status(status, faults);
    }
  }
}
