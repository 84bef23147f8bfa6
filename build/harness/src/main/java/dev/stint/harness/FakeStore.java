package dev.stint.harness;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.DeleteOptions;
import dev.stint.cluster.DeleteOptions.Propagation;
import dev.stint.cluster.WatchEvent;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import dev.stint.model.ObjectRef;
import dev.stint.model.Timestamps;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Objects in memory with their revisions, as a Kubernetes API has them, for every kind, without
 * defaults and validation. Not safe for use by several threads at once.
 */
final class FakeStore {
  private static final Map<Propagation, String> FINALIZERS =
      Map.of(
          Propagation.FOREGROUND,
          Names.FOREGROUND_FINALIZER,
          Propagation.ORPHAN,
          Names.ORPHAN_FINALIZER);

  /** The metadata that only the API sets. */
  private static final List<String> SYSTEM_FIELDS =
      List.of("uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds");

  private static final long DEFAULT_GRACE_SECONDS = 30;

  private final InstantSource clock;
  private final Consumer<WatchEvent> changes;
  private final Map<ObjectRef, KubeObject> objects = new LinkedHashMap<>();
  private final Map<String, Kind> customKinds = new HashMap<>();
  private final List<WatchEvent> history = new ArrayList<>();
  private long revision = 100;
  private long expired;
  private int made;

  /**
   * @param changes receives each change
   */
  FakeStore(InstantSource clock, Consumer<WatchEvent> changes) {
    this.clock = clock;
    this.changes = changes;
  }

  String revision() {
    return Long.toString(revision);
  }

  /** Makes a custom kind known. */
  void define(Kind kind) {
    customKinds.put(kind.apiVersion() + " " + kind.kind(), kind);
  }

  Kind kindOf(KubeObject object) {
    Kind custom = customKinds.get(object.apiVersion() + " " + object.kindName());
    return custom == null ? object.kind() : custom;
  }

  ObjectRef refOf(KubeObject object) {
    return new ObjectRef(kindOf(object), object.namespace(), object.name());
  }

  @Nullable KubeObject find(ObjectRef ref) {
    return objects.get(ref);
  }

  KubeObject get(ObjectRef ref) {
    KubeObject found = objects.get(ref);
    if (found == null) {
      throw new ClusterException(Reason.NOT_FOUND, ref + " not found");
    }
    return found;
  }

  /** Returns the objects of a kind in one namespace or (null) in all, the oldest first. */
  List<KubeObject> list(Kind kind, @Nullable String namespace) {
    return objects.values().stream()
        .filter(each -> kindOf(each).equals(kind))
        .filter(each -> namespace == null || each.namespace().equals(namespace))
        .toList();
  }

  /** Returns the changes after a revision. */
  List<WatchEvent> changesAfter(String afterRevision) {
    long after = Long.parseLong(afterRevision);
    if (after < expired) {
      throw new ClusterException(Reason.GONE, "too old resource version: " + after);
    }
    return history.stream()
        .filter(event -> Long.parseLong(event.object().resourceVersion()) > after)
        .toList();
  }

  /** Forgets all changes so far. */
  void forgetChanges() {
    history.clear();
    expired = ++revision;
  }

  KubeObject create(KubeObject object) {
    ObjectNode tree = object.copy();
    ObjectNode metadata = tree.withObjectProperty("metadata");
    SYSTEM_FIELDS.forEach(metadata::remove);
    tree.remove("status");
    return insert(tree);
  }

  /** Adds an object as it is, status included; what only the API sets is added. */
  KubeObject insert(ObjectNode given) {
    ObjectNode tree = named(given);
    KubeObject object = KubeObject.of(tree.deepCopy());
    if (objects.containsKey(refOf(object))) {
      throw new ClusterException(Reason.ALREADY_EXISTS, refOf(object) + " already exists");
    }
    refuseIfTerminating(object.namespace());
    ObjectNode metadata = tree.withObjectProperty("metadata");
    setIfMissing(metadata, "uid", "uid-" + made++);
    setIfMissing(metadata, "creationTimestamp", Timestamps.format(clock.instant()));
    setInitialStatus(kindOf(object), tree);
    return publish(WatchEvent.Type.ADDED, tree);
  }

  /** Replaces an object as it is, or adds it. */
  KubeObject put(ObjectNode given) {
    KubeObject before = objects.get(refOf(KubeObject.of(given)));
    return before == null ? insert(given) : store(before, given.deepCopy());
  }

