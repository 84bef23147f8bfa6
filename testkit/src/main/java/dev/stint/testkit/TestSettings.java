package dev.stint.testkit;

import dev.stint.controllers.job.JobControllerOptions;
import dev.stint.embedded.ControlPlaneOptions;
import dev.stint.engine.EngineOptions;
import dev.stint.model.ExponentialBackoff;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * A test's settings of its control plane.
 *
 * @param simulatedTime true if time is simulated
 * @param processes true if pods are processes, which take real time
 * @param start the start of simulated time
 * @param seed of all randomness in simulated time
 * @param perClass true if all tests of a class share it
 * @param crds the patterns of files with definitions of custom resources
 * @param changes applied to the control plane's options
 */
record TestSettings(
    boolean simulatedTime,
    boolean processes,
    Instant start,
    long seed,
    boolean perClass,
    List<String> crds,
    UnaryOperator<ControlPlaneOptions> changes) {
  private static final int PODS_AT_ONCE = 100_000;

  static final TestSettings DEFAULT =
      new TestSettings(
          true,
          false,
          Instant.parse(StintTest.START),
          StintTest.SEED,
          false,
          List.of(),
          UnaryOperator.identity());

  static TestSettings of(StintTest wanted) {
    return new TestSettings(
        wanted.time() == StintTest.Time.SIMULATED && wanted.pods() == StintTest.Pods.SIMULATED,
        wanted.pods() == StintTest.Pods.PROCESSES,
        Instant.parse(wanted.start()),
        wanted.seed(),
        wanted.perClass(),
        List.of(wanted.crds()),
        UnaryOperator.identity());
  }

  TestSettings inRealTime() {
    return new TestSettings(false, processes, start, seed, perClass, crds, changes);
  }

  TestSettings withProcesses() {
    return new TestSettings(false, true, start, seed, perClass, crds, changes);
  }

  TestSettings startingAt(Instant then) {
    return new TestSettings(simulatedTime, processes, then, seed, perClass, crds, changes);
  }

  TestSettings withSeed(long other) {
    return new TestSettings(simulatedTime, processes, start, other, perClass, crds, changes);
  }

  TestSettings shared() {
    return new TestSettings(simulatedTime, processes, start, seed, true, crds, changes);
  }

  TestSettings withCrds(List<String> patterns) {
    return new TestSettings(simulatedTime, processes, start, seed, perClass, patterns, changes);
  }

  TestSettings changed(UnaryOperator<ControlPlaneOptions> more) {
    return new TestSettings(
        simulatedTime,
        processes,
        start,
        seed,
        perClass,
        crds,
        options -> more.apply(changes.apply(options)));
  }

  /** Returns the control plane's options. */
  ControlPlaneOptions options() {
    ControlPlaneOptions plain = ControlPlaneOptions.DEFAULT;
    ControlPlaneOptions all =
        new ControlPlaneOptions(
            plain.store(),
            simulatedTime ? unbatched(plain.jobs()) : quick(plain.jobs()),
            processes ? plain.runner().maxPods() : PODS_AT_ONCE,
            plain.runner().podFilter(),
            true,
            true);
    return changes.apply(simulatedTime ? all.withStatusDelay(Duration.ZERO) : all);
  }

  /** Turns off the batching of syncs: in simulated time, waiting for more changes has no use. */
  private static JobControllerOptions unbatched(JobControllerOptions jobs) {
    return with(jobs, jobs.engine().backoff(), Duration.ZERO);
  }

  /** Shortens delays for real time, so that no test waits for 10 seconds. */
  private static JobControllerOptions quick(JobControllerOptions jobs) {
    ExponentialBackoff backoff =
        new ExponentialBackoff(Duration.ofMillis(10), Duration.ofMillis(100));
    return with(jobs, backoff, Duration.ofMillis(20));
  }

  private static JobControllerOptions with(
      JobControllerOptions jobs, ExponentialBackoff backoff, Duration syncBatchPeriod) {
    EngineOptions engine = jobs.engine();
    return new JobControllerOptions(
        jobs.claim(),
        jobs.only(),
        jobs.gates(),
        new EngineOptions(backoff, engine.maxUncountedPods(), engine.maxPodChangesPerSync()),
        syncBatchPeriod,
        jobs.concurrentSyncs());
  }
}
