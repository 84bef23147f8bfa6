package dev.stint.controllers.definition;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.EventLoop;
import dev.stint.controllers.metrics.Metrics;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.reconcile.ClusterRequests;
import dev.stint.reconcile.Controller;
import dev.stint.reconcile.Informer;
import dev.stint.reconcile.WorkQueue;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Has the API look again at the names of a definition that another definition of its group had,
 * once that one is gone or has other names. The API decides.
 */
public final class NameConflicts implements Controller {
  private final Cluster cluster;
  private final EventLoop loop;
  private final Informer definitions;
  private final WorkQueue<String> queue;
  private final Map<String, Definition> known = new HashMap<>();

  /**
   * A definition.
   *
   * @param names its accepted names
   * @param refused true if it does not have all the names that it asks for
   */
  private record Definition(String name, String group, JsonNode names, boolean refused) {
    static Definition of(KubeObject object) {
      return new Definition(
          object.name(),
          Objects.requireNonNullElse(object.specText("group"), ""),
          object.tree().at("/status/acceptedNames"),
          !DefinitionConditions.isTrue(object, "NamesAccepted"));
    }
  }

  /**
   * Creates a controller that is not started yet.
   *
   * @param loop the event loop that runs all of its work
   */
  public NameConflicts(Cluster cluster, EventLoop loop, Metrics metrics) {
    this.cluster = cluster;
    this.loop = loop;
    this.queue =
        new WorkQueue<>("definition names", loop, metrics.queue("crd_naming"), 1, this::work);
    this.definitions = new Informer(cluster, Kind.CUSTOM_RESOURCE_DEFINITION, loop, new Listener());
  }

  @Override
  public void start() {
    loop.execute(definitions::start);
  }

  @Override
  public void close() {
    loop.execute(() -> {
      queue.close();
      definitions.close();
    });
  }

  private final class Listener implements Informer.Listener {
    @Override
    public void onUpdate(KubeObject object) {
      Definition now = Definition.of(object);
      Definition before = known.put(object.uid(), now);
      if (before == null || !before.names.equals(now.names)) {
        lookAgain(now.group);
      }
    }

    @Override
    public void onDelete(String uid, String controller) {
      Definition gone = known.remove(uid);
      if (gone != null) {
        queue.forget(gone.name);
        lookAgain(gone.group);
      }
    }

    @Override
    public void onSynced() {
      queue.open();
    }
  }

  private void lookAgain(String group) {
    for (Definition each : known.values()) {
      if (each.refused && each.group.equals(group)) {
        queue.add(each.name);
      }
    }
  }

  /** Writes a status that is the same, which has the API accept the names that are free now. */
  private CompletableFuture<@Nullable Void> work(String name) {
    ObjectRef ref = new ObjectRef(Kind.CUSTOM_RESOURCE_DEFINITION, "", name);
    return ClusterRequests.unlessGone(cluster.patchStatus(ref, Json.object()));
  }
}
