package dev.stint.apiserver.http.view;

import dev.stint.apiextensions.value.ScaleFields;
import dev.stint.apiserver.catalogue.ApiResource;
import dev.stint.apiserver.catalogue.CustomType;
import dev.stint.apiserver.http.Call;
import dev.stint.apiserver.http.Route;
import dev.stint.apiserver.strategy.CustomVersions;
import dev.stint.apiserver.write.WriteOptions;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The representation of stored objects under a path. Most are shown as stored; events have a second
 * group, with other names for the same fields, and custom resources have versions and a scale.
 */
public sealed interface ObjectView permits PlainView, EventView, CustomResourceView, ScaleView {
  /** Returns the view of the path of a request. */
  static ObjectView of(Call call) {
    if (!(call.route() instanceof Route.Resource route)) {
      return new PlainView();
    }
    CustomType custom = route.custom();
    CustomVersions versions = custom == null ? null : custom.versions();
    if (custom != null && versions != null) {
      CustomResourceView objects = new CustomResourceView(custom.shown(), versions);
      ScaleFields scale = custom.scale();
      return scale != null && route.subresource().equals(ApiResource.SCALE)
          ? new ScaleView(objects, custom.shown(), scale)
          : objects;
    }
    if (route.subresource().equals(ApiResource.SCALE)) {
      Optional<ApiResource> scaled = route.served().filter(ApiResource::hasScale);
      if (scaled.isPresent()) {
        return new ScaleView(new PlainView(), scaled.get().shown(), ScaleFields.OF_WORKLOADS);
      }
    }
    return route.group().equals(Kind.EVENTS_EVENT.group()) ? new EventView() : new PlainView();
  }

  /** Returns the kind that objects of a stored kind are shown as. */
  Kind kind(Kind kept);

  /** Returns a stored tree as it is shown; shares its members. */
  ObjectNode shown(ObjectNode kept);

  /**
   * Returns a shown tree as the document that is to be stored; shares its members.
   *
   * @param before the object as it is; null if there is none yet
   */
  ObjectNode kept(ObjectNode shown, @Nullable ObjectNode before);

  /** Returns the view of the object that a write through this one changes. */
  default ObjectView object() {
    return this;
  }

  /** Returns a configuration of what is shown as one of the object that it changes. */
  default ObjectNode configuration(ObjectNode shown) {
    return shown;
  }

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

  /**
   * Prepares stored objects to be shown, all at once, if showing them may wait for somebody else.
   *
   * @param kept made only if needed
   */
  default void prepare(Supplier<List<KubeObject>> kept) {}

  /** True if somebody else converts objects to show them, and may change their labels. */
  default boolean isConverted() {
    return false;
  }

  /** Returns a stored object in the form that the columns of tables read. */
  default KubeObject inTables(KubeObject kept) {
    return kept;
  }
}
