package dev.stint.testkit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives tests a control plane of their own: a Kubernetes API with the Job controller and a node, in
 * memory, on which containers are simulated. Ask for {@link Jobs}, for the {@link
 * dev.stint.cluster.Cluster} or for the whole {@link dev.stint.embedded.ControlPlane} as a
 * parameter; all of them are of the same one, and it is closed after the test.
 *
 * {@snippet :
 * @StintTest
 * class ReportTest {
 *   @Test
 *   void oneFailedIndexDoesNotStopTheOthers(Jobs jobs) {
 *     jobs.play(Scripts.exitByIndex(index -> index == 2 ? 1 : 0));
 *     ObjectRef report =
 *         jobs.apply(
 *             """
 *             apiVersion: batch/v1
 *             kind: Job
 *             metadata:
 *               name: report
 *             spec:
 *               completionMode: Indexed
 *               completions: 4
 *               parallelism: 2
 *               backoffLimitPerIndex: 1
 *               template:
 *                 spec:
 *                   restartPolicy: Never
 *                   containers:
 *                   - name: main
 *                     image: report:1
 *             """);
 *     JobStatus status = JobStatus.read(jobs.await(report).status());
 *     assertThat(status.isTrue("Failed")).isTrue();
 *     assertThat(status.completedIndexes()).hasToString("0,1,3");
 *     assertThat(status.failedIndexes()).hasToString("2");
 *   }
 * }
 * }
 *
 * <p>Failed pods are replaced after hundredths of a second and not after 10 seconds. To change that
 * or anything else, register a {@link StintExtension} instead.
 */
@Documented
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(StintExtension.class)
public @interface StintTest {
  /**
   * Whether all tests of the class share one control plane; then {@code @BeforeAll} methods may ask
   * for it too.
   */
  boolean perClass() default false;
}
