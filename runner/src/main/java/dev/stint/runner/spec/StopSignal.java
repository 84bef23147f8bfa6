package dev.stint.runner.spec;

import dev.stint.model.Json;
import dev.stint.model.pod.StopSignals;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** The signal that asks a container to end ("Pod Lifecycle", container stop signals). */
public final class StopSignal {
  private static final int TERM = 15;

  private StopSignal() {}

  /** Returns the name of the signal that a container names; empty for the one of its image. */
  public static Optional<String> of(ObjectNode container) {
    return Optional.ofNullable(Json.text(Json.objectAt(container, "lifecycle"), "stopSignal"))
        .filter(name -> StopSignals.number(name).isPresent());
  }

  /** Returns the number of the signal for a container without an image. */
  public static int number(ObjectNode container) {
    return of(container).map(name -> StopSignals.number(name).orElse(TERM)).orElse(TERM);
  }
}
