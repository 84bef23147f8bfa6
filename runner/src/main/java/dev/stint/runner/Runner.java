package dev.stint.runner;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.EventLoop;
import dev.stint.cluster.WatchEvent;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ResourceVersions;
import dev.stint.reconcile.Reflector;
import dev.stint.runner.device.DevicePool;
import dev.stint.runner.device.Devices;
import dev.stint.runner.device.PodDevices;
import dev.stint.runner.item.ItemCache;
import dev.stint.runner.policy.LostPods;
import dev.stint.runner.policy.PodAdmission;
import dev.stint.runner.runtime.IdleLeftover;
import dev.stint.runner.runtime.Runtime;
import dev.stint.runner.spec.PodRequests;
import dev.stint.runner.spec.PodSpec;
import dev.stint.runner.spec.ResourceAmount;
import dev.stint.runner.spec.Tolerations;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The agent of one node: runs the pods whose {@code spec.nodeName} is its node and writes their
 * statuses.
 *
 * <p>Event-driven on a serial executor. All state that must not be lost is in the cluster or with
 * the runtime, so the runner may be killed at any moment. Its next life takes over what still runs,
 * reports what ended meanwhile, and runs again what was lost.
 */
public final class Runner implements AutoCloseable {
  /** The time that a pod waits for room before its status reports it. */
  private static final Duration ROOM_TIMEOUT = Duration.ofMinutes(5);

  private static final int MOST_REPORTED = 1000;

  /** The interval between checks for pods that do not change. */
  private static final Duration BETWEEN_TRIMS = Duration.ofSeconds(30);

  private final NodePorts node;
  private final Map<String, PodLife> lives = new LinkedHashMap<>();
  private final PodAdmission<PodLife> admission;
  private final DevicePool<PodLife> devices;
  private final UnattendedPods unattended;
  private final CompletableFuture<@Nullable Void> ready = new CompletableFuture<>();
  private final CompletableFuture<@Nullable Void> interrupted = new CompletableFuture<>();
  private final Reflector pods;
  private final NodeWatch nodeWatch;
  private final TaintEviction evictions;
  private Set<String> leftovers = Set.of();

  /** The leftovers of which nothing runs, as far as they are known. */
  private Map<String, IdleLeftover> idle = Map.of();

  private @Nullable PodLife next;
  private Tolerations lastTolerations = Tolerations.NONE;
  private boolean trimDue;
  private Runnable cancelRoomTimeout = () -> {};
  private boolean listing;
  private boolean interrupting;
  private Predicate<KubeObject> interrupts = _ -> true;
  private boolean closed;

  /**
   * Creates a runner that is not started yet.
   *
   * @param loop the event loop that runs all its work
   */
  public Runner(Cluster cluster, Runtime runtime, EventLoop loop, RunnerOptions options) {
    NodeEvents events = new NodeEvents(cluster, loop.clock(), options.nodeName());
    ItemCache items = new ItemCache(cluster, loop.clock());
    this.node = new NodePorts(cluster, runtime, loop, options, events, items);
    this.pods = new Reflector(cluster, Kind.POD, null, loop, new Pods());
    this.nodeWatch = new NodeWatch(node, this::onNodeChange);
    this.evictions = new TaintEviction(node, nodeWatch);
    this.admission =
        new PodAdmission<>(options.maxPods(), options.maxPodsPerNamespace(), options.machine());
    this.devices = new DevicePool<>(options.devices());
    this.unattended = new UnattendedPods(node, admission, devices, this::onUnattendedEnd);
  }

  /**
   * Takes over what an earlier life left and continues from there. To be called once.
   *
   * @return completes when the pods were listed for the first time; fails if the runtime cannot
   *     list what was left
   */
  public CompletableFuture<@Nullable Void> start() {
    CompletableFuture<Set<String>> found = node.runtime().leftovers();
    found
        .thenCompose(this::idleAmong)
        .whenComplete((resting, failure) ->
            node.loop()
                .execute(() -> {
                  if (failure == null) {
                    begin(found.getNow(Set.of()), resting);
                  } else {
                    ready.completeExceptionally(
                        Objects.requireNonNullElse(NodePorts.plain(failure), failure));
                  }
                }));
    return ready;
  }

  /** If the runtime cannot tell, all of them count as running: two pods must not share a device. */
  private CompletableFuture<Map<String, IdleLeftover>> idleAmong(Set<String> found) {
    return found.isEmpty()
        ? CompletableFuture.completedFuture(Map.of())
        : node.runtime().idleLeftovers().exceptionally(_ -> Map.of());
  }

