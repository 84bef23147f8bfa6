package dev.stint.embedded;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.GuardedCluster;
import dev.stint.cluster.PatientCluster;
import dev.stint.cluster.Timers;
import dev.stint.controllers.Controller;
import dev.stint.controllers.JobController;
import dev.stint.controllers.JobControllerOptions;
import dev.stint.controllers.leader.LeaderElector;
import dev.stint.controllers.leader.LeaseTimes;
import dev.stint.controllers.leader.Term;
import dev.stint.controllers.metrics.Metrics;
import dev.stint.model.ObjectRef;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.jspecify.annotations.Nullable;

/**
 * Controllers for an API that is somebody else's: they ask it politely, and where several processes
 * do this, only the elected one works.
 *
 * <p>Each term has controllers of its own, whose writes stop with it. Between the controllers and
 * the API stand, from above: the rate and the retries ({@link PatientCluster}), then the guard that
 * sends nothing once the term is over ({@link GuardedCluster}), so that it is asked for each try.
 */
public final class AttachedControllers implements AutoCloseable {
  /**
   * Who is elected.
   *
   * @param lease the Lease that is contended for
   * @param identity who we are; no two processes have the same
   */
  public record Candidacy(ObjectRef lease, String identity, LeaseTimes times) {}

  /**
   * How it works.
   *
   * @param candidacy null where there is nobody else to be elected
   * @param metrics what the controllers tell of what they do
   */
  public record Options(
      Set<ControllerName> controllers,
      JobControllerOptions jobs,
      @Nullable Candidacy candidacy,
      PatientCluster.Options requests,
      Metrics metrics) {}

  private final Loop electionLoop = new Loop("stint-election");
  private final Loop controllerLoop = new Loop("stint-jobs");
  private final Loop housekeepingLoop = new Loop("stint-housekeeping");
  private final InstantSource wall = InstantSource.system();
  private final InstantSource steady = new SteadyClock();
  private final Cluster cluster;
  private final Timers timers;
  private final Options options;
  private final @Nullable LeaderElector elector;
  private volatile @Nullable Working working;

  /** What works during one term. */
  private record Working(Term term, GuardedCluster guard, List<Controller> controllers) {}

  /**
   * Not started yet.
   *
   * @param cluster the API; not closed with this
   */
  public AttachedControllers(Cluster cluster, Timers timers, Options options) {
    this.cluster = cluster;
    this.timers = timers;
    this.options = options;
    Candidacy candidacy = options.candidacy();
    this.elector =
        candidacy == null
            ? null
            : new LeaderElector(
                cluster,
                candidacy.lease(),
                candidacy.identity(),
                candidacy.times(),
                electionLoop,
                wall,
                steady,
                timers,
                random(),
                new Leadership());
  }

  private static RandomGenerator random() {
    return RandomGeneratorFactory.of("L128X256MixRandom")
        .create(new SecureRandom().generateSeed(32));
  }

  /** Starts to work, or to be a candidate for it. Returns at once. */
  public void start() {
    if (elector == null) {
      electionLoop.execute(() -> work(new Term()));
    } else {
      elector.start();
    }
  }

  /** Whether the controllers work here now. */
  public boolean leading() {
    Working now = working;
    return now != null && now.term().holds();
  }

  /** Whether all is as it should be: false where a term is over and nobody noticed. */
  public boolean healthy() {
    Working now = working;
    return now == null || now.term().holds();
  }

  /**
   * Stops working and lets another begin at once: what is under way is answered first. Where that
   * takes longer than {@code patience} the lease is left to run out, as something may still happen
   * in our name.
   */
  public CompletableFuture<@Nullable Void> stop(Duration patience) {
    return CompletableFuture.supplyAsync(this::endWork, electionLoop)
        .thenCompose(done -> done)
        .orTimeout(patience.toMillis(), TimeUnit.MILLISECONDS)
        .handle((_, late) -> late == null)
        .thenCompose(this::handOver);
  }

  private CompletableFuture<@Nullable Void> handOver(boolean idle) {
    if (elector == null) {
      return CompletableFuture.completedFuture(null);
    }
    if (idle) {
      return elector.release();
    }
    elector.close();
    return CompletableFuture.completedFuture(null);
  }

  private void work(Term term) {
    GuardedCluster guard = new GuardedCluster(cluster, term::holds);
    PatientCluster patient =
        new PatientCluster(guard, options.requests(), steady, timers, random());
    List<Controller> controllers = new ArrayList<>();
    if (options.controllers().contains(ControllerName.JOB)) {
      JobController jobs =
          new JobController(
              patient, controllerLoop, wall, timers, random(), options.metrics(), options.jobs());
      jobs.start();
      controllers.add(jobs);
    }
    controllers.addAll(
        new Housekeeping(patient, housekeepingLoop, wall, timers).start(options.controllers()));
    working = new Working(term, guard, controllers);
  }

  private CompletableFuture<@Nullable Void> endWork() {
    Working ending = working;
    working = null;
    if (ending == null) {
      return CompletableFuture.completedFuture(null);
    }
    ending.controllers().forEach(Controller::close);
    return ending.guard().end();
  }

  private final class Leadership implements LeaderElector.Leadership {
    @Override
    public void begin(Term term) {
      work(term);
    }

    @Override
    public void lost(String why) {
      endWork();
    }
  }

  /** Stops everything at once; the lease, where we have it, runs out by itself. */
  @Override
  public void close() {
    if (elector != null) {
      elector.close();
    }
    electionLoop.execute(this::endWork);
    electionLoop.close();
    controllerLoop.close();
    housekeepingLoop.close();
  }
}
