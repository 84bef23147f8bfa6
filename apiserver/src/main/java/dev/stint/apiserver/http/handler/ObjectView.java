package dev.stint.apiserver.http.handler;

import dev.stint.apiserver.WriteOptions;
import dev.stint.apiserver.http.Call;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.support.EventNames;
import tools.jackson.databind.node.ObjectNode;

/**
 * How kept objects look to those who ask for them by a path. Most look as they are kept; events
 * have a second group, with other names for the same fields.
 */
public enum ObjectView {
  /** As they are kept. */
  PLAIN,
  /** Events of the group {@code events.k8s.io}. */
  EVENTS;

  public static ObjectView of(Call call) {
    return call.path().startsWith("/apis/" + Kind.EVENTS_EVENT.group() + "/") ? EVENTS : PLAIN;
  }

  /** The kind that objects of a kind are shown as. */
  public Kind kind(Kind kept) {
    return this == EVENTS ? Kind.EVENTS_EVENT : kept;
  }

  /** Options of a write that comes by such a path: the rules of the shown kind hold. */
  WriteOptions rules(WriteOptions options, Kind kept) {
    return this == PLAIN ? options : options.seenAs(kind(kept));
  }

  /** A kept object as it is shown. */
  KubeObject shown(KubeObject kept) {
    return this == PLAIN ? kept : KubeObject.of(shown(kept.tree()));
  }

  /** A kept tree as it is shown; shares its members. */
  ObjectNode shown(ObjectNode kept) {
    return this == PLAIN ? kept : EventNames.shown(kept);
  }

  /** What is shown like this, as it is kept; shares its members. */
  ObjectNode kept(ObjectNode shown) {
    return this == PLAIN ? shown : EventNames.kept(shown);
  }
}
