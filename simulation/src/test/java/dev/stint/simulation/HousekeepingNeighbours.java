package dev.stint.simulation;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.DeleteOptions;
import dev.stint.cluster.DeleteOptions.Propagation;
import dev.stint.cluster.EventLoop;
import dev.stint.controllers.cronjob.CronJobController;
import dev.stint.controllers.gc.GarbageCollector;
import dev.stint.controllers.gc.PodGarbageCollector;
import dev.stint.controllers.gc.ServedKinds;
import dev.stint.controllers.metrics.Metrics;
import dev.stint.controllers.namespace.NamespaceController;
import dev.stint.model.FeatureGates;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Namespaces, CronJobs, bare pods and a Node that come, change and go while Jobs run, with the
 * controllers that look after them.
 */
final class HousekeepingNeighbours implements Neighbours {
  static final String DELETED = "a user deletes something";

  /** Longer than any back-off, deadline or time to live of random Jobs. */
  private static final Duration QUIET = Duration.ofHours(1);

  /** How long CronJobs go on after the last fault. */
  private static final Duration LAST_STARTS = Duration.ofMinutes(8);

  private static final List<Kind> CONTENTS =
      List.of(Kind.POD, Kind.JOB, Kind.CRON_JOB, Kind.CONFIG_MAP, Kind.EVENT);
  private static final List<Kind> OWNING =
      List.of(Kind.POD, Kind.JOB, Kind.CRON_JOB, Kind.CONFIG_MAP, Kind.NAMESPACE, Kind.NODE);
  private static final String ELSEWHERE = "elsewhere";

  private final RandomGenerator random;
  private final FaultCounts happened;

  /** One of so many steps has an action. */
  private final int every;

  private final int threshold;

  /** The requests made since the end of trouble, by object and revision. */
  private final Set<String> asked = new HashSet<>();

  private @Nullable HousekeepingLaws laws;
  private @Nullable EventLoop clock;

  /** Since when nothing fails any more, and CronJobs may go on. */
  private @Nullable Instant calmSince;

  private int actions;

  HousekeepingNeighbours(long seed, FaultCounts happened) {
    this.random = new Random(~seed * 43);
    this.happened = happened;
    this.every = pick(5, 20, 100);
    this.threshold = pick(2, 10, PodGarbageCollector.USUAL_THRESHOLD);
  }

  @SafeVarargs
  private <T> T pick(T... values) {
    return values[random.nextInt(values.length)];
  }

  private @Nullable KubeObject pick(Stream<KubeObject> objects) {
    List<KubeObject> all = objects.toList();
    return all.isEmpty() ? null : all.get(random.nextInt(all.size()));
  }

  @Override
  public void know(History history) {
    history.collectsGarbage = true;
    laws = new HousekeepingLaws(history, threshold);
  }

  private HousekeepingLaws laws() {
    return Objects.requireNonNull(laws);
  }

  private Stream<KubeObject> all(Kind kind) {
    return laws().all(object -> object.kind().equals(kind));
  }

  @Override
  public void start(Cluster cluster, ServedKinds kinds, EventLoop loop) {
    asked.clear();
    clock = loop;
    laws().nodes.begin(loop::now);
    laws().crons.begin(loop::now);
    Cluster ofCrons = new ObservedCluster(cluster, laws()::onRequestOfCronJobs, _ -> {});
    new CronJobController(ofCrons, loop, Metrics.NONE, ZoneOffset.UTC, FeatureGates.DEFAULT)
        .start();
    Cluster ofPods = new ObservedCluster(cluster, laws().nodes::onRequest, laws().nodes::onTold);
    new PodGarbageCollector(ofPods, loop, Metrics.NONE, threshold).start();
    new NamespaceController(cluster, loop, Metrics.NONE, () -> CONTENTS).start();
    new GarbageCollector(
            laws().ofCollector(cluster, loop), loop, Metrics.NONE, ServedKinds.fixed(OWNING))
        .start();
  }

  @Override
  public void begin(Cluster cluster) {
    createNode(cluster);
    createNamespace(cluster, "n0");
    createCronJob(cluster, "default");
  }

