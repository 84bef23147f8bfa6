package dev.stint.controllers.after;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.EventLoop;
import dev.stint.controllers.after.AfterGraph.Dependant;
import dev.stint.controllers.job.JobControllerOptions;
import dev.stint.controllers.metrics.Metrics;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import dev.stint.model.job.JobCondition;
import dev.stint.model.job.JobStatus;
import dev.stint.model.job.after.After;
import dev.stint.model.job.after.After.Predecessor;
import dev.stint.model.job.after.After.Until;
import dev.stint.model.job.after.AfterProgress;
import dev.stint.reconcile.ClusterRequests;
import dev.stint.reconcile.Controller;
import dev.stint.reconcile.Informer;
import dev.stint.reconcile.WorkQueue;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Starts suspended Jobs once the Jobs that their annotation names have ended (decision 93). It
 * works with the Jobs of any Job controller, as all it does is to lift {@code suspend}, or to mark
 * a Job as failing.
 *
 * <p>All of its state is in annotations of the Jobs. It may be stopped at any moment. A predecessor
 * that ends meanwhile has to exist until a controller is at work again, since a Job that is gone
 * does not tell how it ended.
 */
public final class AfterController implements Controller {
  /** The failure reason of a Job whose predecessor has failed. */
  public static final String DEPENDENCY_FAILED = "DependencyFailed";

  /** The time in which the predecessors of a new Job are expected to be created. */
  private static final Duration PREDECESSOR_TIMEOUT = Duration.ofSeconds(10);

  /** The time after which a forbidden write is tried again, as rights may be granted later. */
  private static final Duration PAUSE_IF_FORBIDDEN = Duration.ofMinutes(5);

  private final Cluster cluster;
  private final EventLoop loop;
  private final JobControllerOptions options;
  private final AfterEvents events;
  private final Informer jobs;
  private final WorkQueue<String> queue;
  private final AfterGraph graph = new AfterGraph();

  /**
   * Creates a controller that is not started yet.
   *
   * @param loop the event loop that runs all of its work
   * @param options those of the Job controller beside it: Jobs that these leave out stay as they
   *     are, and only Jobs of its claim start index by index
   */
  public AfterController(
      Cluster cluster, EventLoop loop, Metrics metrics, JobControllerOptions options) {
    this.cluster = cluster;
    this.loop = loop;
    this.options = options;
    this.events = new AfterEvents(cluster, loop.clock());
    this.queue = new WorkQueue<>("After controller", loop, metrics.queue("after"), this::work);
    this.jobs = new Informer(cluster, Kind.JOB, loop, new Listener());
  }

  /** Starts following the API. Returns at once. */
  @Override
  public void start() {
    loop.execute(jobs::start);
  }

  @Override
  public void reconsider() {
    start();
  }

  /** Stops following the API. Does not wait for writes in flight. */
  @Override
  public void close() {
    loop.execute(() -> {
      queue.close();
      jobs.close();
    });
  }

  private final class Listener implements Informer.Listener {
    @Override
    public void onUpdate(KubeObject job) {
      graph.put(job).forEach(queue::add);
      onDependant(job);
    }

    @Override
    public void onDelete(String uid, String controller) {
      events.forget(uid);
      queue.forget(uid);
      graph.remove(uid).forEach(queue::add);
    }

    @Override
    public void onSynced() {
      queue.open();
    }
  }

  private void onDependant(KubeObject job) {
    After after = After.of(job);
    if (after != null && isConcerned(job, after)) {
      graph.putDependant(job, after);
      queue.add(job.uid());
    } else {
      forget(job.uid());
      tellMalformed(job);
    }
  }

  /** Tells of an annotation that has a fault, if the Job's own controller does not. */
  private void tellMalformed(KubeObject job) {
    if (job.annotation(After.ANNOTATION) == null
        || !Boolean.TRUE.equals(Json.bool(job.spec(), "suspend"))
        || !options.only().test(job)
        || options.claim().covers(job, options.gates())) {
      return;
    }
    events.tellMalformed(job);
  }

  /** True if a Job waits for others, or for some of its indexes. */
  private boolean isConcerned(KubeObject job, After after) {
    return (after.isByIndex() || AfterProgress.isWaiting(job))
        && job.deletionTimestamp() == null
        && !isEnding(JobStatus.read(job.status()))
        && options.only().test(job);
  }

  private static boolean isEnding(JobStatus status) {
    return status.isFinished()
        || status.isTrue(JobCondition.FAILURE_TARGET)
        || status.isTrue(JobCondition.SUCCESS_CRITERIA_MET);
  }

  private void forget(String uid) {
    if (graph.dependant(uid) != null) {
      graph.forgetDependant(uid);
      events.forget(uid);
      queue.forget(uid);
    }
  }

  private CompletableFuture<@Nullable Void> work(String uid) {
    Dependant dependant = graph.dependant(uid);
    if (dependant == null) {
      return ClusterRequests.NOTHING;
    }
    String unsupported = unsupported(dependant);
    if (unsupported != null) {
      events.tell(dependant.job(), "DependencyUnsupported", unsupported);
      return ClusterRequests.NOTHING;
    }
    return observedByIndex(dependant)
        .thenComposeAsync(
            observed ->
                graph.dependant(uid) == dependant
                    ? carryOut(dependant, decide(dependant, observed))
                    : ClusterRequests.NOTHING,
            loop);
  }

