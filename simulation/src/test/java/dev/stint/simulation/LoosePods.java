package dev.stint.simulation;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.DeleteOptions;
import dev.stint.cluster.EventLoop;
import dev.stint.controllers.gc.ServedKinds;
import dev.stint.engine.pod.PodView;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Users who create pods that a Job's selector matches, without a controller or with another one,
 * and who change the owners and the labels of pods, so that Jobs adopt and release them. A third of
 * the Jobs have a selector of their own.
 */
final class LoosePods implements Neighbours {
  /** The first seed of worlds with such users; those before play as ever. */
  static final long FIRST_SEED = 2_000_001;

  private static final int MOST_SHRINKINGS = 3;
  private static final String APP = "app";
  private static final String OFF = "off";

  private final RandomGenerator random;
  private final FaultCounts happened;

  /** One of so many steps has an action. */
  private final int every;

  private @Nullable History history;
  private int actions;
  private @Nullable SurplusLaws surplus;
  private int shrinkings;

  /** The Jobs whose selectors matched pods at their creation, by the uids of the pods. */
  private final Map<String, String> makers = new HashMap<>();

  /** The uids of pods that the users have removed since the process began. */
  private final Set<String> removed = new HashSet<>();

  LoosePods(long seed, FaultCounts happened) {
    this.random = new Random(~seed * 41);
    this.happened = happened;
    this.every = pick(15, 60, 250);
  }

  @SafeVarargs
  private <T> T pick(T... values) {
    return values[random.nextInt(values.length)];
  }

  @Override
  public void know(History known) {
    history = known;
  }

  private History history() {
    return Objects.requireNonNull(history);
  }

  @Override
  public void adapt(ObjectNode job) {
    int kind = random.nextInt(6);
    if (kind > 1) {
      return;
    }
    ObjectNode spec = job.withObjectProperty("spec").put("manualSelector", true);
    String name = job.at("/metadata/name").asString();
    spec.withObjectProperty("template").putObject("metadata").putObject("labels").put(APP, name);
    ObjectNode selector = spec.putObject("selector");
    if (kind == 0) {
      selector.putObject("matchLabels").put(APP, name);
    } else {
      ArrayNode wanted = selector.putArray("matchExpressions");
      wanted
          .addObject()
          .put("key", APP)
          .put("operator", "In")
          .putArray("values")
          .add(name)
          .add(APP);
      wanted.addObject().put("key", OFF).put("operator", "DoesNotExist");
    }
  }

  @Override
  public void act(Cluster cluster) {
    if (random.nextInt(every) > 0) {
      return;
    }
    switch (random.nextInt(10)) {
      case 0, 1, 2 -> create(cluster, any(jobs()));
      case 3, 4 -> removeOwners(cluster, any(pods()));
      case 5, 6, 7 -> relabel(cluster, any(pods()), any(jobs()));
      case 8 -> handOver(cluster, any(pods()));
      default -> orphan(cluster, any(jobs()));
    }
  }

  private List<KubeObject> jobs() {
    return history().jobs.values().stream()
        .filter(job -> !job.gone)
        .map(job -> job.object)
        .toList();
  }

  private List<KubeObject> pods() {
    return history().pods.values().stream().filter(pod -> !mayCountAgain(pod)).toList();
  }

  /**
   * True if a Job with a selector of its own cannot tell whether it has counted a pod: this is
   * known, and documented.
   */
  private boolean mayCountAgain(KubeObject pod) {
    return PodView.of(pod).hasStopped() && pod.label(APP) != null;
  }

  private @Nullable KubeObject any(List<KubeObject> objects) {
    return objects.isEmpty() ? null : objects.get(random.nextInt(objects.size()));
  }

  private void happens(String what) {
    happened.add(what);
  }

  /** Returns metadata that marks a change as a user's. */
  private ObjectNode marked(ObjectNode object) {
    ObjectNode metadata = object.withObjectProperty("metadata");
    metadata.putObject("annotations").put(OwnershipLaws.MARK, "user-" + actions++);
    return metadata;
  }

  private void create(Cluster cluster, @Nullable KubeObject job) {
    if (job == null) {
      return;
    }
    happens("a user creates a pod that a Job may adopt");
    ObjectNode pod = Json.object();
    pod.put("apiVersion", "v1").put("kind", "Pod");
    ObjectNode metadata = marked(pod);
    metadata.put("name", "loose-" + actions).put("namespace", "default");
    ObjectNode labels = metadata.putObject("labels");
    label(labels, job, true);
    if (random.nextInt(4) > 0) {
      index(metadata, labels, job);
    }
    if (random.nextInt(3) == 0) {
      metadata.putArray("finalizers").add(Names.TRACKING_FINALIZER);
    }
    int owners = random.nextInt(6);
    if (owners < 2) {
      own(metadata.putArray("ownerReferences"), owners == 0);
    }
    pod.set("spec", Objects.requireNonNull(job.spec()).at("/template/spec"));
    cluster.create(KubeObject.of(pod));
  }

  /** Sets labels so that the selector of a Job matches them, or does not. */
  private void label(ObjectNode labels, KubeObject job, boolean matching) {
    boolean isManual = isManual(job);
    String right = isManual ? pick(job.name(), APP) : job.uid();
    labels.put(isManual ? APP : Names.CONTROLLER_UID, matching ? right : "none");
    if (isManual && random.nextInt(4) == 0) {
      labels.put(matching ? "on" : OFF, "yes").put(Names.CONTROLLER_UID, job.uid());
    }
  }