  @Override
  public void act(Cluster cluster) {
    if (random.nextInt(every) > 0) {
      return;
    }
    actions++;
    switch (random.nextInt(24)) {
      case 0, 1 -> createNamespace(cluster, pick("n0", "n1"));
      case 2, 3 -> delete(cluster, pick(all(Kind.NAMESPACE)));
      case 4, 5 -> createConfigMap(cluster, pick("default", "n0", "n1"));
      case 6, 7, 8, 9 -> createPod(cluster, pick("default", "n0", "n1"));
      case 10 -> createJob(cluster, pick("default", "n0", "n1"));
      case 11, 12 -> createCronJob(cluster, pick("default", "n0", "n1"));
      case 13, 14, 15 -> suspend(cluster, pick(all(Kind.CRON_JOB)));
      case 16 -> delete(cluster, pick(all(Kind.CRON_JOB)));
      case 17, 18 -> delete(cluster, pick(bare()));
      case 19, 20 -> letGo(cluster, pick(held()));
      case 21 -> delete(cluster, pick(all(Kind.NODE)));
      default -> createNode(cluster);
    }
  }

  private Stream<KubeObject> bare() {
    return Stream.concat(all(Kind.POD), all(Kind.CONFIG_MAP))
        .filter(object -> object.controllerUid() == null);
  }

  private Stream<KubeObject> held() {
    return laws().all(object -> object.finalizers().contains(HousekeepingLaws.HOLD));
  }

  private void delete(Cluster cluster, @Nullable KubeObject object) {
    if (object != null) {
      happened.add(DELETED);
      laws().deletedByUser(object);
      Propagation how = pick(Propagation.BACKGROUND, Propagation.FOREGROUND, Propagation.ORPHAN);
      cluster.delete(object.ref(), new DeleteOptions(object.uid(), null, how));
    }
  }

  private static ObjectNode object(String apiVersion, String kind, String namespace, String name) {
    ObjectNode object = Json.object();
    object.put("apiVersion", apiVersion).put("kind", kind);
    ObjectNode metadata = object.putObject("metadata").put("name", name);
    if (!namespace.isEmpty()) {
      metadata.put("namespace", namespace);
    }
    return object;
  }

  private void createNode(Cluster cluster) {
    cluster.create(KubeObject.of(object("v1", "Node", "", SimulatedSystem.NODE)));
  }

  private void createNamespace(Cluster cluster, String name) {
    cluster.create(KubeObject.of(object("v1", "Namespace", "", name)));
  }

  private void createConfigMap(Cluster cluster, String namespace) {
    ObjectNode map = object("v1", "ConfigMap", namespace, pick("m0", "m1", "m2"));
    mayHold(map);
    cluster.create(KubeObject.of(map));
  }

  private void mayHold(ObjectNode object) {
    if (random.nextInt(4) == 0) {
      object.withObjectProperty("metadata").putArray("finalizers").add(HousekeepingLaws.HOLD);
    }
  }

  private void createPod(Cluster cluster, String namespace) {
    ObjectNode pod = object("v1", "Pod", namespace, "p" + random.nextInt(6));
    mayHold(pod);
    pod.withObjectProperty("metadata")
        .putObject("annotations")
        .put(OwnershipLaws.MARK, "user-" + actions);
    ObjectNode spec = spec(pod);
    if (random.nextInt(4) == 0) {
      spec.put("nodeName", ELSEWHERE);
    }
    cluster.create(KubeObject.of(pod));
  }

  /** Adds the specification of a pod. */
  private ObjectNode spec(ObjectNode pod) {
    ObjectNode spec = pod.putObject("spec").put("restartPolicy", "Never");
    spec.put("terminationGracePeriodSeconds", pick(0, 1, 30));
    spec.putArray("containers").addObject().put("name", "main").put("image", "none");
    return spec;
  }

  /** Some Jobs have the name that a CronJob wants to give to its next one. */
  private void createJob(Cluster cluster, String namespace) {
    long next = Objects.requireNonNull(clock).now().getEpochSecond() / 60 + 1;
    String name = random.nextBoolean() ? "j" + actions : pick("c0-", "c1-", "c2-") + next;
    ObjectNode job = object("batch/v1", "Job", namespace, name);
    jobSpec(job);
    cluster.create(KubeObject.of(job));
  }