  /** Returns why a Job cannot start as it asks; null if it can. */
  private @Nullable String unsupported(Dependant dependant) {
    KubeObject job = dependant.job();
    if (!dependant.after().isByIndex()) {
      return null;
    }
    if (!"Indexed".equals(Json.text(job.spec(), "completionMode"))) {
      return "Only a Job with completionMode Indexed starts index by index";
    }
    return options.claim().covers(job, options.gates())
        ? null
        : "Only Stint's Job controller starts index by index; it has to be named in"
            + " spec.managedBy";
  }

  /** Reads the predecessors that are waited for index by index. */
  private CompletableFuture<Map<String, ObservedJob>> observedByIndex(Dependant dependant) {
    Map<String, ObservedJob> observed = new HashMap<>();
    List<Predecessor> byIndex =
        dependant.after().predecessors().stream()
            .filter(each -> each.until() == Until.INDEX)
            .toList();
    return ClusterRequests.each(
            byIndex,
            1,
            each ->
                ClusterRequests.find(cluster, dependant.predecessor(each.name()))
                    .thenAcceptAsync(
                        job -> {
                          if (job != null) {
                            observed.put(each.name(), ObservedJob.withIndexes(job));
                          }
                        },
                        loop))
        .thenApply(_ -> observed);
  }

  private AfterStep decide(Dependant dependant, Map<String, ObservedJob> observed) {
    return AfterPlan.decide(
        dependant.job(),
        dependant.after(),
        name -> {
          ObservedJob read = observed.get(name);
          return read == null ? graph.observed(dependant, name) : read;
        });
  }

  private CompletableFuture<@Nullable Void> carryOut(Dependant dependant, AfterStep step) {
    KubeObject job = dependant.job();
    return switch (step) {
      case AfterStep.Wait(Set<String> missing) -> {
        tellObstacle(dependant, missing);
        yield ClusterRequests.NOTHING;
      }
      case AfterStep.Note(AfterProgress progress) ->
          write(AfterPatch.of(job, progress), job, () -> {});
      case AfterStep.Start(AfterProgress progress) ->
          write(AfterPatch.starting(job, progress), job, () -> events.onStart(dependant));
      case AfterStep.Extend(AfterProgress progress) ->
          write(AfterPatch.of(job, progress), job, () -> {});
      case AfterStep.Fail(String message) -> fail(job, message);
    };
  }

  private CompletableFuture<@Nullable Void> write(
      ObjectNode patch, KubeObject job, Runnable onDone) {
    CompletableFuture<@Nullable Void> written =
        cluster
            .patch(job.ref(), patch)
            .thenAcceptAsync(
                patched -> {
                  onDependant(patched);
                  onDone.run();
                },
                loop);
    return unlessForbidden(
        written,
        () -> {
          events.tell(
              job,
              "DependencyForbidden",
              "The controller may not patch Jobs, which starts them after others");
          queue.addAt(job.uid(), loop.now().plus(PAUSE_IF_FORBIDDEN));
        });
  }

  private CompletableFuture<@Nullable Void> unlessForbidden(
      CompletableFuture<@Nullable Void> written, Runnable onForbidden) {
    return ClusterRequests.unlessGone(written)
        .exceptionallyComposeAsync(
            failure -> {
              if (!ClusterRequests.hasReason(failure, Reason.FORBIDDEN)) {
                return CompletableFuture.failedFuture(failure);
              }
              onForbidden.run();
              return ClusterRequests.NOTHING;
            },
            loop);
  }

  /**
   * Marks a Job as failing, which its controller completes. A Job of another controller, or one
   * whose status may not be written, stays suspended.
   */
  private CompletableFuture<@Nullable Void> fail(KubeObject job, String message) {
    if (!mayFail(job)) {
      events.tell(job, DEPENDENCY_FAILED, message);
      return ClusterRequests.NOTHING;
    }
    KubeObject failing = AfterPatch.failing(job, message, loop.now());
    return unlessForbidden(
        cluster.updateStatus(failing).thenAcceptAsync(this::onDependant, loop),
        () -> events.tell(job, DEPENDENCY_FAILED, message));
  }

  private boolean mayFail(KubeObject job) {
    String manager = Json.text(job.spec(), "managedBy");
    return manager == null
        || manager.equals(Names.BUILT_IN_CONTROLLER)
        || options.claim().covers(job, options.gates());
  }

  private void tellObstacle(Dependant dependant, Set<String> missing) {
    KubeObject job = dependant.job();
    List<String> cycle = graph.cycle(dependant);
    if (!cycle.isEmpty()) {
      events.tell(job, "DependencyCycle", "Jobs wait for each other: " + String.join(", ", cycle));
    } else if (!missing.isEmpty()) {
      Instant created = Objects.requireNonNullElse(job.creationTimestamp(), Instant.EPOCH);
      Instant due = created.plus(PREDECESSOR_TIMEOUT);
      if (due.isAfter(loop.now())) {
        queue.addAt(job.uid(), due);
      } else {
        String names = String.join(", ", missing);
        events.tell(job, "DependencyMissing", "Waiting for Jobs that do not exist: " + names);
      }
    } else {
      events.clear(job.uid());
    }
  }
}
