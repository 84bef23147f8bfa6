package dev.stint.simulation;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.DeleteOptions;
import dev.stint.cluster.DeleteOptions.Propagation;
import dev.stint.cluster.EventLoop;
import dev.stint.controllers.definition.DefinitionCleanup;
import dev.stint.controllers.definition.NameConflicts;
import dev.stint.controllers.gc.GarbageCollector;
import dev.stint.controllers.gc.ServedKinds;
import dev.stint.controllers.metrics.Metrics;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Two custom kinds whose definitions and objects come, change and go while Jobs run. Objects, and
 * config maps, are owned by other objects and by Jobs.
 */
final class CustomNeighbours implements Neighbours {
  static final String GROUP = "simulation.example";
  static final String CREATED = "a custom resource is created";
  static final String DELETED = "a custom resource is deleted";

  private static final Duration QUIET = Duration.ofHours(1);
  static final String HOLD = GROUP + "/hold";
  private static final List<Kind> CUSTOM =
      List.of(
          new Kind(GROUP, "v1", "Thing", "things", true),
          new Kind(GROUP, "v1", "Gadget", "gadgets", true));

  private final RandomGenerator random;
  private final FaultCounts happened;
  private final CustomLaws laws = new CustomLaws();
  private final WatchLaws watches = new WatchLaws(CUSTOM);

  /** The requests made since the end of trouble, by kind or by object and revision. */
  private final Set<String> asked = new HashSet<>();

  /** One of so many steps has an action. */
  private final int every;

  /** True if the client that watches has to look whether its kinds are served by now. */
  private boolean definitionsChange;

  private int lives;
  private int names;

  CustomNeighbours(long seed, FaultCounts happened) {
    this.random = new Random(~seed * 41);
    this.happened = happened;
    this.every = pick(5, 20, 100);
  }

  @SafeVarargs
  private <T> T pick(T... values) {
    return values[random.nextInt(values.length)];
  }

  private @Nullable KubeObject pick(Stream<KubeObject> objects) {
    List<KubeObject> all = objects.toList();
    return all.isEmpty() ? null : all.get(random.nextInt(all.size()));
  }

  private static ObjectRef ref(KubeObject object) {
    return Stream.concat(CUSTOM.stream(), Stream.of(Kind.CUSTOM_RESOURCE_DEFINITION))
        .filter(kind -> kind.kind().equals(object.kindName()))
        .map(kind -> new ObjectRef(kind, object.namespace(), object.name()))
        .findFirst()
        .orElseGet(object::ref);
  }

  @Override
  public void start(Cluster cluster, ServedKinds kinds, EventLoop loop) {
    asked.clear();
    int life = ++lives;
    new DefinitionCleanup(cluster, loop, Metrics.NONE).start();
    new NameConflicts(cluster, loop, Metrics.NONE).start();
    new GarbageCollector(laws.ofCollector(cluster, loop), loop, Metrics.NONE, some(kinds)).start();
    watches.listen(cluster, () -> lives == life);
  }

  /** Returns the kinds that a world has: lists of others would take most of its steps. */
  private static ServedKinds some(ServedKinds kinds) {
    Set<Kind> builtIn =
        Set.of(Kind.JOB, Kind.POD, Kind.CONFIG_MAP, Kind.CUSTOM_RESOURCE_DEFINITION);
    return new ServedKinds() {
      @Override
      public List<Kind> stored() {
        return kinds.stored().stream()
            .filter(kind -> kind.group().equals(GROUP) || builtIn.contains(kind))
            .toList();
      }

      @Override
      public @Nullable Kind find(String apiVersion, String kind) {
        return kinds.find(apiVersion, kind);
      }
    };
  }

  @Override
  public void begin(Cluster cluster) {
    CUSTOM.forEach(kind -> define(cluster, kind));
  }

