package dev.stint.simulation;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.DeleteOptions;
import dev.stint.cluster.EventLoop;
import dev.stint.controllers.gc.ServedKinds;
import dev.stint.controllers.metrics.Metrics;
import dev.stint.controllers.quota.ResourceQuotaController;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Quotas that come, change and go while Jobs run, and config maps that count in them. */
final class QuotaNeighbours implements Neighbours {
  /** Longer than any back-off, deadline or time to live of random Jobs. */
  private static final Duration QUIET = Duration.ofHours(1);

  static final String REFUSED = "a quota refuses a pod";

  private static final String[] CPU = {"0", "150m", "500m", "1", "2"};

  private final RandomGenerator random;
  private final FaultCounts happened;
  private final QuotaLaws laws = new QuotaLaws();
  private final Set<String> configMaps = new LinkedHashSet<>();

  /** One of so many steps has an action. */
  private final int every;

  /** Resources that some Jobs do not ask for, so that quotas of these refuse their pods. */
  private final Set<String> unasked = new LinkedHashSet<>();

  /** The states of quotas that need no more changes, or are being changed. */
  private final Set<String> calmed = new LinkedHashSet<>();

  /** True if quotas limit CPU, so that pods have to ask for it. */
  private final boolean limitsCpu;

  /** True once all Jobs exist, so that no quota keeps them from being created. */
  private boolean jobsExist;

  QuotaNeighbours(long seed, FaultCounts happened) {
    this.random = new Random(~seed * 37);
    this.happened = happened;
    this.every = pick(10, 50, 200);
    this.limitsCpu = random.nextBoolean();
  }

  @SafeVarargs
  private <T> T pick(T... values) {
    return values[random.nextInt(values.length)];
  }

  /** Most Jobs ask for CPU where it is limited. */
  @Override
  public void adapt(ObjectNode job) {
    boolean asks = limitsCpu && random.nextInt(8) > 0;
    boolean limits = asks && random.nextInt(3) > 0;
    if (asks) {
      ((ObjectNode) job.at("/spec/template/spec/containers/0"))
          .withObjectProperty("resources")
          .withObjectProperty(limits ? "limits" : "requests")
          .put("cpu", pick("100m", "250m", "900m"));
    } else {
      unasked.add("requests.cpu");
    }
    if (!limits) {
      unasked.add("limits.cpu");
    }
  }

  @Override
  public void start(Cluster cluster, ServedKinds kinds, EventLoop loop) {
    calmed.clear();
    new ResourceQuotaController(cluster, loop, Metrics.NONE, Kind::all).start();
  }

  @Override
  public void begin(Cluster cluster) {
    if (random.nextBoolean()) {
      create(cluster, "q0");
    }
  }

  @Override
  public void act(Cluster cluster) {
    jobsExist = true;
    if (random.nextInt(every) > 0) {
      return;
    }
    KubeObject quota = any();
    switch (random.nextInt(8)) {
      case 0, 1 -> create(cluster, pick("q0", "q1", "q2"));
      case 2, 3, 4 -> change(cluster, quota);
      case 5 -> delete(cluster, quota);
      case 6 -> createConfigMap(cluster);
      default -> deleteConfigMap(cluster);
    }
  }

  private @Nullable KubeObject any() {
    KubeObject chosen = null;
    int count = 0;
    for (KubeObject quota : laws.quotas()) {
      count++;
      chosen = random.nextInt(count) == 0 ? quota : chosen;
    }
    return chosen;
  }

  private void create(Cluster cluster, String name) {
    happened.add("a quota is created");
    ObjectNode quota = Json.object();
    quota.put("apiVersion", "v1").put("kind", "ResourceQuota");
    quota.putObject("metadata").put("namespace", "default").put("name", name);
    ObjectNode spec = quota.putObject("spec");
    if (random.nextInt(4) == 0) {
      spec.putArray("scopes").add(pick("BestEffort", "NotBestEffort"));
    }
    spec.set("hard", limits(spec.has("scopes") ? spec.at("/scopes/0").asString("") : ""));
    cluster.create(KubeObject.of(quota));
  }

