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
import dev.stint.model.index.IndexSet;
import dev.stint.model.job.JobCondition;
import dev.stint.model.job.JobStatus;
import dev.stint.model.job.after.After;
import dev.stint.model.job.after.After.Predecessor;
import dev.stint.model.job.after.After.Until;
import dev.stint.model.job.after.AfterProgress;
import dev.stint.reconcile.ClusterRequests;
import dev.stint.reconcile.Controller;
import dev.stint.reconcile.EventRecorder;
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
 * <p>All of its state is in annotations of the Jobs. It may be stopped at any moment.
 */
public final class AfterController implements Controller {
  /** The failure reason of a Job whose predecessor has failed. */
  public static final String DEPENDENCY_FAILED = "DependencyFailed";

  /** The time in which the predecessors of a new Job are expected to be created. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private static final int MOST_NAMED = 5;

  private final Cluster cluster;
  private final EventLoop loop;
  private final JobControllerOptions options;
  private final EventRecorder recorder;
  private final Informer jobs;
  private final WorkQueue<String> queue;
  private final AfterGraph graph = new AfterGraph();

  /** The last obstacle that was told of each Job, by uid; prevents repeats. */
  private final Map<String, String> told = new HashMap<>();

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
    this.recorder = new EventRecorder(cluster, loop.clock(), "after-controller");
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
      forget(uid);
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
    }
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
      told.remove(uid);
      recorder.forget(uid);
      queue.forget(uid);
    }
  }

  private CompletableFuture<@Nullable Void> work(String uid) {
    Dependant dependant = graph.dependant(uid);
    if (dependant == null) {
      return ClusterRequests.NOTHING;
    }
    if (dependant.after().isByIndex()
        && !options.claim().covers(dependant.job(), options.gates())) {
      tell(
          dependant.job(),
          "DependencyUnsupported",
          "Only Stint's Job controller starts index by index; it has to be named in"
              + " spec.managedBy");
      return ClusterRequests.NOTHING;
    }
    return completedIndexes(dependant)
        .thenComposeAsync(
            completed ->
                graph.dependant(uid) == dependant
                    ? carryOut(dependant, decide(dependant, completed))
                    : ClusterRequests.NOTHING,
            loop);
  }

  /** Reads the completed indexes of the predecessors that are waited for index by index. */
  private CompletableFuture<Map<String, IndexSet>> completedIndexes(Dependant dependant) {
    Map<String, IndexSet> completed = new HashMap<>();
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
                            completed.put(
                                each.name(), JobStatus.read(job.status()).completedIndexes());
                          }
                        },
                        loop))
        .thenApply(_ -> completed);
  }

  private AfterStep decide(Dependant dependant, Map<String, IndexSet> completed) {
    return AfterPlan.decide(
        dependant.job(),
        dependant.after(),
        new AfterPlan.Predecessors() {
          @Override
          public PredecessorState state(String name) {
            return graph.state(dependant.predecessor(name));
          }

          @Override
          public IndexSet completed(String name) {
            return completed.getOrDefault(name, IndexSet.EMPTY);
          }
        });
  }

  private CompletableFuture<@Nullable Void> carryOut(Dependant dependant, AfterStep step) {
    KubeObject job = dependant.job();
    return switch (step) {
      case AfterStep.Wait(Set<String> missing) -> {
        tellObstacle(dependant, missing);
        yield ClusterRequests.NOTHING;
      }
      case AfterStep.Note(Set<String> met) -> write(AfterPatch.of(job, met, null), job);
      case AfterStep.Start(Set<String> met, IndexSet ready) ->
          write(AfterPatch.starting(job, met, ready), job)
              .thenRunAsync(() -> onStart(dependant), loop)
              .thenApply(_ -> null);
      case AfterStep.Extend(Set<String> met, IndexSet ready) ->
          write(AfterPatch.of(job, met, ready), job);
      case AfterStep.Fail(String predecessor) -> fail(job, predecessor);
    };
  }

  private CompletableFuture<@Nullable Void> write(ObjectNode patch, KubeObject job) {
    return ClusterRequests.unlessGone(
        cluster.patch(job.ref(), patch).thenAcceptAsync(this::onDependant, loop));
  }

  private void onStart(Dependant dependant) {
    List<String> names = dependant.after().predecessors().stream().map(Predecessor::name).toList();
    String more = names.size() > MOST_NAMED ? ", …" : "";
    recorder.event(
        dependant.job(),
        false,
        "DependenciesMet",
        "Started after "
            + String.join(", ", names.subList(0, Math.min(names.size(), MOST_NAMED)))
            + more);
  }

  /**
   * Marks a Job as failing, which its controller completes. A Job of another controller, or one
   * whose status may not be written, stays suspended.
   */
  private CompletableFuture<@Nullable Void> fail(KubeObject job, String predecessor) {
    String message = "Job " + predecessor + " has failed";
    if (!mayFail(job)) {
      tell(job, DEPENDENCY_FAILED, message);
      return ClusterRequests.NOTHING;
    }
    KubeObject failing = AfterPatch.failing(job, message, loop.now());
    return ClusterRequests.unlessGone(
            cluster.updateStatus(failing).thenAcceptAsync(this::onDependant, loop))
        .exceptionallyComposeAsync(
            failure -> {
              if (!ClusterRequests.hasReason(failure, Reason.FORBIDDEN)) {
                return CompletableFuture.failedFuture(failure);
              }
              tell(job, DEPENDENCY_FAILED, message);
              return ClusterRequests.NOTHING;
            },
            loop);
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
      tell(job, "DependencyCycle", "Jobs wait for each other: " + String.join(", ", cycle));
    } else if (!missing.isEmpty()) {
      Instant created = Objects.requireNonNullElse(job.creationTimestamp(), Instant.EPOCH);
      Instant due = created.plus(PATIENCE);
      if (due.isAfter(loop.now())) {
        queue.addAt(job.uid(), due);
      } else {
        String names = String.join(", ", missing);
        tell(job, "DependencyMissing", "Waiting for Jobs that do not exist: " + names);
      }
    } else {
      told.remove(job.uid());
    }
  }

  /** Records a warning about a lasting obstacle, once. */
  private void tell(KubeObject job, String reason, String message) {
    if (!message.equals(told.put(job.uid(), message))) {
      recorder.event(job, true, reason, message);
    }
  }
}
