package dev.stint.apiserver.http.view;

import dev.stint.apiserver.write.WriteOptions;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Objects as stored. */
public record PlainView() implements ObjectView {
  @Override
  public Kind kind(Kind kept) {
    return kept;
  }

  @Override
  public ObjectNode shown(ObjectNode kept) {
    return kept;
  }

  @Override
  public ObjectNode kept(ObjectNode shown, @Nullable ObjectNode before) {
    return shown;
  }

  @Override
  public WriteOptions rules(WriteOptions options, Kind kept) {
    return options;
  }

  @Override
  public KubeObject shown(KubeObject kept) {
    return kept;
  }
}