  private static void setInitialStatus(Kind kind, ObjectNode tree) {
    if (kind.equals(Kind.NAMESPACE)) {
      tree.withObjectProperty("spec").putArray("finalizers").add("kubernetes");
      setIfMissing(tree.withObjectProperty("status"), "phase", "Active");
    } else if (kind.equals(Kind.POD)) {
      setIfMissing(tree.withObjectProperty("status"), "phase", "Pending");
    }
  }

  private ObjectNode named(ObjectNode given) {
    ObjectNode tree = given.deepCopy();
    ObjectNode metadata = tree.withObjectProperty("metadata");
    String prefix = Json.text(metadata, "generateName");
    if (prefix != null) {
      setIfMissing(metadata, "name", prefix + made++);
    }
    return tree;
  }

  private static void setIfMissing(ObjectNode tree, String member, String value) {
    if (!tree.hasNonNull(member)) {
      tree.put(member, value);
    }
  }

  private void refuseIfTerminating(String name) {
    KubeObject namespace = objects.get(new ObjectRef(Kind.NAMESPACE, "", name));
    if (namespace != null && namespace.deletionTimestamp() != null) {
      throw new ClusterException(Reason.FORBIDDEN, "namespace " + name + " is being terminated");
    }
  }

  /** Replaces all but the status. */
  KubeObject update(KubeObject object) {
    KubeObject before = matching(refOf(object), object.metadata());
    return store(before, keeping(before, object.copy(), "status"));
  }

  /** Replaces the status and metadata. */
  KubeObject updateStatus(KubeObject object) {
    KubeObject before = matching(refOf(object), object.metadata());
    ObjectNode tree = before.copy();
    copy("metadata", object.tree(), tree);
    copy("status", object.tree(), tree);
    return store(before, keeping(before, tree));
  }

  /** Replaces the finalizers of a namespace. */
  KubeObject finalize(KubeObject namespace) {
    KubeObject before = matching(refOf(namespace), namespace.metadata());
    ObjectNode tree = before.copy();
    copy("spec", namespace.tree(), tree);
    return store(before, tree);
  }

  /** Patches all but the status. */
  KubeObject patch(ObjectRef ref, ObjectNode mergePatch) {
    KubeObject before = matching(ref, Json.objectAt(mergePatch, "metadata"));
    return store(before, keeping(before, merged(before, mergePatch), "status"));
  }

  /** Patches the status and metadata. */
  KubeObject patchStatus(ObjectRef ref, ObjectNode mergePatch) {
    KubeObject before = matching(ref, Json.objectAt(mergePatch, "metadata"));
    ObjectNode patched = merged(before, mergePatch);
    ObjectNode tree = before.copy();
    copy("metadata", patched, tree);
    copy("status", patched, tree);
    return store(before, keeping(before, tree));
  }

  /** Patches anything, what only the API sets included. */
  KubeObject change(ObjectRef ref, ObjectNode mergePatch) {
    KubeObject before = get(ref);
    return store(before, merged(before, mergePatch));
  }

  void delete(ObjectRef ref, DeleteOptions options) {
    KubeObject before = get(ref);
    if (options.uid() != null && !options.uid().equals(before.uid())) {
      throw new ClusterException(Reason.CONFLICT, ref + " has another uid");
    }
    String version = options.resourceVersion();
    if (version != null && !version.equals(before.resourceVersion())) {
      throw new ClusterException(Reason.CONFLICT, ref + " has changed");
    }
    ObjectNode tree = before.copy();
    ObjectNode metadata = tree.withObjectProperty("metadata");
    if (options.propagation() != null) {
      setPropagation(before, metadata, options.propagation());
    }
    if (ref.kind().equals(Kind.POD)) {
      setGracePeriod(before, metadata, options.gracePeriodSeconds());
    } else {
      setIfMissing(metadata, "deletionTimestamp", Timestamps.format(clock.instant()));
    }
    if (ref.kind().equals(Kind.NAMESPACE)) {
      tree.withObjectProperty("status").put("phase", "Terminating");
    }
    store(before, tree);
  }

  private static void setPropagation(
      KubeObject before, ObjectNode metadata, Propagation propagation) {
    ArrayNode finalizers = metadata.putArray("finalizers");
    before.finalizers().stream()
        .filter(each -> !FINALIZERS.containsValue(each))
        .forEach(finalizers::add);
    String finalizer = FINALIZERS.get(propagation);
    if (finalizer != null) {
      finalizers.add(finalizer);
    }
  }

