package dev.stint.testkit;

import dev.stint.cluster.Cluster;
import dev.stint.controllers.JobControllerOptions;
import dev.stint.embedded.ControlPlane;
import dev.stint.engine.EngineOptions;
import dev.stint.engine.policy.Backoff;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * The extension behind {@link StintTest}, for tests that want other options:
 *
 * {@snippet :
 * @RegisterExtension
 * static final StintExtension STINT = StintExtension.with(options);
 * }
 *
 * <p>A control plane is started for the first parameter that asks for it, and closed after the
 * test, or after the class where it is shared.
 */
public final class StintExtension implements ParameterResolver {
  /** A control plane's defaults, but for failed pods: they are replaced after 10 to 100 ms. */
  public static final ControlPlane.Options DEFAULT = quick(ControlPlane.Options.DEFAULT);

  private final Namespace namespace = Namespace.create(StintExtension.class, this);
  private final ControlPlane.Options options;
  private final boolean shared;

  /** What {@link StintTest} does. */
  public StintExtension() {
    this(DEFAULT, false);
  }

  private StintExtension(ControlPlane.Options options, boolean shared) {
    this.options = options;
    this.shared = shared;
  }

  /** Control planes with these options, one for each test. */
  public static StintExtension with(ControlPlane.Options options) {
    return new StintExtension(options, false);
  }

  /** The same, but one control plane for all tests of a class. */
  public StintExtension perClass() {
    return new StintExtension(options, true);
  }

  private static ControlPlane.Options quick(ControlPlane.Options options) {
    JobControllerOptions jobs = options.jobs();
    EngineOptions engine = jobs.engine();
    EngineOptions quickEngine =
        new EngineOptions(
            new Backoff(Duration.ofMillis(10), Duration.ofMillis(100)),
            engine.maxUncountedPods(),
            engine.maxPodChangesPerSync());
    JobControllerOptions quickJobs =
        new JobControllerOptions(
            jobs.claim(),
            jobs.only(),
            jobs.gates(),
            quickEngine,
            jobs.syncBatchPeriod(),
            jobs.concurrentSyncs());
    return new ControlPlane.Options(
        options.store(), quickJobs, options.maxPods(), options.podFilter());
  }

  @Override
  public ExtensionContextScope getTestInstantiationExtensionContextScope(ExtensionContext root) {
    return ExtensionContextScope.TEST_METHOD;
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return type == Jobs.class || type == Cluster.class || type == ControlPlane.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    World world =
        scope(context)
            .getStore(namespace)
            .computeIfAbsent(World.class, _ -> World.start(options), World.class);
    Class<?> type = parameter.getParameter().getType();
    if (type == Jobs.class) {
      return world.jobs();
    }
    return type == Cluster.class ? world.plane().cluster() : world.plane();
  }

  private ExtensionContext scope(ExtensionContext context) {
    if (isShared(context)) {
      return outermostClass(context);
    }
    if (context.getTestMethod().isEmpty()) {
      throw new ParameterResolutionException(
          "every test has a control plane of its own; for one that is there before the tests, write"
              + " @StintTest(perClass = true)");
    }
    return context;
  }

  private boolean isShared(ExtensionContext context) {
    return shared
        || context
            .getTestClass()
            .flatMap(type ->
                AnnotationSupport.findAnnotation(
                    type, StintTest.class, context.getEnclosingTestClasses()))
            .map(StintTest::perClass)
            .orElse(false);
  }

  private static ExtensionContext outermostClass(ExtensionContext context) {
    ExtensionContext found = context;
    for (Optional<ExtensionContext> parent = context.getParent();
        parent.isPresent() && parent.get().getTestClass().isPresent();
        parent = parent.get().getParent()) {
      found = parent.get();
    }
    return found;
  }
}
