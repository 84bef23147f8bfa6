package dev.stint.reconcile;

import dev.stint.cluster.ClusterRequest;
import dev.stint.cluster.ClusterRequest.Verb;
import dev.stint.model.Kind;

/**
 * The order of requests that wait until they may be sent (decision 109): what brings something that
 * was begun to its end goes before what begins something new, and events go last.
 */
enum Precedence {
  /** Statuses, patches, deletions and reads. Somebody waits for the end of what they are about. */
  CONTINUING(1),
  /** Creations. */
  BEGINNING(4),
  /** Events. Nothing waits for them. */
  TELLING(16);

  private final int period;

  /**
   * @param period one of this many turns is reserved for it, so that it never starves
   */
  Precedence(int period) {
    this.period = period;
  }

  /** Returns the precedence of a request. */
  static Precedence of(ClusterRequest request) {
    if (request.ref().kind().equals(Kind.EVENT)) {
      return TELLING;
    }
    return request.verb() == Verb.CREATE ? BEGINNING : CONTINUING;
  }

  /** True if it goes before those above it at this turn. */
  boolean hasTurn(int turn) {
    return Math.floorMod(turn, period) == period - 1;
  }
}
