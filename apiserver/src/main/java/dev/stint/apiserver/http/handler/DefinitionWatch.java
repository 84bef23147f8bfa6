package dev.stint.apiserver.http.handler;

import dev.stint.apiserver.ApiServer;
import dev.stint.apiserver.http.view.CustomResourceView;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.Watch;
import dev.stint.cluster.WatchEvent;
import dev.stint.cluster.WatchHandler;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Follows the definition of a custom kind. Watches of its objects end when it changes, as in
 * Kubernetes, since they would go on showing objects as before; clients watch again.
 */
final class DefinitionWatch implements WatchHandler {
  private final String name;
  private final LongConsumer onChange;
  private final @Nullable List<JsonNode> made;

  /** The parts of a definition that its resources are made of. */
  private static List<JsonNode> parts(KubeObject definition) {
    return List.of(definition.tree().path("spec"), definition.tree().at("/status/acceptedNames"));
  }

  private DefinitionWatch(String name, @Nullable KubeObject definition, LongConsumer onChange) {
    this.name = name;
    this.made = definition == null ? null : parts(definition);
    this.onChange = onChange;
  }

  /**
   * Begins to follow the definition of what a view shows.
   *
   * @param executor calls {@code onChange}; it must not run tasks in the calling thread
   * @param onChange takes the revision of a change
   */
  static Watch start(
      ApiServer api, CustomResourceView view, Executor executor, LongConsumer onChange) {
    Kind stored = view.versions().stored();
    ObjectRef ref =
        new ObjectRef(Kind.CUSTOM_RESOURCE_DEFINITION, "", stored.plural() + "." + stored.group());
    long from = api.registry().revision();
    KubeObject definition = api.registry().find(ref);
    if (definition == null || !view.isServedBy(api.catalogue())) {
      executor.execute(() -> onChange.accept(from));
    }
    return api.watches()
        .watch(ref, from, executor, new DefinitionWatch(ref.name(), definition, onChange));
  }

  @Override
  public void onEvent(WatchEvent event) {
    boolean same = event.type() != WatchEvent.Type.DELETED && parts(event.object()).equals(made);
    if (!same && event.object().name().equals(name)) {
      onChange.accept(Long.parseLong(event.object().resourceVersion()));
    }
  }

  /** Ends the watch too if it is not known any more what happened to the definition. */
  @Override
  public void onClosed(@Nullable ClusterException cause) {
    if (cause != null) {
      onChange.accept(0);
    }
  }
}
