package dev.stint.apiserver;

import dev.stint.apiserver.strategy.ChangeOutcome;
import dev.stint.apiserver.strategy.ObjectUpdate;
import dev.stint.apiserver.strategy.Strategy;
import dev.stint.cluster.ClusterException;
import tools.jackson.databind.node.ObjectNode;

/** The parts of an object that have separate write requests. */
public enum ObjectPart {
  /** The object without its status. */
  MAIN {
    @Override
    ChangeOutcome of(Strategy strategy, ObjectNode before, ObjectNode wanted) {
      return ObjectUpdate.main(strategy, before, wanted);
    }
  },
  /** The status and the metadata. */
  STATUS {
    @Override
    ChangeOutcome of(Strategy strategy, ObjectNode before, ObjectNode wanted) {
      return ObjectUpdate.status(strategy, before, wanted);
    }
  },
  /** The finalizers of a namespace that is being deleted, and the metadata. */
  FINALIZE {
    @Override
    ChangeOutcome of(Strategy strategy, ObjectNode before, ObjectNode wanted) {
      return ObjectUpdate.finalizers(strategy, before, wanted);
    }
  };

  /** Returns the part that a subresource writes; "" for the object itself. */
  public static ObjectPart of(String subresource) {
    return switch (subresource) {
      case "status" -> STATUS;
      case "finalize" -> FINALIZE;
      default -> MAIN;
    };
  }

  /** Returns the outcome of writing a document to this part of an object. */
  abstract ChangeOutcome of(Strategy strategy, ObjectNode before, ObjectNode wanted)
      throws ClusterException;
}
