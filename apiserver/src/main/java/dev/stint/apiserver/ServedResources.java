package dev.stint.apiserver;

import dev.stint.apiextensions.definition.CompiledDefinition.CustomKind;
import dev.stint.apiextensions.definition.DefinitionNames;
import dev.stint.apiserver.catalogue.ApiCatalogue;
import dev.stint.apiserver.catalogue.ApiResource;
import dev.stint.apiserver.catalogue.CustomResources;
import dev.stint.apiserver.conversion.ObjectConverter;
import dev.stint.apiserver.strategy.DefinitionStrategy;
import dev.stint.apiserver.webhook.CaBundle;
import dev.stint.model.KubeObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The resources that a control plane serves now: the built-in ones, and those of the definitions in
 * its store. The catalogue is made again after a definition has changed.
 */
final class ServedResources implements Supplier<ApiCatalogue> {
  private final ApiCatalogue builtIn;
  private final LongSupplier changes;
  private final Supplier<Stream<KubeObject>> definitions;
  private final Function<CustomKind, ObjectConverter> converters;
  private volatile @Nullable Made made;

  /** A catalogue, as of a number of changes, and the definitions in it by their uids. */
  private record Made(long changes, ApiCatalogue catalogue, Map<String, Compiled> compiled) {}

  /**
   * A definition and its resources, which are the same until what they are made of changes.
   *
   * @param source what they are made of
   */
  private record Compiled(
      String name, String resourceVersion, Source source, List<ApiResource> resources) {}

  /** The parts of a definition that its resources are made of; the generation is of its spec. */
  private record Source(
      long generation, String group, DefinitionNames names, boolean served, boolean terminating) {
    static Source of(KubeObject definition) {
      ObjectNode tree = definition.tree();
      return new Source(
          definition.generation(),
          Objects.requireNonNullElse(definition.specText("group"), ""),
          DefinitionStrategy.acceptedNames(tree),
          DefinitionStrategy.isEstablished(tree),
          DefinitionStrategy.isTerminating(tree));
    }
  }

  /**
   * @param changes counts the changes of definitions
   * @param definitions returns the stored ones
   * @param converters returns what converts between the versions of a kind
   */
  ServedResources(
      ApiCatalogue builtIn,
      LongSupplier changes,
      Supplier<Stream<KubeObject>> definitions,
      Function<CustomKind, ObjectConverter> converters) {
    this.builtIn = builtIn;
    this.changes = changes;
    this.definitions = definitions;
    this.converters = converters;
  }

  @Override
  public ApiCatalogue get() {
    return made().catalogue;
  }

  /** Returns the accepted names of the definitions of a group, by the names of these. */
  Map<String, DefinitionNames> acceptedNames(String group) {
    return made().compiled.values().stream()
        .filter(each -> each.source.group.equals(group))
        .collect(Collectors.toMap(Compiled::name, each -> each.source.names));
  }

  private Made made() {
    Made known = made;
    return known != null && known.changes == changes.getAsLong() ? known : make();
  }

  private synchronized Made make() {
    long now = changes.getAsLong();
    Made known = made;
    if (known != null && known.changes == now) {
      return known;
    }
    Map<String, Compiled> before = known == null ? Map.of() : known.compiled;
    Map<String, Compiled> compiled = new HashMap<>();
    definitions
        .get()
        .forEach(definition -> compiled.put(definition.uid(), compiled(definition, before)));
    List<ApiResource> custom = new ArrayList<>();
    compiled.values().forEach(each -> custom.addAll(each.resources));
    Made fresh = new Made(now, custom.isEmpty() ? builtIn : builtIn.with(custom), compiled);
    made = fresh;
    return fresh;
  }

  private Compiled compiled(KubeObject definition, Map<String, Compiled> before) {
    Compiled known = before.get(definition.uid());
    if (known != null && known.resourceVersion.equals(definition.resourceVersion())) {
      return known;
    }
    Source source = Source.of(definition);
    return new Compiled(
        definition.name(),
        definition.resourceVersion(),
        source,
        known != null && known.source.equals(source) ? known.resources : resources(definition));
  }

  private List<ApiResource> resources(KubeObject definition) {
    CustomKind kind = DefinitionStrategy.served(definition.tree());
    return kind == null || !hasValidBundle(kind)
        ? List.of()
        : CustomResources.of(kind, definition.tree(), converters.apply(kind));
  }

  /** True unless a webhook could never be called, in which case nothing is served. */
  private static boolean hasValidBundle(CustomKind kind) {
    return kind.webhook() == null || CaBundle.isValid(kind.webhook().caBundle());
  }
}