  private ObjectNode limits(String scope) {
    ObjectNode hard = Json.object();
    if (limitsCpu && !scope.equals("BestEffort") && random.nextBoolean()) {
      hard.put(random.nextInt(4) == 0 ? "limits.cpu" : "requests.cpu", pick(CPU));
    }
    if (scope.isEmpty() && random.nextBoolean()) {
      String counted = pick("configmaps", "count/pods", jobsExist ? "count/jobs.batch" : "pods");
      hard.put(counted, "" + random.nextInt(7));
    }
    if (hard.isEmpty() || random.nextBoolean()) {
      hard.put("pods", "" + random.nextInt(5));
    }
    return hard;
  }

  private void change(Cluster cluster, @Nullable KubeObject quota) {
    if (quota != null) {
      happened.add("a quota changes");
      ObjectNode hard = Json.object();
      limits(quota).forEach(limit -> hard.putNull(limit.getKey()));
      hard.setAll(limits(quota.tree().at("/spec/scopes/0").asString("")));
      patch(cluster, quota, hard);
    }
  }

  private static void patch(Cluster cluster, KubeObject quota, ObjectNode hard) {
    ObjectNode patch = Json.object();
    patch.putObject("spec").set("hard", hard);
    cluster.patch(quota.ref(), patch);
  }

  private void delete(Cluster cluster, @Nullable KubeObject quota) {
    if (quota != null) {
      happened.add("a quota is deleted");
      cluster.delete(quota.ref(), DeleteOptions.only(quota.uid()));
    }
  }

  private void createConfigMap(Cluster cluster) {
    String name = "c" + random.nextInt(6);
    ObjectNode map = Json.object();
    map.put("apiVersion", "v1").put("kind", "ConfigMap");
    map.putObject("metadata").put("namespace", "default").put("name", name);
    configMaps.add(name);
    cluster.create(KubeObject.of(map));
  }

  private void deleteConfigMap(Cluster cluster) {
    if (!configMaps.isEmpty()) {
      ObjectRef ref =
          new ObjectRef(Kind.CONFIG_MAP, "default", pick(configMaps.toArray(String[]::new)));
      cluster.delete(ref, new DeleteOptions(null, null, DeleteOptions.Propagation.BACKGROUND));
    }
  }

  @Override
  public void changed(@Nullable KubeObject before, @Nullable KubeObject after) {
    laws.changed(before, after);
    if (after != null
        && after.kind().equals(Kind.EVENT)
        && after.tree().path("message").asString("").contains(" quota: ")) {
      happened.add(REFUSED);
    }
  }

  @Override
  public void hold() {
    laws.hold();
  }

  /** Leaves room for a pod at a time: no more is needed for Jobs to end. */
  @Override
  public void calm(Cluster cluster) {
    for (KubeObject quota : laws.quotas()) {
      if (!calmed.add(quota.uid() + "@" + quota.resourceVersion())) {
        continue;
      }
      ObjectNode more = Json.object();
      limits(quota)
          .forEach(limit -> {
            String enough = enough(limit.getKey());
            if (QuotaLaws.thousandths(limit.getValue().asString(""))
                < QuotaLaws.thousandths(enough)) {
              more.put(limit.getKey(), enough);
            }
          });
      if (limits(quota).anyMatch(limit -> unasked.contains(limit.getKey()))) {
        delete(cluster, quota);
      } else if (!more.isEmpty()) {
        patch(cluster, quota, more);
      }
    }
  }

  private static Stream<Map.Entry<String, JsonNode>> limits(KubeObject quota) {
    return Objects.requireNonNull(quota.spec()).path("hard").propertyStream();
  }

  private static String enough(String name) {
    return switch (name) {
      case "pods", "requests.cpu", "limits.cpu" -> "1";
      case "count/pods" -> "999";
      default -> "0";
    };
  }

  @Override
  public Duration quiet() {
    return QUIET;
  }

  @Override
  public void checkEnd() {
    laws.checkEnd();
  }
}
