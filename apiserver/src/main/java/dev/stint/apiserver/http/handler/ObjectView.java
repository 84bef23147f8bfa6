package dev.stint.apiserver.http.handler;

import dev.stint.apiserver.http.Call;
import dev.stint.apiserver.http.Route;
import dev.stint.apiserver.write.WriteOptions;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.support.EventFieldNames;
import tools.jackson.databind.node.ObjectNode;

/**
 * The representation of stored objects under a path. Most are shown as stored; events have a second
 * group, with other names for the same fields.
 */
public enum ObjectView {
  /** Objects as stored. */
  PLAIN,
  /** Events of the group {@code events.k8s.io}. */
  EVENTS;

  public static ObjectView of(Call call) {
    return call.route() instanceof Route.Resource resource
            && resource.group().equals(Kind.EVENTS_EVENT.group())
        ? EVENTS
        : PLAIN;
  }

  /** Returns the kind that objects of a stored kind are shown as. */
  public Kind kind(Kind kept) {
    return this == EVENTS ? Kind.EVENTS_EVENT : kept;
  }

  /** Returns options for a write through such a path: the rules of the shown kind apply. */
  WriteOptions rules(WriteOptions options, Kind kept) {
    return this == PLAIN ? options : options.seenAs(kind(kept));
  }

  /** Returns a stored object as it is shown. */
  KubeObject shown(KubeObject kept) {
    return this == PLAIN ? kept : KubeObject.of(shown(kept.tree()));
  }

  /** Returns a stored tree as it is shown; shares its members. */
  ObjectNode shown(ObjectNode kept) {
    return this == PLAIN ? kept : EventFieldNames.shown(kept);
  }

  /** Returns a shown tree as it is stored; shares its members. */
  ObjectNode kept(ObjectNode shown) {
    return this == PLAIN ? shown : EventFieldNames.kept(shown);
  }
}
