package dev.stint.apiserver.http.handler;

import dev.stint.apiserver.strategy.CustomVersions;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Custom resources of one version.
 *
 * @param shown their kind, in that version
 */
record CustomView(Kind shown, CustomVersions versions) implements ObjectView {
  @Override
  public Kind kind(Kind kept) {
    return shown;
  }

  @Override
  public ObjectNode shown(ObjectNode kept) {
    return versions.shown(kept, shown.apiVersion());
  }

  /** Returns the tree itself: the strategy of its version stores it. */
  @Override
  public ObjectNode kept(ObjectNode shown, @Nullable ObjectNode before) {
    return shown;
  }

  @Override
  public KubeObject inTables(KubeObject kept) {
    return shown(kept);
  }
}
