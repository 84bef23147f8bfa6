package dev.stint.apiserver;

import dev.stint.apiserver.outcome.ChangeOutcome;
import dev.stint.apiserver.outcome.ObjectUpdate;
import dev.stint.apiserver.strategy.Strategy;
import dev.stint.cluster.ClusterException;
import tools.jackson.databind.node.ObjectNode;

/** The target of a write: an object, or one of its subresources. */
public enum UpdateTarget {
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
  /** The number of replicas that an object wants. */
  SCALE {
    @Override
    ChangeOutcome of(Strategy strategy, ObjectNode before, ObjectNode wanted) {
      return ObjectUpdate.main(strategy, before, wanted);
    }
  },
  /** The conditions of a request for a certificate, which say whether it is approved. */
  APPROVAL {
    @Override
    ChangeOutcome of(Strategy strategy, ObjectNode before, ObjectNode wanted) {
      return ObjectUpdate.conditions(strategy, before, wanted);
    }
  },
  /** The finalizers of a namespace that is being deleted, and the metadata. */
  FINALIZE {
    @Override
    ChangeOutcome of(Strategy strategy, ObjectNode before, ObjectNode wanted) {
      return ObjectUpdate.finalizers(strategy, before, wanted);
    }
  };

  /** Returns the target of a subresource; "" for the object itself. */
  public static UpdateTarget of(String subresource) {
    return switch (subresource) {
      case "status" -> STATUS;
      case "finalize" -> FINALIZE;
      case "scale" -> SCALE;
      case "approval" -> APPROVAL;
      default -> MAIN;
    };
  }

  /** Returns the outcome of writing a document to this target. */
  abstract ChangeOutcome of(Strategy strategy, ObjectNode before, ObjectNode wanted)
      throws ClusterException;
}