  /** Adds the specification of a Job. */
  private void jobSpec(ObjectNode job) {
    ObjectNode spec = job.putObject("spec").put("backoffLimit", random.nextInt(2));
    spec.put("parallelism", 1).put("completions", random.nextInt(1, 3));
    spec(spec.putObject("template"));
  }

  private void createCronJob(Cluster cluster, String namespace) {
    ObjectNode cronJob = object("batch/v1", "CronJob", namespace, pick("c0", "c1", "c2"));
    ObjectNode spec = cronJob.putObject("spec");
    spec.put("schedule", "*/" + pick(1, 1, 2, 5) + " * * * *").put("timeZone", "Etc/UTC");
    spec.put("concurrencyPolicy", pick("Allow", "Forbid", "Replace"));
    spec.put("successfulJobsHistoryLimit", random.nextInt(4));
    spec.put("failedJobsHistoryLimit", random.nextInt(3));
    if (random.nextInt(3) == 0) {
      spec.put("startingDeadlineSeconds", pick(20, 60, 600));
    }
    jobSpec(spec.putObject("jobTemplate"));
    cluster.create(KubeObject.of(cronJob));
  }

  private void suspend(Cluster cluster, @Nullable KubeObject cronJob) {
    if (cronJob != null) {
      boolean suspended = Boolean.TRUE.equals(Json.bool(cronJob.spec(), "suspend"));
      suspend(cluster, cronJob, !suspended);
    }
  }

  private static void suspend(Cluster cluster, KubeObject cronJob, boolean on) {
    ObjectNode patch = Json.object();
    patch.putObject("spec").put("suspend", on);
    cluster.patch(cronJob.ref(), patch);
  }

  private void letGo(Cluster cluster, @Nullable KubeObject object) {
    if (object != null) {
      laws().letGoByUsers.add(object.uid());
      ObjectNode patch = Json.object();
      ObjectNode metadata = patch.putObject("metadata");
      metadata.put("uid", object.uid()).put("resourceVersion", object.resourceVersion());
      ArrayNode others = metadata.putArray("finalizers");
      object.finalizers().stream()
          .filter(each -> !each.equals(HousekeepingLaws.HOLD))
          .forEach(others::add);
      cluster.patch(object.ref(), patch);
    }
  }

  @Override
  public void changed(@Nullable KubeObject before, @Nullable KubeObject after) {
    laws().changed(before, after);
  }

  @Override
  public void hold() {
    laws().hold();
  }

  /** Brings the Node back, lets go what users hold, and suspends CronJobs in the end. */
  @Override
  public void calm(Cluster cluster) {
    Instant now = Objects.requireNonNull(clock).now();
    calmSince = Objects.requireNonNullElse(calmSince, now);
    if (all(Kind.NODE).findAny().isEmpty() && asked.add("node")) {
      createNode(cluster);
    }
    held().filter(this::isNews).toList().forEach(object -> letGo(cluster, object));
    if (now.isAfter(calmSince.plus(LAST_STARTS.multipliedBy(2)))) {
      suspendAll(cluster);
    }
  }

  private void suspendAll(Cluster cluster) {
    going().filter(this::isNews).toList().forEach(cronJob -> suspend(cluster, cronJob, true));
  }

  /** Returns the CronJobs that are not suspended. */
  private Stream<KubeObject> going() {
    return laws()
        .crons
        .stored()
        .filter(cronJob -> !Boolean.TRUE.equals(Json.bool(cronJob.spec(), "suspend")));
  }

  /** Sees whether CronJobs were started, once they have had the time for that; it is enough. */
  @Override
  public void onIdle(Cluster cluster) {
    Instant end = Objects.requireNonNull(calmSince).plus(LAST_STARTS);
    if (Objects.requireNonNull(clock).now().isAfter(end)) {
      HousekeepingLaws.fail(laws().crons.missed(end.minus(LAST_STARTS.dividedBy(2))));
      suspendAll(cluster);
    }
  }

  private boolean isNews(KubeObject object) {
    return asked.add(object.uid() + "@" + object.resourceVersion());
  }

  @Override
  public Duration quiet() {
    return QUIET;
  }

  @Override
  public void checkEnd() {
    laws().checkEnd();
  }
}
