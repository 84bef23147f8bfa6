package dev.stint.apiserver.http.view;

import dev.stint.apiserver.catalogue.ApiCatalogue;
import dev.stint.apiserver.catalogue.ApiResource;
import dev.stint.apiserver.catalogue.CustomType;
import dev.stint.apiserver.strategy.CustomVersions;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Custom resources of one version.
 *
 * @param shown their kind, in that version
 */
public record CustomResourceView(Kind shown, CustomVersions versions) implements ObjectView {
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

  /** True if a catalogue shows objects in the same way. */
  public boolean isServedBy(ApiCatalogue catalogue) {
    ApiResource resource = catalogue.of(shown);
    CustomType type = resource == null ? null : resource.custom();
    return type != null && versions.equals(type.versions());
  }

  @Override
  public void prepare(Supplier<List<KubeObject>> kept) {
    if (isConverted()) {
      versions.prepare(kept.get().stream().map(KubeObject::tree).toList(), shown.apiVersion());
    }
  }

  @Override
  public boolean isConverted() {
    return versions.converter().isRemote();
  }

  @Override
  public KubeObject inTables(KubeObject kept) {
    return shown(kept);
  }
}
