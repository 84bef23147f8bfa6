package dev.stint.apiserver.patch;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

public final class ManagedFields {
  public static void updated(@Nullable ObjectNode b, ObjectNode a, FieldManager m, Instant n) {}
}