  /** A pod that a node may run ends within its grace period, which may only become shorter. */
  private void setGracePeriod(KubeObject pod, ObjectNode metadata, @Nullable Long asked) {
    long wanted = gracePeriod(pod, asked);
    Long granted = Json.longInteger(metadata, "deletionGracePeriodSeconds");
    if (granted == null || wanted < granted) {
      Instant end = clock.instant().plusSeconds(wanted);
      metadata
          .put("deletionTimestamp", Timestamps.format(end))
          .put("deletionGracePeriodSeconds", wanted);
    }
  }

  private static long gracePeriod(KubeObject pod, @Nullable Long asked) {
    boolean scheduled = !Objects.requireNonNullElse(pod.specText("nodeName"), "").isEmpty();
    String phase = Objects.requireNonNullElse(pod.statusText("phase"), "");
    if (!scheduled || phase.equals("Succeeded") || phase.equals("Failed")) {
      return 0;
    }
    Long own = Json.longInteger(pod.spec(), "terminationGracePeriodSeconds");
    return asked != null ? asked : Objects.requireNonNullElse(own, DEFAULT_GRACE_SECONDS);
  }

  /** Returns the object, if its uid and revision match the given ones. */
  private KubeObject matching(ObjectRef ref, @Nullable ObjectNode metadata) {
    KubeObject found = get(ref);
    if (differs(Json.text(metadata, "uid"), found.uid())
        || differs(Json.text(metadata, "resourceVersion"), found.resourceVersion())) {
      throw new ClusterException(Reason.CONFLICT, ref + " has been modified");
    }
    return found;
  }

  private static boolean differs(@Nullable String wanted, String found) {
    return wanted != null && !wanted.isEmpty() && !wanted.equals(found);
  }

  /** Adds the members of the earlier state, and the metadata that only the API sets. */
  private static ObjectNode keeping(KubeObject before, ObjectNode tree, String... members) {
    for (String member : members) {
      copy(member, before.tree(), tree);
    }
    ObjectNode metadata = tree.withObjectProperty("metadata");
    SYSTEM_FIELDS.forEach(
        member -> copy(member, Objects.requireNonNull(before.metadata()), metadata));
    return tree;
  }

  private static ObjectNode merged(KubeObject before, ObjectNode mergePatch) {
    ObjectNode tree = before.copy();
    merge(tree, mergePatch);
    return tree;
  }

  private static void merge(ObjectNode target, ObjectNode patch) {
    patch
        .properties()
        .forEach(member -> {
          if (member.getValue().isNull()) {
            target.remove(member.getKey());
          } else if (member.getValue() instanceof ObjectNode inner) {
            JsonNode there = target.get(member.getKey());
            merge(
                there instanceof ObjectNode object ? object : target.putObject(member.getKey()),
                inner);
          } else {
            target.set(member.getKey(), member.getValue().deepCopy());
          }
        });
  }

  private static void copy(String member, ObjectNode from, ObjectNode to) {
    JsonNode value = from.get(member);
    if (value == null) {
      to.remove(member);
    } else {
      to.set(member, value.deepCopy());
    }
  }

  /** Replaces an object, or removes it if it only waited for its last finalizer. */
  private KubeObject store(KubeObject before, ObjectNode tree) {
    tree.withObjectProperty("metadata").put("resourceVersion", before.resourceVersion());
    KubeObject after = KubeObject.of(tree.deepCopy());
    if (isGone(after)) {
      return publish(WatchEvent.Type.DELETED, tree);
    }
    return tree.equals(before.tree()) ? before : publish(WatchEvent.Type.MODIFIED, tree);
  }

  private static boolean isGone(KubeObject object) {
    ArrayNode held = Json.arrayAt(object.spec(), "finalizers");
    Long grace = Json.longInteger(object.metadata(), "deletionGracePeriodSeconds");
    return object.deletionTimestamp() != null
        && object.finalizers().isEmpty()
        && (held == null || held.isEmpty())
        && (grace == null || grace == 0);
  }

  /** Removes an object at once, whatever holds it. */
  void remove(ObjectRef ref) {
    publish(WatchEvent.Type.DELETED, get(ref).copy());
  }

  private KubeObject publish(WatchEvent.Type type, ObjectNode tree) {
    tree.withObjectProperty("metadata").put("resourceVersion", Long.toString(++revision));
    KubeObject object = KubeObject.of(tree);
    if (type == WatchEvent.Type.DELETED) {
      objects.remove(refOf(object));
    } else {
      objects.put(refOf(object), object);
    }
    WatchEvent event = new WatchEvent(type, object);
    history.add(event);
    changes.accept(event);
    return object;
  }
}
