package dev.stint.testkit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test against a Kubernetes API with real controllers, in this process: Jobs, CronJobs, garbage
 * collection, times to live and namespaces, with pods that are simulated and follow a script. The
 * API serves custom resources as their definitions say.
 *
 * {@snippet :
 * @StintTest
 * class ReportTest {
 *   @Test
 *   void aFailedIndexIsTriedAgainAfterItsBackOff(Jobs jobs, PodScript pods, TestClock clock) {
 *     pods.onIndex(3).firstAttempt().exits(42);
 *     TestJob report = jobs.apply("""
 *             apiVersion: batch/v1
 *             kind: Job
 *             metadata: {name: report}
 *             spec:
 *               completionMode: Indexed
 *               completions: 5
 *               parallelism: 5
 *               backoffLimitPerIndex: 1
 *               template:
 *                 spec:
 *                   restartPolicy: Never
 *                   containers:
 *                   - name: main
 *                     image: report:1
 *             """);
 *     assertThat(report).isNotFinished().hasCompletedIndexes("0-2,4");
 *     clock.advance(10, SECONDS);
 *     assertThat(report).isComplete();
 *   }
 * }
 * }
 *
 * <p>What a test, its constructor, and its {@code @BeforeEach} and {@code @AfterEach} methods may
 * have as parameters:
 *
 * <ul>
 *   <li>{@link Jobs}: applies documents, finds Jobs, waits for them
 *   <li>{@link PodScript}: sets the behaviour of simulated pods
 *   <li>{@link Crds}: applies definitions of custom resources
 *   <li>{@link TestClock}, in simulated time; {@link java.time.InstantSource} in any
 *   <li>{@link ApiFaults}: makes requests fail, slows them down, drops watches
 *   <li>{@link TestNamespace}: the test's own
 *   <li>{@code KubernetesClient} of fabric8 and {@code ApiClient} of the Kubernetes project, where
 *       they are on the class path, in the test's namespace; {@link Kubeconfig} for all others
 *   <li>{@code Cluster} and {@code ControlPlane}: Stint's own, without HTTP
 * </ul>
 *
 * <p>Each test has a control plane of its own, so that nothing is left of the test before. For
 * other options register a {@link StintExtension} instead.
 */
@Documented
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(StintExtension.class)
public @interface StintTest {
  /** The default start of simulated time: a Thursday. */
  String START = "2026-01-01T00:00:00Z";

  /** The default seed. */
  long SEED = 1;

  /** The kind of time that a test runs in. */
  enum Time {
    /**
     * Simulated time, which stands still until the test advances it, see {@link TestClock}. All
     * delays are Kubernetes' own.
     */
    SIMULATED,

    /** Real time. Failed pods are replaced after 10 to 100 ms, not 10 s to 10 min. */
    REAL
  }

  /** The kind of pods that a test runs. */
  enum Pods {
    /** Simulated pods, which follow their {@link PodScript}. */
    SIMULATED,

    /** Processes of this machine, in real time: their {@code command} is run, without an image. */
    PROCESSES
  }

  Time time() default Time.SIMULATED;

  Pods pods() default Pods.SIMULATED;

  /** The start of simulated time. */
  String start() default START;

  /**
   * The seed of names, uids, and the order in which controllers do concurrent work. The same seed
   * gives the same run if the test makes the same calls.
   */
  long seed() default SEED;

  /**
   * True if all tests of the class share one control plane, each in a namespace of its own that is
   * deleted after it. Then {@code @BeforeAll} methods may have parameters too. Such tests must not
   * run at the same time.
   */
  boolean perClass() default false;

  /**
   * The files with the definitions of custom resources that the control plane starts with, as
   * patterns such as {@code crds/*.yaml}; see {@link Crds#applyFiles}.
   */
  String[] crds() default {};
}
