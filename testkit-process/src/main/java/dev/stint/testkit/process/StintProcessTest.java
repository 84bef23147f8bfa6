package dev.stint.testkit.process;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test against a control plane in a JVM of its own, one for each test. Tests, and methods before
 * and after them, may have a {@link RemoteControlPlane} as parameter, and a {@code
 * KubernetesClient} of fabric8 in the test's namespace, if it is on the class path.
 */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(StintProcessExtension.class)
public @interface StintProcessTest {
  /** Patterns of files with definitions of custom resources, such as {@code crds/*.yaml}. */
  String[] crds() default {};

  /** Patterns of files with objects that exist when the test begins. */
  String[] manifests() default {};

  /** True for real time. */
  boolean realTime() default false;

  /** The start of simulated time. */
  String start() default "2026-01-01T00:00:00Z";

  /** The seed of names and uids. */
  long seed() default 1;
}
