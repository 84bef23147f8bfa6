package dev.stint.simulation;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.DeleteOptions;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.reconcile.ClusterRequests;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * A write that a command was told has succeeded is durable, and happened once, whoever held the
 * directory meanwhile. One that is refused for another state did not happen, unless somebody else
 * has written since. Every command writes notes to tell, each with a value of its own.
 */
final class WriteLaws {
  private static final ObjectRef SHARED = ref("shared");

  private final RandomGenerator random;

  /** The number of times that each value was stored. */
  private final Map<String, Integer> stored = new HashMap<>();

  /** The latest notes by name. */
  private final Map<String, KubeObject> latest = new TreeMap<>();

  /** The value that was written last into each of them. */
  private final Map<String, String> last = new HashMap<>();

  /** The uids of all notes that were ever deleted. */
  private final Set<String> deleted = new HashSet<>();

  /** The uids of those of which a command was told that it has created them. */
  private final Set<String> created = new HashSet<>();

  /** The commands that wait for the answer to a patch. */
  private final Set<String> patching = new HashSet<>();

  private int values;
  private @Nullable AssertionError broken;

  /** The number of writes of which a command was told that they have succeeded. */
  int successes;

  WriteLaws(RandomGenerator random) {
    this.random = random;
  }

  private static ObjectRef ref(String name) {
    return new ObjectRef(Kind.CONFIG_MAP, "default", name);
  }

  /** Throws the violation that was found, if there is one. */
  void hold() {
    if (broken != null) {
      throw broken;
    }
  }

  private void require(boolean condition, String what) {
    if (!condition && broken == null) {
      broken = new AssertionError(what);
    }
  }

  /** Records a durable change. */
  void changed(@Nullable KubeObject before, @Nullable KubeObject after) {
    KubeObject any = after == null ? before : after;
    if (any == null || !any.kindName().equals(Kind.CONFIG_MAP.kind())) {
      return;
    }
    if (after == null) {
      latest.remove(any.name());
      last.remove(any.name());
      deleted.add(any.uid());
      return;
    }
    latest.put(any.name(), after);
    ObjectNode data = Json.copyOf(Json.objectAt(after.tree(), "data"));
    ObjectNode was = Json.copyOf(before == null ? null : Json.objectAt(before.tree(), "data"));
    data.properties().stream()
        .filter(note -> !note.getValue().equals(was.get(note.getKey())))
        .map(note -> note.getValue().stringValue(""))
        .forEach(value -> {
          stored.merge(value, 1, Integer::sum);
          last.put(any.name(), value);
        });
  }

  /** Writes a note of a command. */
  void act(String command, Cluster cluster) {
    String value = "v" + values++;
    switch (random.nextInt(4)) {
      case 0 -> create(cluster, "note-" + value, value);
      case 1 -> update(cluster, value);
      case 2 -> patch(cluster, command, value);
      default -> delete(cluster);
    }
  }

  private static KubeObject note(String name, String key, String value) {
    ObjectNode note = Json.object().put("apiVersion", "v1").put("kind", "ConfigMap");
    note.putObject("metadata").put("name", name).put("namespace", "default");
    note.putObject("data").put(key, value);
    return KubeObject.of(note);
  }

  private void create(Cluster cluster, String name, String value) {
    cluster
        .create(note(name, "text", value))
        .whenComplete((made, refused) -> {
          told(value, refused, Reason.ALREADY_EXISTS);
          if (made != null) {
            created.add(made.uid());
          }
          require(
              made == null || latest.containsKey(name) || deleted.contains(made.uid()),
              "a note that was created is not there");
        });
  }

  /** Writes the last word into the note of all, on the condition that it is as it was read. */
  private void update(Cluster cluster, String value) {
    ClusterRequests.find(cluster, SHARED)
        .thenCompose(found -> {
          if (found == null) {
            return cluster.create(note(SHARED.name(), "last", value));
          }
          ObjectNode changed = found.copy();
          changed.withObjectProperty("data").put("last", value);
          return cluster.update(KubeObject.of(changed));
        })
        .whenComplete((_, refused) -> told(value, refused, Reason.CONFLICT));
  }

  /** Writes the word of a command, on no condition; one at a time, since it may be sent twice. */
  private void patch(Cluster cluster, String command, String value) {
    if (!patching.add(command)) {
      return;
    }
    ObjectNode patch = Json.object();
    patch.putObject("data").put(command, value);
    cluster
        .patch(SHARED, patch)
        .whenComplete((_, refused) -> {
          patching.remove(command);
          told(value, refused, Reason.NOT_FOUND);
        });
  }

  private void told(String value, @Nullable Throwable refused, Reason race) {
    int times = stored.getOrDefault(value, 0);
    if (refused == null) {
      successes++;
      require(times == 1, "a write that succeeded was stored " + times + " times");
    } else if (ClusterRequests.hasReason(refused, race)) {
      require(!last.containsValue(value), "a write that was stored is refused as " + race);
    }
  }

  /** Deletes a note that is known to be there: one that is created again would be another one. */
  private void delete(Cluster cluster) {
    latest.values().stream()
        .filter(note -> created.contains(note.uid()))
        .findFirst()
        .ifPresent(note ->
            cluster
                .delete(note.ref(), DeleteOptions.only(note.uid()))
                .whenComplete((_, refused) ->
                    require(
                        refused != null || deleted.contains(note.uid()),
                        "a note that was deleted is there")));
  }
}