  private static boolean isManual(KubeObject job) {
    return job.tree().at("/spec/manualSelector").asBoolean(false);
  }

  private void index(ObjectNode metadata, ObjectNode labels, KubeObject job) {
    int completions = job.tree().at("/spec/completions").asInt(0);
    if (job.tree().at("/spec/completionMode").asString("").equals("Indexed")) {
      String index = "" + random.nextInt(completions + 2);
      labels.put(Names.COMPLETION_INDEX, index);
      ObjectNode annotations = metadata.withObjectProperty("annotations");
      annotations.put(Names.COMPLETION_INDEX, index);
      if (job.tree().at("/spec").has("backoffLimitPerIndex")) {
        annotations.put(Names.INDEX_FAILURE_COUNT, "" + random.nextInt(3));
      }
    }
  }

  /**
   * Adds an owner that nobody knows.
   *
   * @param controls true if it is the controller
   */
  private static void own(ArrayNode owners, boolean controls) {
    owners
        .addObject()
        .put("apiVersion", "apps/v1")
        .put("kind", "ReplicaSet")
        .put("name", "other")
        .put("uid", "0000-other")
        .put("controller", controls);
  }

  private static ObjectNode patch(KubeObject pod) {
    return pod.label(APP) == null ? Json.object() : exactly(pod);
  }

  private static ObjectNode exactly(KubeObject pod) {
    ObjectNode patch = Json.object();
    patch.putObject("metadata").put("resourceVersion", pod.resourceVersion());
    return patch;
  }

  private void removeOwners(Cluster cluster, @Nullable KubeObject pod) {
    if (pod != null) {
      happens("a user removes the owners of a pod");
      ObjectNode patch = patch(pod);
      marked(patch).putNull("ownerReferences");
      cluster.patch(pod.ref(), patch);
    }
  }

  private void relabel(Cluster cluster, @Nullable KubeObject pod, @Nullable KubeObject job) {
    if (pod == null || job == null) {
      return;
    }
    History.Job owner = history().jobOf(pod);
    boolean restores = owner == null || random.nextInt(4) == 0;
    KubeObject concerned = owner == null ? job : owner.object;
    boolean mayMove = isManual(concerned) || !concerned.uid().equals(madeFor(pod));
    if (!mayMove || PodView.of(pod).isActive()) {
      happens("a user relabels a pod");
      ObjectNode patch = mayMove ? exactly(pod) : patch(pod);
      label(marked(patch).putObject("labels"), concerned, restores);
      cluster.patch(pod.ref(), patch);
    }
  }

  /** Returns the uid of the Job to which a pod has belonged from its creation on. */
  private String madeFor(KubeObject pod) {
    return makers.getOrDefault(pod.uid(), "");
  }

  @Override
  public void changed(@Nullable KubeObject before, @Nullable KubeObject after) {
    if (before == null && after != null && after.kindName().equals("Pod")) {
      String label = after.label(Names.CONTROLLER_UID);
      makers.put(after.uid(), Objects.requireNonNullElse(label, ""));
    }
  }

  @Override
  public void start(Cluster cluster, ServedKinds kinds, EventLoop loop) {
    removed.clear();
  }

  /** Removes pods that never start, and whose Job may wait for them forever. */
  @Override
  public void calm(Cluster cluster) {
    for (KubeObject pod : history().pods.values()) {
      boolean starts =
          pod.tree().at("/spec/containers/0/resources/limits/example.com~1none").isMissingNode();
      if (!starts && history().isMoved(pod.uid()) && removed.add(pod.uid())) {
        history().deletedByOthers.add(pod.uid());
        cluster.delete(pod.ref(), DeleteOptions.now(pod.uid()));
      }
    }
  }

  private void handOver(Cluster cluster, @Nullable KubeObject pod) {
    if (pod != null && PodView.of(pod).isActive()) {
      happens("a user gives a pod another controller");
      ObjectNode patch = exactly(pod);
      own(marked(patch).putArray("ownerReferences"), true);
      cluster.patch(pod.ref(), patch);
    }
  }

  /** Lowers the parallelism of a Job whose pods all know, and sees which of them go. */
  @Override
  public void onIdle(Cluster cluster) {
    if (surplus != null) {
      surplus.check();
      surplus = null;
    } else if (shrinkings < MOST_SHRINKINGS && random.nextBoolean()) {
      KubeObject job = any(jobs());
      surplus = job == null ? null : SurplusLaws.begin(history(), job.uid());
      if (job != null && surplus != null) {
        happens("the parallelism is lowered while nothing else happens");
        shrinkings++;
        ObjectNode patch = Json.object();
        patch.putObject("spec").put("parallelism", random.nextInt(1, surplus.active()));
        cluster.patch(job.ref(), patch);
      }
    }
  }

  private void orphan(Cluster cluster, @Nullable KubeObject job) {
    if (job != null && history().collectsGarbage && random.nextInt(5) == 0) {
      happens("a user deletes a Job and keeps its pods");
      history().deletedByOthers.add(job.uid());
      cluster.delete(
          job.ref(), new DeleteOptions(job.uid(), null, DeleteOptions.Propagation.ORPHAN));
    }
  }
}
