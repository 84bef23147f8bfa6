package dev.stint.apiserver.conversion;

import dev.stint.cluster.ClusterException;
import dev.stint.model.Json;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** Converts objects of a custom kind between its versions. */
public sealed interface ObjectConverter permits ObjectConverter.Renaming, WebhookConverter {
  /**
   * Returns objects in another version, in the same order; shares their members. May block.
   *
   * @param objects none of which is of that version yet
   * @throws ClusterException {@code INTERNAL} if they cannot be converted
   */
  List<ObjectNode> convert(List<ObjectNode> objects, String apiVersion);

  /** True if somebody else converts, so that it takes time, may fail, and may change metadata. */
  boolean isRemote();

  /** Changes the {@code apiVersion} alone: the strategy {@code None}. */
  record Renaming() implements ObjectConverter {
    @Override
    public List<ObjectNode> convert(List<ObjectNode> objects, String apiVersion) {
      return objects.stream()
          .map(object -> Json.copyOf(object).put("apiVersion", apiVersion))
          .toList();
    }

    @Override
    public boolean isRemote() {
      return false;
    }
  }
}
