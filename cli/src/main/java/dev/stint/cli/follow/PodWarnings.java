package dev.stint.cli.follow;

import dev.stint.cli.follow.PodOwners.Owner;
import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.Timers;
import dev.stint.jobs.Follower;
import dev.stint.jobs.JobEvent;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
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
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Collects the reasons why pods don't go on, in lines for people: the warnings of the node agent,
 * each reason a few times. Names alone do not say whose a pod is: it may belong to an earlier Job
 * of the same name, or to one with a longer name. So its owner is read before it is told.
 */
final class PodWarnings implements Follower.Listener<KubeObject> {
  private static final int MOST_OF_A_REASON = 3;

  /** The most warnings whose owners are asked for at the same time. */
  private static final int MOST_ASKED = 16;

  /** The time that answers have in the end. */
  private static final Duration LAST_ANSWERS = Duration.ofSeconds(1);

  private final Cluster cluster;
  private final Timers timers;
  private final RandomGenerator random;
  private final @Nullable String namespace;
  private final Predicate<ObjectRef> hasOurName;
  private final Supplier<List<KubeObject>> jobs;
  private final PodOwners owners;
  private final Queue<KubeObject> news = new ArrayDeque<>();
  private final Queue<Asked> asked = new ArrayDeque<>();
  private final Map<String, Set<String>> reported = new HashMap<>();
  private final Set<String> seen = new HashSet<>();
  private boolean following;

  /**
   * A warning that is told once it is known whose it is.
   *
   * @param owner completes with the Job that it is about, or the owner of the pod
   */
  private record Asked(KubeObject event, CompletableFuture<Owner> owner) {}

  /**
   * @param random for the jitter of retries
   * @param namespace that of the Jobs on a cluster, where schedulers and quotas warn, too; null for
   *     all namespaces of this machine
   * @param hasOurName true for what has the name of one of our Jobs or of its pods
   * @param jobs returns our Jobs, once they exist
   */
  PodWarnings(
      Cluster cluster,
      Timers timers,
      RandomGenerator random,
      @Nullable String namespace,
      Predicate<ObjectRef> hasOurName,
      Supplier<List<KubeObject>> jobs) {
    this.cluster = cluster;
    this.timers = timers;
    this.random = random;
    this.namespace = namespace;
    this.hasOurName = hasOurName;
    this.jobs = jobs;
    this.owners = new PodOwners(cluster);
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
            event -> isWarning(event) && hasOurName.test(object(event)) ? event : null,
            this);
    try {
      end.await(follower.begin());
    } catch (RunEnd.EndedEarly | ClusterException failure) {
      follower.close();
      throw failure;
    }
    begin();
    return follower;
  }

  private synchronized void begin() {
    following = true;
  }

  @Override
  public synchronized void onUpdate(KubeObject event) {
    if (following && seen.add(event.uid())) {
      news.add(event);
      ask();
    }
  }

  @Override
  public synchronized void onDelete(KubeObject last) {
    seen.remove(last.uid());
  }

  private void ask() {
    while (asked.size() < MOST_ASKED && !news.isEmpty()) {
      KubeObject event = news.remove();
      if (isNew(event)) {
        asked.add(new Asked(event, owner(event)));
      }
    }
  }

  private CompletableFuture<Owner> owner(KubeObject event) {
    ObjectRef object = object(event);
    return object.kind().equals(Kind.JOB)
        ? CompletableFuture.completedFuture(new Owner(true, JobEvent.about(event)))
        : owners.of(object);
  }

  /** Returns the new lines since the last call, in order, as far as it is known whose they are. */
  synchronized List<String> newLines() {
    List<String> lines = new ArrayList<>();
    for (Asked first = asked.peek();
        first != null && first.owner().isDone();
        first = asked.peek()) {
      asked.remove();
      if (isNew(first.event()) && isOurs(first.event(), first.owner().join())) {
        lines.add(report(first.event()));
      }
      ask();
    }
    return lines;
  }

  /** Waits a moment for answers, and returns the lines that are left. */
  List<String> lastLines() {
    CompletableFuture<@Nullable Void> over = new CompletableFuture<>();
    Runnable cancel = timers.after(LAST_ANSWERS, () -> over.complete(null));
    List<String> lines = new ArrayList<>(newLines());
    for (Asked first = first(); first != null && !over.isDone(); first = first()) {
      CompletableFuture.anyOf(first.owner(), over).join();
      lines.addAll(newLines());
    }
    cancel.run();
    lines.addAll(answeredLines());
    return lines;
  }

  private synchronized @Nullable Asked first() {
    return asked.peek();
  }

  /** Returns the lines of all that is known; the rest may be about Jobs of others. */
  private synchronized List<String> answeredLines() {
    asked.removeIf(each -> !each.owner().isDone());
    return newLines();
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

  private boolean isOurs(KubeObject event, Owner owner) {
    return owner.isRead() ? hasUid(owner.uid()) : mayHaveExistedAt(JobEvent.of(event).at());
  }

  /** True if our Jobs have such a uid, or if it is unknown. */
  private boolean hasUid(@Nullable String uid) {
    return uid == null || jobs.get().stream().anyMatch(job -> job.uid().equals(uid));
  }

  /** True if one of our Jobs may have existed at a time. */
  private boolean mayHaveExistedAt(@Nullable Instant at) {
    return at == null
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
