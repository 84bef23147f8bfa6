package dev.stint.apiserver;

import dev.stint.apiserver.strategy.ChangeOutcome;
import dev.stint.apiserver.strategy.ObjectUpdate;
import dev.stint.apiserver.strategy.Strategy;
import dev.stint.cluster.ClusterException;
import tools.jackson.databind.node.ObjectNode;

/** The parts of an object that are written by requests of their own. */
public enum ObjectPart {
  /** All but the status. */
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
  /** What holds a namespace that is being deleted, and the metadata. */
  FINALIZE {
    @Override
    ChangeOutcome of(Strategy strategy, ObjectNode before, ObjectNode wanted) {
      return ObjectUpdate.finalizers(strategy, before, wanted);
    }
  };

  /** Returns the part that a subresource is; "" for the object itself. */
  public static ObjectPart of(String subresource) {
    return switch (subresource) {
      case "status" -> STATUS;
      case "finalize" -> FINALIZE;
      default -> MAIN;
    };
  }

  /** Returns what a document makes of this part of an object. */
  abstract ChangeOutcome of(Strategy strategy, ObjectNode before, ObjectNode wanted)
      throws ClusterException;
}
