package dev.stint.engine.pod;

import dev.stint.model.Names;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The end of a pod that was asked for from outside: by a deletion, or by a disruption that its
 * condition tells of.
 */
final class Eviction {
  private Eviction() {}

  /**
   * True if it was asked for before the containers ended; false if their end is unknown. The times
   * are in whole seconds; in the same second it counts as before, since many containers end at once
   * when they are asked to.
   */
  static boolean precedesEnd(ObjectNode metadata, @Nullable ObjectNode status) {
    Instant deleted = FinishTime.deleted(metadata);
    Instant disrupted = FinishTime.transition(status, Names.DISRUPTION_TARGET, "True");
    if (deleted == null && disrupted == null) {
      return false; // So it is with nearly all pods, whose other times need not be read.
    }
    Instant end = FinishTime.lastContainerEnd(status);
    return end != null && (isBefore(deleted, end) || isBefore(disrupted, end));
  }

  private static boolean isBefore(@Nullable Instant asked, Instant end) {
    return asked != null && !asked.isAfter(end);
  }
}
