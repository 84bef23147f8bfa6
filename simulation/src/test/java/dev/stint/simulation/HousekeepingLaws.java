package dev.stint.simulation;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterRequest;
import dev.stint.cluster.EventLoop;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The laws of what is deleted, by whom and why: users delete what they like, a namespace takes what
 * is in it, owners their dependents, and each controller only what it has a right to.
 */
final class HousekeepingLaws {
  /** The finalizer of users. */
  static final String HOLD = "simulation.example/hold";

  /** The stored objects but events, by uid. */
  private final Map<String, KubeObject> stored = new LinkedHashMap<>();

  private final Map<String, KubeObject> podsByName = new HashMap<>();

  /** The uids of objects whose finalizer a user has asked to remove. */
  final Set<String> letGoByUsers = new HashSet<>();

  final CronLaws crons = new CronLaws();
  private final OwnerLaws owners = new OwnerLaws(stored);
  final NodeLaws nodes;
  private final History history;
  private @Nullable AssertionError broken;

  /**
   * @param threshold how many finished pods may stay
   */
  HousekeepingLaws(History history, int threshold) {
    this.history = history;
    this.nodes = new NodeLaws(threshold, podsByName::get);
  }

  /** Excuses the deletion that a user asks for. */
  void deletedByUser(KubeObject object) {
    history.deletedByOthers.add(object.uid());
  }

  /** Checks a durable change. */
  void changed(@Nullable KubeObject before, @Nullable KubeObject after) {
    KubeObject any = Objects.requireNonNull(after == null ? before : after);
    if (any.kind().equals(Kind.EVENT)) {
      return;
    }
    require(any, nodes.changed(before, after));
    require(any, crons.changed(before, after));
    owners.changed(before, after);
    if (before != null) {
      held(before, after);
      if (before.deletionTimestamp() == null
          && (after == null || after.deletionTimestamp() != null)) {
        deleted(before);
      }
    }
    store(any, after);
    if (after == null && any.kind().equals(Kind.NAMESPACE)) {
      KubeObject left = in(any.name()).findFirst().orElse(null);
      require(any, left == null ? null : "goes before " + left);
    }
  }

  /** Returns the access of a garbage collector, whose requests are checked. */
  Cluster ofCollector(Cluster cluster, EventLoop loop) {
    return owners.observed(cluster, loop, this::breaks);
  }

  /** Checks a request of the CronJob controller. */
  void onRequestOfCronJobs(ClusterRequest request) {
    String wrong = crons.onRequest(request);
    if (wrong != null) {
      require(KubeObject.of(Objects.requireNonNull(request.body())), wrong);
    }
  }

  private void store(KubeObject any, @Nullable KubeObject after) {
    String name = any.namespace() + "/" + any.name();
    if (after != null) {
      stored.put(any.uid(), after);
    } else {
      stored.remove(any.uid());
    }
    if (any.kind().equals(Kind.POD)) {
      podsByName.compute(name, (_, _) -> after);
    }
  }

  Stream<KubeObject> in(String namespace) {
    return all(object -> object.namespace().equals(namespace));
  }

  Stream<KubeObject> all(Predicate<KubeObject> which) {
    return stored.values().stream().filter(which);
  }

  /** A finalizer of a user stays until a user removes it. */
  private void held(KubeObject before, @Nullable KubeObject after) {
    boolean stays = after != null && after.finalizers().contains(HOLD);
    boolean mayGo = stays || letGoByUsers.contains(before.uid());
    require(
        before,
        !before.finalizers().contains(HOLD) || mayGo ? null : "loses the finalizer of a user");
  }

  private void deleted(KubeObject object) {
    if (history.deletedByOthers.contains(object.uid())) {
      return;
    }
    boolean isEmptied = isEmptied(object);
    boolean mayGo = isEmptied || owners.mayBeCollected(object) || isHousekeeping(object);
    if (mayGo) {
      history.deletedByOthers.add(object.uid());
    }
    boolean isJobs = isOfJob(object) || object.kind().equals(Kind.JOB) && !isOurs(object);
    require(object, mayGo || isJobs ? null : "is deleted by nobody");
    boolean hasPods = in(object.namespace()).anyMatch(other -> other.kind().equals(Kind.POD));
    require(
        object,
        isEmptied && object.kind().equals(Kind.CONFIG_MAP) && hasPods
            ? "goes with its namespace before the pods that may need it"
            : null);
  }

  /** True if the namespace of an object is being deleted. */
  private boolean isEmptied(KubeObject object) {
    return all(each -> each.kind().equals(Kind.NAMESPACE))
        .anyMatch(
            each -> each.name().equals(object.namespace()) && each.deletionTimestamp() != null);
  }

  private boolean isHousekeeping(KubeObject object) {
    return nodes.isCollected(object) || crons.isDeletable(object);
  }

  /** True for a pod that a Job controls: whether it may delete it, the laws of Jobs say. */
  private static boolean isOfJob(KubeObject object) {
    return object.kind().equals(Kind.POD) && object.controllerUid() != null;
  }

  /** True for Jobs that have no time to live, so that only we delete them. */
  private static boolean isOurs(KubeObject job) {
    return !job.tree().at("/spec").has("ttlSecondsAfterFinished");
  }

  private void require(KubeObject object, @Nullable String wrong) {
    if (wrong != null) {
      breaks(object + " " + wrong + "\n  " + object.tree());
    }
  }

  private void breaks(String how) {
    if (broken == null) {
      broken = new AssertionError(how);
    }
  }

  /** Throws the violation that was found, if there is one. */
  void hold() {
    if (broken != null) {
      throw broken;
    }
  }

  /** True for a pod of a Job that another controller manages, whose finalizer may hold the pod. */
  private boolean isAnothers(KubeObject object) {
    History.Job job = isOfJob(object) ? history.jobOf(object) : null;
    return job != null && history.foreign(job);
  }

  /** Checks what must hold once nothing changes any more. */
  void checkEnd() {
    fail(nodes.atEnd(all(pod -> pod.kind().equals(Kind.POD) && !isAnothers(pod))));
    fail(crons.atEnd());
    for (KubeObject object : stored.values()) {
      boolean mayStay = object.deletionTimestamp() == null || isAnothers(object);
      require(object, mayStay ? null : "is being deleted for ever");
      require(object, owners.atEnd(object));
    }
    hold();
  }

  /** Fails if something is wrong. */
  static void fail(@Nullable String wrong) {
    if (wrong != null) {
      throw new AssertionError(wrong);
    }
  }
}