  private void define(Cluster cluster, Kind kind) {
    ObjectNode definition = Json.object();
    definition.put("apiVersion", "apiextensions.k8s.io/v1").put("kind", "CustomResourceDefinition");
    definition.putObject("metadata").put("name", kind.plural() + "." + GROUP);
    ObjectNode spec = definition.putObject("spec").put("group", GROUP).put("scope", "Namespaced");
    spec.putObject("names").put("plural", kind.plural()).put("kind", kind.kind());
    spec.set("versions", versions());
    cluster.create(KubeObject.of(definition));
  }

  /** Two versions, of which either stores objects, with a schema that limits a number. */
  private ArrayNode versions() {
    ArrayNode versions = Json.array();
    String storing = pick("v1", "v2");
    for (String version : List.of("v1", "v2")) {
      ObjectNode each = versions.addObject().put("name", version);
      each.put("served", version.equals("v1") || random.nextBoolean());
      each.put("storage", version.equals(storing));
      each.putObject("subresources").putObject("status");
      ObjectNode schema =
          each.putObject("schema")
              .putObject("openAPIV3Schema")
              .put("type", "object")
              .put("x-kubernetes-preserve-unknown-fields", true);
      ObjectNode members = schema.putObject("properties");
      members
          .putObject("spec")
          .put("type", "object")
          .putObject("properties")
          .putObject("n")
          .put("type", "integer")
          .put("maximum", random.nextInt(5, 10));
    }
    return versions;
  }

  @Override
  public void act(Cluster cluster) {
    if (random.nextInt(every) > 0) {
      return;
    }
    switch (random.nextInt(22)) {
      case 0 -> define(cluster, pick(CUSTOM.toArray(Kind[]::new)));
      case 1, 2 -> redefine(cluster);
      case 3 -> delete(cluster, pick(laws.definitions()), "a definition is deleted");
      case 4, 5, 6, 7, 8 -> create(cluster, pick("Thing", "Gadget"));
      case 9, 10 -> create(cluster, "ConfigMap");
      case 11, 12, 13 -> change(cluster);
      case 14, 15 -> letGo(cluster, pick(laws.checked()));
      case 16, 17 -> giveOwner(cluster, pick(laws.checked()));
      default -> delete(cluster, pick(laws.checked()), DELETED);
    }
  }

  private void redefine(Cluster cluster) {
    KubeObject definition = pick(laws.definitions());
    if (definition != null) {
      happened.add("a definition changes");
      ObjectNode patch = Json.object();
      patch.putObject("spec").set("versions", versions());
      cluster.patch(ref(definition), patch);
    }
  }

  /** Deletes an object, once: a user who asks for two ways at once gets either. */
  private void delete(Cluster cluster, @Nullable KubeObject object, String what) {
    if (object != null && laws.deletedByUsers.add(object.uid())) {
      happened.add(what);
      Propagation how = pick(Propagation.BACKGROUND, Propagation.FOREGROUND, Propagation.ORPHAN);
      cluster.delete(ref(object), new DeleteOptions(object.uid(), null, how));
    }
  }

  private void create(Cluster cluster, String kind) {
    happened.add(CREATED);
    ObjectNode object = Json.object();
    String version = kind.equals("ConfigMap") ? "v1" : GROUP + "/" + pick("v1", "v1", "v2");
    object.put("apiVersion", version).put("kind", kind);
    ObjectNode metadata = object.putObject("metadata");
    metadata.put("namespace", "default").put("name", "c" + names++);
    if (random.nextInt(4) == 0) {
      metadata.putArray("finalizers").add(HOLD);
    }
    int owners = random.nextInt(3);
    for (int i = 0; i < owners; i++) {
      own(metadata, pick(laws.owners()));
    }
    if (!kind.equals("ConfigMap")) {
      object.putObject("spec").put("n", random.nextInt(10));
    }
    cluster.create(KubeObject.of(object));
  }

  private void own(ObjectNode metadata, @Nullable KubeObject owner) {
    if (owner != null) {
      metadata
          .withArrayProperty("ownerReferences")
          .addObject()
          .put("apiVersion", owner.apiVersion())
          .put("kind", owner.kindName())
          .put("name", owner.name())
          .put("uid", owner.uid())
          .put("blockOwnerDeletion", random.nextBoolean());
    }
  }

