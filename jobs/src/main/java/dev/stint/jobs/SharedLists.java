package dev.stint.jobs;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.DeleteOptions;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.item.ItemSource;
import dev.stint.model.item.ListParts;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Shares a Job's config maps, such as the lists of {@code stint run --each}, with its rerun.
 * Otherwise they would be deleted with the first Job, and the pods of the second could not start.
 */
public final class SharedLists {
  private static final Set<Reason> UNREADABLE = Set.of(Reason.NOT_FOUND, Reason.FORBIDDEN);

  private SharedLists() {}

  /**
   * Adds a Job as an owner of the config maps that its pods name and another Job owns.
   *
   * @param owner the other Job's uid
   */
  static void share(Cluster cluster, String owner, KubeObject with) {
    for (String name : allNames(cluster, with)) {
      try {
        ObjectRef ref = new ObjectRef(Kind.CONFIG_MAP, with.namespace(), name);
        KubeObject map = ApiCalls.await(cluster.get(ref));
        ArrayNode owners = Json.arrayAt(map.metadata(), "ownerReferences");
        if (owners != null && hasOwner(owners, owner)) {
          ApiCalls.await(cluster.patch(ref, patch(map, owners, with)));
        }
      } catch (ClusterException refused) {
        if (!UNREADABLE.contains(refused.reason())) {
          throw refused;
        }
      }
    }
  }

  /** Deletes the config maps of a removed Job's list that had owners, all of which are gone. */
  public static void deleteUnowned(Cluster cluster, KubeObject removed) {
    JobsLeft left = new JobsLeft(cluster, removed);
    for (String name : allNames(cluster, removed)) {
      ObjectRef ref = new ObjectRef(Kind.CONFIG_MAP, removed.namespace(), name);
      KubeObject map = ApiCalls.find(cluster, ref);
      ArrayNode owners = map == null ? null : Json.arrayAt(map.metadata(), "ownerReferences");
      if (map != null && owners != null && !owners.isEmpty() && left.ownNone(owners)) {
        delete(cluster, ref, map.uid());
      }
    }
  }

  /** The Jobs that are left after one was removed; asked for once, and only if that is needed. */
  private static final class JobsLeft {
    private final Cluster cluster;
    private final KubeObject removed;
    private @Nullable Set<String> uids;

    JobsLeft(Cluster cluster, KubeObject removed) {
      this.cluster = cluster;
      this.removed = removed;
    }

    /** True if all owners of an object are Jobs that are gone. */
    boolean ownNone(ArrayNode owners) {
      List<JsonNode> others =
          owners
              .valueStream()
              .filter(owner -> !removed.uid().equals(Json.text(owner, "uid")))
              .toList();
      return others.stream().allMatch(JobsLeft::isJob)
          && others.stream().noneMatch(owner -> uids().contains(Json.text(owner, "uid")));
    }

    private static boolean isJob(JsonNode owner) {
      return Kind.JOB.kind().equals(Json.text(owner, "kind"))
          && Kind.JOB.apiVersion().equals(Json.text(owner, "apiVersion"));
    }

    private Set<String> uids() {
      Set<String> known = uids;
      if (known == null) {
        known =
            ApiCalls.await(cluster.list(Kind.JOB, removed.namespace())).items().stream()
                .map(KubeObject::uid)
                .collect(Collectors.toSet());
        uids = known;
      }
      return known;
    }
  }

  /** Deletes a config map, unless a garbage collector was faster. */
  private static void delete(Cluster cluster, ObjectRef ref, String uid) {
    try {
      ApiCalls.await(cluster.delete(ref, DeleteOptions.only(uid)));
    } catch (ClusterException refused) {
      if (refused.reason() != Reason.NOT_FOUND && refused.reason() != Reason.CONFLICT) {
        throw refused;
      }
    }
  }

  private static Set<String> allNames(Cluster cluster, KubeObject job) {
    Set<String> names = configMapNames(job);
    ItemSource.ofSpec(Json.objectAt(job.tree().at("/spec/template"), "spec"))
        .ifPresent(list -> names.addAll(partsOf(cluster, job.namespace(), list)));
    return names;
  }

  /** Returns the config maps of a list, of which a volume may hold only the first. */
  private static List<String> partsOf(Cluster cluster, String namespace, ItemSource list) {
    try {
      KubeObject first =
          ApiCalls.await(cluster.get(new ObjectRef(Kind.CONFIG_MAP, namespace, list.map(0))));
      int parts = ListParts.read(first).map(ListParts::parts).orElse(0);
      return IntStream.range(0, parts).mapToObj(list::map).toList();
    } catch (ClusterException refused) {
      if (!UNREADABLE.contains(refused.reason())) {
        throw refused;
      }
      return List.of();
    }
  }

  private static Set<String> configMapNames(KubeObject job) {
    Set<String> names = new LinkedHashSet<>();
    for (JsonNode volume : job.tree().at("/spec/template/spec/volumes")) {
      String plain = Json.text(volume.get("configMap"), "name");
      names.addAll(plain == null ? List.of() : List.of(plain));
      for (JsonNode source : volume.at("/projected/sources")) {
        String projected = Json.text(source.get("configMap"), "name");
        names.addAll(projected == null ? List.of() : List.of(projected));
      }
    }
    return names;
  }

  private static boolean hasOwner(ArrayNode owners, String uid) {
    return owners.valueStream().anyMatch(owner -> uid.equals(Json.text(owner, "uid")));
  }

  private static ObjectNode patch(KubeObject map, ArrayNode owners, KubeObject another) {
    ObjectNode patch = Json.object();
    ObjectNode metadata = patch.putObject("metadata");
    metadata.put("uid", map.uid()).put("resourceVersion", map.resourceVersion());
    ArrayNode all = metadata.putArray("ownerReferences").addAll(owners);
    all.addObject()
        .put("apiVersion", another.apiVersion())
        .put("kind", another.kindName())
        .put("name", another.name())
        .put("uid", another.uid());
    return patch;
  }
}
