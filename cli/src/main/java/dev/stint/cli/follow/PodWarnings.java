package dev.stint.cli.follow;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.Timers;
import dev.stint.jobs.Follower;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Collects the reasons why pods don't go on, in lines for people: the warnings of the node agent,
 * each reason a few times.
 */
final class PodWarnings implements Follower.Listener<KubeObject> {
  private static final int MOST_OF_A_REASON = 3;

  private final Cluster cluster;
  private final Timers timers;
  private final RandomGenerator random;
  private final @Nullable String namespace;
  private final Predicate<ObjectRef> ours;
  private final Queue<KubeObject> news = new ConcurrentLinkedQueue<>();
  private final Map<String, Set<String>> reported = new HashMap<>();
  private final Set<String> seen = new HashSet<>();
  private volatile boolean following;

  /**
   * @param random for the jitter of retries
   * @param namespace that of the Jobs on a cluster, where schedulers and quotas warn, too; null for
   *     all namespaces of this machine
   * @param ours true for our Jobs and their pods
   */
  PodWarnings(
      Cluster cluster,
      Timers timers,
      RandomGenerator random,
      @Nullable String namespace,
      Predicate<ObjectRef> ours) {
    this.cluster = cluster;
    this.timers = timers;
    this.random = random;
    this.namespace = namespace;
    this.ours = ours;
  }

  /**
   * Starts to follow events. The listed ones were reported before, unless they happen again.
   *
   * @param end ends the wait for the list
   * @throws RunEnd.EndedEarly if the run ends
   * @throws ClusterException if events may not be listed
   */
  Follower<KubeObject> start(RunEnd end) {
    Follower<KubeObject> follower =
        new Follower<>(
            cluster,
            Kind.EVENT,
            namespace,
            timers,
            random,
            event -> isWarning(event) && isOurs(event) ? event : null,
            this);
    try {
      end.await(follower.begin());
    } catch (RunEnd.EndedEarly | ClusterException failure) {
      follower.close();
      throw failure;
    }
    following = true;
    return follower;
  }

  @Override
  public void onUpdate(KubeObject event) {
    if (following && seen.add(event.uid())) {
      news.add(event);
    }
  }

  @Override
  public void onDelete(KubeObject last) {
    seen.remove(last.uid());
  }

  /** Returns the new lines since the last call. */
  List<String> newLines() {
    List<String> lines = new ArrayList<>();
    for (KubeObject event = news.poll(); event != null; event = news.poll()) {
      String message = String.valueOf(Json.text(event.tree(), "message"));
      Set<String> ofReason =
          reported.computeIfAbsent(
              String.valueOf(Json.text(event.tree(), "reason")), _ -> new TreeSet<>());
      if (ofReason.size() < MOST_OF_A_REASON && ofReason.add(message)) {
        ObjectRef object = object(event);
        String kind = object.kind().equals(Kind.POD) ? "pod " : "";
        lines.add(kind + object.name() + ": " + message.strip().lines().findFirst().orElse(""));
      }
    }
    return lines;
  }

  private boolean isOurs(KubeObject event) {
    return ours.test(object(event));
  }

  private static ObjectRef object(KubeObject event) {
    ObjectNode object = Json.objectAt(event.tree(), "involvedObject");
    return new ObjectRef(
        Kind.JOB.kind().equals(Json.text(object, "kind")) ? Kind.JOB : Kind.POD,
        Objects.requireNonNullElse(Json.text(object, "namespace"), event.namespace()),
        Objects.requireNonNullElse(Json.text(object, "name"), ""));
  }

  private boolean isWarning(KubeObject event) {
    if (!"Warning".equals(Json.text(event.tree(), "type"))) {
      return false;
    }
    boolean concernsPods =
        object(event).kind().equals(Kind.POD)
            || "FailedCreate".equals(Json.text(event.tree(), "reason"));
    return namespace != null && concernsPods
        || "kubelet".equals(Json.text(Json.objectAt(event.tree(), "source"), "component"));
  }
}
