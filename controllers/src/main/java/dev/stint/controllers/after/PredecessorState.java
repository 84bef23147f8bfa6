package dev.stint.controllers.after;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.job.JobCondition;
import dev.stint.model.job.after.After.Until;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/** The state of a Job, as far as it concerns the Jobs after it. */
enum PredecessorState {
  MISSING,
  UNFINISHED,
  COMPLETE,
  FAILED;

  /** Reads nothing but the conditions, since every change of every Job passes here. */
  static PredecessorState of(KubeObject job) {
    ArrayNode conditions = Json.arrayAt(job.status(), "conditions");
    return conditions == null
        ? UNFINISHED
        : conditions
            .valueStream()
            .filter(condition -> "True".equals(Json.text(condition, "status")))
            .map(PredecessorState::of)
            .filter(state -> state != UNFINISHED)
            .findFirst()
            .orElse(UNFINISHED);
  }

  private static PredecessorState of(JsonNode condition) {
    return switch (Json.text(condition, "type")) {
      case JobCondition.COMPLETE -> COMPLETE;
      case JobCondition.FAILED -> FAILED;
      case null, default -> UNFINISHED;
    };
  }

  /**
   * True if a Job in this state need not be waited for any more. Of a Job that is waited for index
   * by index the state does not tell: it may be Complete without all indexes.
   */
  boolean meets(Until until) {
    return switch (until) {
      case COMPLETE -> this == COMPLETE;
      case FINISHED -> hasEnded();
      case INDEX -> false;
    };
  }

  boolean hasEnded() {
    return this == COMPLETE || this == FAILED;
  }
}
