package dev.stint.apiserver.patch;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

public final class ServerSideApply {
  public static ObjectNode apply(
      @Nullable ObjectNode b, ObjectNode a, FieldManager m, boolean f, Instant n) {
    return a;
  }
}