  /**
   * Ends all containers (SIGTERM, then SIGKILL after each pod's grace period) and starts none any
   * more. Writes no statuses for that: the next life runs these containers again, in the same pods.
   *
   * @return completes when all have ended
   */
  public CompletableFuture<@Nullable Void> interrupt() {
    node.loop().execute(() -> interrupt(_ -> true, false));
    return interrupted;
  }

  /** Does what {@link #interrupt()} does, but with SIGKILL at once; may also be called after it. */
  public CompletableFuture<@Nullable Void> interruptNow() {
    node.loop().execute(() -> interrupt(interrupts, true));
    return interrupted;
  }

  /** Does what {@link #interruptNow()} does for some pods; the others continue unattended. */
  public CompletableFuture<@Nullable Void> interruptNow(Predicate<KubeObject> which) {
    node.loop().execute(() -> interrupt(which, true));
    return interrupted;
  }

  /** Does what {@link #interrupt()} does for some pods; the others continue unattended. */
  public CompletableFuture<@Nullable Void> interrupt(Predicate<KubeObject> which) {
    node.loop().execute(() -> interrupt(which, false));
    return interrupted;
  }

  /** Looks again at all pods: the filter of pods accepts others than before. */
  public void reconsider() {
    node.loop()
        .execute(() -> {
          if (listing && !interrupting && !closed) {
            admission.reconsider();
            pods.start();
          }
        });
  }

  /**
   * Stops watching and writing; containers continue unattended, and the next life takes them over.
   */
  @Override
  public void close() {
    node.loop()
        .execute(() -> {
          closed = true;
          unattended.close();
          pods.close();
          nodeWatch.close();
          cancelRoomTimeout.run();
          lives.values().forEach(PodLife::detach);
        });
  }

  /** Called when a pod no longer takes up room or waits for it. */
  void onPodEnd(PodLife life) {
    evictions.forget(life.uid());
    admission.withdraw(life);
    admission.release(life);
    devices.release(life);
    settleInterrupt();
    node.loop().execute(this::startWaiting);
  }

  /** Called when a pod that waits has changed: it may be welcome now. */
  void onWaitingChange(PodLife life) {
    admission.reconsider(life);
  }

  /**
   * Returns equal tolerations that another pod has, if it was the last to ask: pods of one Job come
   * together and have the same ones.
   */
  Tolerations shared(Tolerations own) {
    if (!own.equals(lastTolerations)) {
      lastTolerations = own;
    }
    return lastTolerations;
  }

  /** Called when a pod needs no more attention. */
  void onPodDone(PodLife life) {
    lives.remove(life.uid());
    node.events().forget(life.uid());
  }

  private void begin(Set<String> found, Map<String, IdleLeftover> resting) {
    leftovers = new HashSet<>(found);
    idle = resting;
    nodeWatch.start();
  }

  private void onUnattendedEnd(Map<String, IdleLeftover> resting) {
    idle = resting;
    startWaiting();
  }

  /** Frees memory of pods that do not change, after a while, and again until all are at rest. */
  private void trimLater() {
    if (!trimDue && !closed) {
      trimDue = true;
      node.after(BETWEEN_TRIMS, this::trim);
    }
  }

  private void trim() {
    trimDue = false;
    boolean moved = false;
    for (PodLife life : lives.values()) {
      moved |= life.trim();
    }
    if (moved) {
      trimLater();
    }
  }

  /** Called when the node's object is known or changed. Pods are listed only after that. */
  private void onNodeChange() {
    if (!listing) {
      listing = true;
      pods.start();
    } else {
      evictions.update(lives.values());
      admission.reconsider();
      startWaiting();
    }
  }

  private final class Pods implements Reflector.Listener {
    /** The listed pods that need work; most have finished long ago. */
    private final List<KubeObject> listed = new ArrayList<>();

    @Override
    public void onListStart(String revision) {
      listed.clear();
    }

    @Override
    public void onListed(KubeObject pod) {
      boolean settled =
          PodSpec.isFinished(pod)
              && pod.deletionTimestamp() == null
              && !lives.containsKey(pod.uid())
              && !leftovers.contains(pod.uid());
      if (!settled && isOnThisNode(pod)) {
        listed.add(pod);
      }
    }

    @Override
    public void onListEnd() {
      takeIn(List.copyOf(listed));
      listed.clear();
      ready.complete(null);
    }

    @Override
    public void onEvent(WatchEvent event) {
      onWatched(event);
    }