  private void giveOwner(Cluster cluster, @Nullable KubeObject object) {
    if (object != null) {
      happened.add("a user gives an object an owner");
      ObjectNode patch = Json.object();
      ObjectNode metadata = patch.putObject("metadata");
      metadata.put("resourceVersion", object.resourceVersion());
      JsonNode known = object.metadata().path("ownerReferences");
      known.forEach(metadata.putArray("ownerReferences")::add);
      own(metadata, pick(laws.owners().filter(owner -> !known.toString().contains(owner.uid()))));
      cluster.patch(ref(object), patch);
    }
  }

  private void change(Cluster cluster) {
    KubeObject object = pick(laws.checked());
    if (object == null || object.kindName().equals("ConfigMap")) {
      return;
    }
    ObjectNode patch = Json.object();
    if (random.nextBoolean()) {
      patch.putObject("status").put("seen", random.nextInt(10));
      cluster.patchStatus(ref(object), patch);
    } else {
      patch.putObject("spec").put("n", random.nextInt(10));
      cluster.patch(ref(object), patch);
    }
  }

  private void letGo(Cluster cluster, @Nullable KubeObject object) {
    if (object != null && object.finalizers().contains(HOLD)) {
      laws.letGoByUsers.add(object.uid());
      ObjectNode patch = Json.object();
      ObjectNode metadata = patch.putObject("metadata");
      metadata.put("resourceVersion", object.resourceVersion());
      ArrayNode others = metadata.putArray("finalizers");
      object.finalizers().stream().filter(each -> !each.equals(HOLD)).forEach(others::add);
      cluster.patch(ref(object), patch);
    }
  }

  @Override
  public void changed(@Nullable KubeObject before, @Nullable KubeObject after) {
    laws.changed(before, after);
    KubeObject any = after == null ? before : after;
    if (any != null && any.kindName().equals("CustomResourceDefinition")) {
      definitionsChange = true;
    }
  }

  @Override
  public void stored(KubeObject object, long revision, boolean gone) {
    watches.changed(object, revision, gone);
  }

  @Override
  public void hold() {
    laws.hold();
    watches.hold();
    if (definitionsChange) {
      definitionsChange = false;
      watches.lookAgain();
    }
  }

  /**
   * Removes all finalizers of users, and serves all versions of both kinds: a reference to what is
   * not served says nothing of its owner.
   */
  @Override
  public void calm(Cluster cluster) {
    laws.checked()
        .filter(object -> object.finalizers().contains(HOLD))
        .filter(object -> asked.add(object.uid() + "@" + object.resourceVersion()))
        .toList()
        .forEach(object -> letGo(cluster, object));
    laws.definitions()
        .filter(definition -> asked.add(definition.uid() + "@" + definition.resourceVersion()))
        .toList()
        .forEach(definition -> serve(cluster, definition));
    Set<String> defined = new HashSet<>();
    laws.definitions().forEach(each -> defined.add(each.name()));
    for (Kind kind : CUSTOM) {
      String name = kind.plural() + "." + GROUP;
      if (!defined.contains(name) && asked.add(name)) {
        define(cluster, kind);
      } else if (defined.contains(name)) {
        asked.remove(name);
      }
    }
  }

  /** Serves all versions of a definition. */
  private static void serve(Cluster cluster, KubeObject definition) {
    ArrayNode versions = (ArrayNode) definition.tree().at("/spec/versions").deepCopy();
    versions.forEach(version -> ((ObjectNode) version).put("served", true));
    if (!versions.equals(definition.tree().at("/spec/versions"))) {
      ObjectNode patch = Json.object();
      patch.putObject("spec").set("versions", versions);
      cluster.patch(ref(definition), patch);
    }
  }

  @Override
  public Duration quiet() {
    return QUIET;
  }

  @Override
  public void checkEnd() {
    laws.checkEnd();
    watches.checkEnd();
  }
}
