package dev.stint.apiserver.http.view;

import dev.stint.model.Kind;
import dev.stint.model.support.EventFieldNames;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Events of the group {@code events.k8s.io}. */
public record EventView() implements ObjectView {
  @Override
  public Kind kind(Kind kept) {
    return Kind.EVENTS_EVENT;
  }

  @Override
  public ObjectNode shown(ObjectNode kept) {
    return EventFieldNames.shown(kept);
  }

  @Override
  public ObjectNode kept(ObjectNode shown, @Nullable ObjectNode before) {
    return EventFieldNames.kept(shown);
  }
}