    @Override
    public void onBatchEnd() {
      startWaiting();
    }
  }

  /**
   * Oldest first, so that waiting pods keep their order over a restart. Of the same second, those
   * that ran before go first: their statuses have newer revisions.
   */
  private int compareAge(KubeObject one, KubeObject other) {
    int byTime = created(one).compareTo(created(other));
    int order =
        byTime != 0
            ? byTime
            : Boolean.compare(leftovers.contains(other.uid()), leftovers.contains(one.uid()));
    return order != 0
        ? order
        : ResourceVersions.compare(one.resourceVersion(), other.resourceVersion());
  }

  private static Instant created(KubeObject pod) {
    return Objects.requireNonNullElse(pod.creationTimestamp(), Instant.MIN);
  }

  private void takeIn(List<KubeObject> pods) {
    Set<String> present = new HashSet<>();
    pods.stream()
        .sorted(this::compareAge)
        .forEach(pod -> {
          present.add(pod.uid());
          observe(pod);
        });
    new ArrayList<>(lives.values())
        .stream().filter(life -> !present.contains(life.uid())).forEach(PodLife::onDelete);
    leftovers.stream().filter(uid -> !present.contains(uid)).forEach(this::forgetLeftover);
    leftovers.retainAll(present);
    startWaiting();
  }

  private void forgetLeftover(String uid) {
    unattended.release(uid);
    node.forget(uid, uid);
  }

  private void onWatched(WatchEvent event) {
    KubeObject pod = event.object();
    if (event.type() != WatchEvent.Type.DELETED) {
      if (isOnThisNode(pod)) {
        boolean known = lives.containsKey(pod.uid());
        observe(pod);
        if (!known && node.options().eventsOfBinding() && lives.containsKey(pod.uid())) {
          node.events().scheduled(pod, node.options().nodeName());
        }
      }
      return;
    }
    PodLife life = lives.get(pod.uid());
    if (life != null) {
      life.onDelete();
    } else if (leftovers.remove(pod.uid())) {
      forgetLeftover(pod.uid());
    }
  }

  private boolean isOnThisNode(KubeObject pod) {
    return node.options().nodeName().equals(PodSpec.nodeName(pod));
  }

  private void observe(KubeObject pod) {
    trimLater();
    PodLife life = lives.get(pod.uid());
    if (life != null) {
      life.onUpdate(pod);
    } else if (PodSpec.isFinished(pod)) {
      onFinishedPod(pod);
    } else if (!interrupting && isAttendedTo(pod)) {
      unattended.release(pod.uid());
      accept(pod);
    } else if (!interrupting && mayRunUnattended(pod)) {
      unattended.keep(new PodLife(node, this, pod));
    }
  }

  private boolean mayRunUnattended(KubeObject pod) {
    return leftovers.contains(pod.uid()) && !idle.containsKey(pod.uid());
  }

  /** True for a pod that the filter accepts, and for a leftover that only has to end. */
  private boolean isAttendedTo(KubeObject pod) {
    return node.options().podFilter().test(pod)
        || (pod.deletionTimestamp() != null && leftovers.contains(pod.uid()));
  }

  private void onFinishedPod(KubeObject pod) {
    if (leftovers.remove(pod.uid())) {
      unattended.release(pod.uid());
      node.forget(pod.uid(), pod.ref());
    }
    if (PodDeletion.isAwaitingConfirmation(pod) && node.options().podFilter().test(pod)) {
      PodDeletion.confirm(node, pod);
    }
  }

  private void accept(KubeObject pod) {
    PodLife life = new PodLife(node, this, pod);
    lives.put(pod.uid(), life);
    life.guard(() -> accept(life));
  }

  private void accept(PodLife life) {
    KubeObject pod = life.pod();
    boolean left = leftovers.remove(pod.uid());
    boolean lost = isLost(pod);
    if (left && !lost && isToRunAgain(pod)) {
      life.waitToRunAgain();
      enqueue(life);
    } else if (left || lost) {
      takeOver(life);
    } else {
      enqueue(life);
    }
  }

  private void enqueue(PodLife life) {
    KubeObject pod = life.pod();
    PodRequests requests = PodRequests.of(pod);
    String obstacle = requests.obstacle(node.options().machine());
    if (obstacle == null) {
      admission.enqueue(life, pod.namespace(), requests.amount(), PodSpec.priority(pod));
    } else {
      life.reportUnschedulable(obstacle);
    }
    life.onUpdate(pod);
  }

