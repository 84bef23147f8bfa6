package dev.stint.apiserver;

import dev.stint.apiextensions.definition.CompiledDefinition.CustomKind;
import dev.stint.apiserver.catalogue.ApiCatalogue;
import dev.stint.apiserver.catalogue.ApiResource;
import dev.stint.apiserver.catalogue.CustomResources;
import dev.stint.apiserver.strategy.DefinitionStrategy;
import dev.stint.model.KubeObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The resources that a control plane serves now: the built-in ones, and those of the definitions in
 * its store. The catalogue is made again after a definition has changed.
 */
final class ServedResources implements Supplier<ApiCatalogue> {
  private final ApiCatalogue builtIn;
  private final LongSupplier changes;
  private final Supplier<Stream<KubeObject>> definitions;
  private volatile @Nullable Made made;

  /** A catalogue, as of a number of changes. */
  private record Made(long changes, ApiCatalogue catalogue, Map<String, Compiled> compiled) {}

  /** The resources of a definition, which are the same until its specification changes. */
  private record Compiled(long generation, List<ApiResource> resources) {}

  /**
   * @param changes counts the changes of definitions
   * @param definitions returns the stored ones
   */
  ServedResources(
      ApiCatalogue builtIn, LongSupplier changes, Supplier<Stream<KubeObject>> definitions) {
    this.builtIn = builtIn;
    this.changes = changes;
    this.definitions = definitions;
  }

  @Override
  public ApiCatalogue get() {
    Made known = made;
    return known != null && known.changes == changes.getAsLong() ? known.catalogue : make();
  }

  private synchronized ApiCatalogue make() {
    long now = changes.getAsLong();
    Made known = made;
    if (known != null && known.changes == now) {
      return known.catalogue;
    }
    Map<String, Compiled> before = known == null ? Map.of() : known.compiled;
    Map<String, Compiled> compiled = new HashMap<>();
    definitions
        .get()
        .forEach(definition -> compiled.put(definition.uid(), compiled(definition, before)));
    List<ApiResource> custom = new ArrayList<>();
    compiled.values().forEach(each -> custom.addAll(each.resources));
    ApiCatalogue catalogue = custom.isEmpty() ? builtIn : builtIn.with(custom);
    made = new Made(now, catalogue, compiled);
    return catalogue;
  }

  private static Compiled compiled(KubeObject definition, Map<String, Compiled> before) {
    Compiled known = before.get(definition.uid());
    long generation = definition.tree().at("/metadata/generation").asLong(0);
    if (known != null && known.generation == generation) {
      return known;
    }
    CustomKind kind = DefinitionStrategy.served(definition.tree());
    return new Compiled(
        generation, kind == null ? List.of() : CustomResources.of(kind, definition.tree()));
  }
}
