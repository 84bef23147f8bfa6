package dev.stint.testkit;

import dev.stint.controllers.JobControllerOptions;
import dev.stint.embedded.ControlPlane;
import dev.stint.engine.EngineOptions;
import dev.stint.engine.policy.Backoff;
import java.time.Duration;
import java.time.Instant;
import java.util.function.UnaryOperator;

/**
 * What a test wants of its control plane.
 *
 * @param simulatedTime whether time is simulated
 * @param processes whether pods are processes, which take real time
 * @param start when simulated time begins
 * @param seed of all randomness in simulated time
 * @param perClass whether all tests of a class share it
 * @param changes to how it behaves
 */
record Settings(
    boolean simulatedTime,
    boolean processes,
    Instant start,
    long seed,
    boolean perClass,
    UnaryOperator<ControlPlane.Options> changes) {
  private static final int PODS_AT_ONCE = 100_000;

  static final Settings DEFAULT =
      new Settings(
          true,
          false,
          Instant.parse(StintTest.START),
          StintTest.SEED,
          false,
          UnaryOperator.identity());

  static Settings of(StintTest wanted) {
    return new Settings(
        wanted.time() == StintTest.Time.SIMULATED && wanted.pods() == StintTest.Pods.SIMULATED,
        wanted.pods() == StintTest.Pods.PROCESSES,
        Instant.parse(wanted.start()),
        wanted.seed(),
        wanted.perClass(),
        UnaryOperator.identity());
  }

  Settings inRealTime() {
    return new Settings(false, processes, start, seed, perClass, changes);
  }

  Settings withProcesses() {
    return new Settings(false, true, start, seed, perClass, changes);
  }

  Settings startingAt(Instant then) {
    return new Settings(simulatedTime, processes, then, seed, perClass, changes);
  }

  Settings withSeed(long other) {
    return new Settings(simulatedTime, processes, start, other, perClass, changes);
  }

  Settings shared() {
    return new Settings(simulatedTime, processes, start, seed, true, changes);
  }

  Settings changed(UnaryOperator<ControlPlane.Options> more) {
    return new Settings(
        simulatedTime,
        processes,
        start,
        seed,
        perClass,
        options -> more.apply(changes.apply(options)));
  }

  /** How the control plane behaves, where the way to the API is that one. */
  ControlPlane.Options options() {
    ControlPlane.Options plain = ControlPlane.Options.DEFAULT;
    ControlPlane.Options all =
        new ControlPlane.Options(
            plain.store(),
            simulatedTime ? unbatched(plain.jobs()) : quick(plain.jobs()),
            processes ? plain.runner().maxPods() : PODS_AT_ONCE,
            plain.runner().podFilter(),
            true,
            true);
    return changes.apply(simulatedTime ? all.withStatusDelay(Duration.ZERO) : all);
  }

  /** Where time stands still, nobody waits for more to come. */
  private static JobControllerOptions unbatched(JobControllerOptions jobs) {
    return with(jobs, jobs.engine().backoff(), Duration.ZERO);
  }

  /** Where time passes, no test waits for 10 seconds. */
  private static JobControllerOptions quick(JobControllerOptions jobs) {
    Backoff backoff = new Backoff(Duration.ofMillis(10), Duration.ofMillis(100));
    return with(jobs, backoff, Duration.ofMillis(20));
  }

  private static JobControllerOptions with(
      JobControllerOptions jobs, Backoff backoff, Duration syncBatchPeriod) {
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