  /**
   * Takes over what an earlier life left of a pod, even if there is no room: it runs already, or
   * has to end.
   */
  void takeOver(PodLife life) {
    if (interrupting || closed) {
      return;
    }
    KubeObject pod = life.pod();
    ResourceAmount amount = PodRequests.of(pod).amount();
    admission.withdraw(life);
    admission.take(life, pod.namespace(), amount);
    life.takeOver(devices.takeOver(life, PodDevices.of(pod), amount.devices()));
    evictions.update(life);
  }

  /**
   * True if nothing runs of a leftover, and a container of it is to be started. It waits for room
   * as a new pod does: others may have got its room and its devices meanwhile.
   */
  private boolean isToRunAgain(KubeObject pod) {
    IdleLeftover left = idle.get(pod.uid());
    return left != null
        && pod.deletionTimestamp() == null
        && !left.isOver(mainContainers(pod), node.options().repeatsLost().test(pod));
  }

  private static List<String> mainContainers(KubeObject pod) {
    return PodSpec.containers(pod).stream()
        .map(each -> String.valueOf(Json.text(each, "name")))
        .toList();
  }

  /** True if nothing is left of a pod that the machine took down, which is to be reported. */
  private boolean isLost(KubeObject pod) {
    return !node.options().repeatsLost().test(pod)
        && LostPods.isToBeTakenOver(pod, node.runtime()::isOfEarlierBoot);
  }

  private void startWaiting() {
    PodLife started = nextToStart();
    while (started != null) {
      PodLife life = started;
      life.guard(() -> {
        life.begin(takeDevices(life));
        evictions.update(life);
      });
      started = nextToStart();
    }
    if (!interrupting && !closed) {
      reportKeptOut();
      awaitRoom(admission.next(this::mayRun));
    }
  }

  private Devices takeDevices(PodLife life) {
    return node.options().devices().isEmpty()
        ? Devices.NONE
        : devices.take(life, PodRequests.of(life.pod()).amount().devices());
  }

  private @Nullable PodLife nextToStart() {
    return interrupting || closed ? null : admission.admit(this::mayRun);
  }

  /**
   * True if the node takes a pod. One that ran here before is no new pod to a cordon or a taint.
   */
  private boolean mayRun(PodLife life) {
    return node.options().podFilter().test(life.pod())
        && (life.hasRunBefore() || !nodeWatch.isRestricted() || obstacle(life) == null);
  }

  private @Nullable String obstacle(PodLife life) {
    AtomicReference<@Nullable String> obstacle = new AtomicReference<>("its pod fails");
    life.guard(() -> obstacle.set(nodeWatch.obstacle(life.tolerations())));
    return obstacle.get();
  }

  /**
   * Reports why the node does not take a pod, but only for pods whose turn is near: the others wait
   * in any case.
   */
  private void reportKeptOut() {
    if (nodeWatch.isRestricted()) {
      for (PodLife life : admission.waiting(Math.min(node.options().maxPods(), MOST_REPORTED))) {
        String obstacle = life.hasRunBefore() ? null : obstacle(life);
        if (obstacle != null) {
          life.guard(() -> life.reportUnschedulable(obstacle));
        }
      }
    }
  }

  /** Reports a lack of room on the next pod if it has waited for long. */
  private void awaitRoom(@Nullable PodLife waiting) {
    if (waiting != next) {
      next = waiting;
      cancelRoomTimeout.run();
      if (waiting != null) {
        cancelRoomTimeout = node.after(ROOM_TIMEOUT, () -> onLackOfRoom(waiting));
      }
    }
  }

  private void onLackOfRoom(PodLife waiting) {
    if (waiting == next && admission.lacksResources(waiting)) {
      waiting.guard(() ->
          waiting.reportUnschedulable(
              "0/1 nodes are available: the running pods leave too little cpu, memory or devices for"
                  + " what this one requests."));
    }
  }

  private void interrupt(Predicate<KubeObject> which, boolean now) {
    interrupting = true;
    interrupts = which;
    unattended.close();
    pods.close();
    nodeWatch.close();
    cancelRoomTimeout.run();
    for (PodLife life : List.copyOf(lives.values())) {
      if (which.test(life.pod())) {
        life.guard(() -> life.interrupt(now));
      }
    }
    settleInterrupt();
  }

  private boolean isInterrupted(PodLife life) {
    return interrupts.test(life.pod()) && !unattended.has(life);
  }

  private void settleInterrupt() {
    if (interrupting && !admission.isRunning(this::isInterrupted)) {
      interrupted.complete(null);
    }
  }
}
