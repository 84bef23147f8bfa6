package dev.stint.apiserver.http.handler;

import dev.stint.apiserver.catalogue.CustomType;
import dev.stint.apiserver.http.Call;
import dev.stint.apiserver.http.Route;
import dev.stint.apiserver.write.WriteOptions;
import dev.stint.apiserver.strategy.CustomVersions;
import dev.stint.model.KubeObject;
import dev.stint.model.Kind;
import dev.stint.model.support.EventFieldNames;
import tools.jackson.databind.node.ObjectNode;

/**
 * The representation of stored objects under a path. Most are shown as stored; events have a second
 * group, with other names for the same fields, and custom resources have versions.
 */
public sealed interface ObjectView {
  /** Objects as stored. */
  ObjectView PLAIN = new Plain();

  /** Events of the group {@code events.k8s.io}. */
  ObjectView EVENTS = new Events();

  static ObjectView of(Call call) {
    CustomType custom = RequestBodies.customType(call);
    if (custom != null && custom.versions() != null) {
      return new Custom(custom.shown(), custom.versions());
    }
    return call.route() instanceof Route.Resource resource
            && resource.group().equals(Kind.EVENTS_EVENT.group())
        ? EVENTS
        : PLAIN;
  }

  /** Returns the kind that objects of a stored kind are shown as. */
  Kind kind(Kind kept);

  /** Returns a stored tree as it is shown; shares its members. */
  ObjectNode shown(ObjectNode kept);

  /** Returns a shown tree as it is stored; shares its members. */
  ObjectNode kept(ObjectNode shown);

  /** Returns options for a write through such a path: the rules of the shown kind apply. */
  default WriteOptions rules(WriteOptions options, Kind kept) {
    return options.seenAs(kind(kept));
  }

  /** Returns a stored object as it is shown. */
  default KubeObject shown(KubeObject kept) {
    ObjectNode tree = kept.tree();
    ObjectNode shown = shown(tree);
    return shown == tree ? kept : KubeObject.of(shown);
  }

  /** Returns a stored object in the form that the columns of tables read. */
  default KubeObject inTables(KubeObject kept) {
    return kept;
  }

  /** Objects as stored. */
  record Plain() implements ObjectView {
    @Override
    public Kind kind(Kind kept) {
      return kept;
    }

    @Override
    public ObjectNode shown(ObjectNode kept) {
      return kept;
    }

    @Override
    public ObjectNode kept(ObjectNode shown) {
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

  /** Events of the second group. */
  record Events() implements ObjectView {
    @Override
    public Kind kind(Kind kept) {
      return Kind.EVENTS_EVENT;
    }

    @Override
    public ObjectNode shown(ObjectNode kept) {
      return EventFieldNames.shown(kept);
    }

    @Override
    public ObjectNode kept(ObjectNode shown) {
      return EventFieldNames.kept(shown);
    }
  }

  /** Custom resources of one version. */
  record Custom(Kind shown, CustomVersions versions) implements ObjectView {
    @Override
    public Kind kind(Kind kept) {
      return shown;
    }

    @Override
    public ObjectNode shown(ObjectNode kept) {
      return versions.shown(kept, shown.apiVersion());
    }

    @Override
    public ObjectNode kept(ObjectNode shown) {
      return shown; // The strategy of its version stores it.
    }

    @Override
    public KubeObject inTables(KubeObject kept) {
      return shown(kept);
    }
  }
}
