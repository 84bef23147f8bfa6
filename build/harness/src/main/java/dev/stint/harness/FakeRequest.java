package dev.stint.harness;

import dev.stint.model.ObjectRef;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * A request to a {@link FakeCluster}.
 *
 * @param line such as {@code patchStatus pods "default/a"}
 * @param ref the object; for a list, its kind and namespace with an empty name
 * @param body the object or patch; null if there is none
 */
public record FakeRequest(String line, ObjectRef ref, @Nullable ObjectNode body) {
  /** True if the request changes something. */
  public boolean isWrite() {
    return !line.startsWith("get ") && !line.startsWith("list ");
  }
}
