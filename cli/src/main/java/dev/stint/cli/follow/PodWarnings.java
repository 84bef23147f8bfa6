package dev.stint.cli.follow;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.Timers;
import dev.stint.jobs.Follower;
import dev.stint.jobs.JobEvent;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.reconcile.ClusterRequests;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Collects the reasons why pods don't go on, in lines for people: the warnings of the node agent,
 * each reason a few times. Names alone do not say whose a pod is: it may belong to an earlier Job
 * of the same name, or to one with a longer name. So its owner is read before it is told.
 */
final class PodWarnings implements Follower.Listener<KubeObject> {
  private static final int MOST_OF_A_REASON = 3;

  private final Cluster cluster;
  private final Timers timers;
  private final RandomGenerator random;
  private final @Nullable String namespace;
  private final Predicate<ObjectRef> mayBeOurs;
  private final Supplier<List<KubeObject>> jobs;
  private final Queue<KubeObject> news = new ConcurrentLinkedQueue<>();
  private final Map<String, Set<String>> reported = new HashMap<>();
  private final Set<String> seen = new HashSet<>();
  private volatile boolean following;
  private @Nullable Next next;

  /**
   * The warning to tell next.
   *
   * @param ours completes with whether it is about our Jobs
   */
  private record Next(KubeObject event, CompletableFuture<Boolean> ours) {}

  /**
   * @param random for the jitter of retries
   * @param namespace that of the Jobs on a cluster, where schedulers and quotas warn, too; null for
   *     all namespaces of this machine
   * @param mayBeOurs true for what has the name of one of our Jobs or of its pods
   * @param jobs returns our Jobs, once they exist
   */
  PodWarnings(
      Cluster cluster,
      Timers timers,
      RandomGenerator random,
      @Nullable String namespace,
      Predicate<ObjectRef> mayBeOurs,
      Supplier<List<KubeObject>> jobs) {
    this.cluster = cluster;
    this.timers = timers;
    this.random = random;
    this.namespace = namespace;
    this.mayBeOurs = mayBeOurs;
    this.jobs = jobs;
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
            event -> isWarning(event) && mayBeOurs.test(object(event)) ? event : null,
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

  /** Returns the new lines since the last call, as far as it is known whose pods they are about. */
  List<String> newLines() {
    List<String> lines = new ArrayList<>();
    for (Next first = next(); first != null && first.ours().isDone(); first = next()) {
      next = null;
      if (first.ours().join()) {
        lines.add(report(first.event()));
      }
    }
    return lines;
  }

  /** Returns the lines that are left. Nobody waits to learn whose pods they are about. */
  List<String> lastLines() {
    List<String> lines = newLines();
    Stream.concat(Stream.ofNullable(next).map(Next::event), news.stream())
        .filter(this::isNew)
        .forEach(event -> lines.add(report(event)));
    return lines;
  }

  private @Nullable Next next() {
    while (next == null && !news.isEmpty()) {
      KubeObject event = news.remove();
      next = isNew(event) ? new Next(event, isOurs(event)) : null;
    }
    return next;
  }

  private boolean isNew(KubeObject event) {
    Set<String> ofReason = reported.getOrDefault(reason(event), Set.of());
    return ofReason.size() < MOST_OF_A_REASON && !ofReason.contains(message(event));
  }

  private String report(KubeObject event) {
    String message = message(event);
    reported.computeIfAbsent(reason(event), _ -> new TreeSet<>()).add(message);
    ObjectRef object = object(event);
    String kind = object.kind().equals(Kind.POD) ? "pod " : "";
    return kind + object.name() + ": " + message.strip().lines().findFirst().orElse("");
  }

  private CompletableFuture<Boolean> isOurs(KubeObject event) {
    ObjectRef object = object(event);
    return object.kind().equals(Kind.JOB)
        ? CompletableFuture.completedFuture(hasUid(JobEvent.about(event)))
        : cluster
            .get(object)
            .handle((pod, failure) -> pod == null ? mayBeOurs(event, failure) : isOf(pod));
  }

  private boolean isOf(KubeObject pod) {
    return hasUid(pod.controllerUid());
  }

  /** True if our Jobs have such a uid, or if it is unknown. */
  private boolean hasUid(@Nullable String uid) {
    return uid == null || jobs.get().stream().anyMatch(job -> job.uid().equals(uid));
  }

  /** True if the pod of an event may be ours, of which nothing more can be read. */
  private boolean mayBeOurs(KubeObject event, Throwable failure) {
    Instant at = JobEvent.of(event).at();
    return !ClusterRequests.hasReason(failure, Reason.NOT_FOUND)
        || at == null
        || jobs.get().stream()
            .map(KubeObject::creationTimestamp)
            .anyMatch(created -> created == null || !at.isBefore(created));
  }

  private static String reason(KubeObject event) {
    return String.valueOf(Json.text(event.tree(), "reason"));
  }

  private static String message(KubeObject event) {
    return String.valueOf(Json.text(event.tree(), "message"));
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
        object(event).kind().equals(Kind.POD) || reason(event).equals("FailedCreate");
    return namespace != null && concernsPods
        || "kubelet".equals(Json.text(Json.objectAt(event.tree(), "source"), "component"));
  }
}
