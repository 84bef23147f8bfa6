package dev.stint.testkit;

import dev.stint.cluster.Cluster;
import dev.stint.embedded.ControlPlane;
import dev.stint.embedded.ControlPlaneOptions;
import dev.stint.testkit.client.Fabric8Client;
import dev.stint.testkit.client.OfficialJavaClient;
import dev.stint.testkit.host.ClassPathCheck;
import dev.stint.testkit.time.SimulatedTimeScheduler;
import java.io.IOException;
import java.lang.reflect.Parameter;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
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
 * static final StintExtension STINT = StintExtension.create().inRealTime().perClass();
 * }
 *
 * <p>A control plane starts with the first parameter that needs it, and is closed after the test,
 * or after the class if it is shared. It listens on a port only if a parameter needs a client, and
 * then on the loopback interface.
 */
public final class StintExtension implements ParameterResolver {
  private static final String FABRIC8 = "io.fabric8.kubernetes.client.KubernetesClient";
  private static final String JAVA_CLIENT = "io.kubernetes.client.openapi.ApiClient";

  /** Creates the value of a parameter, by its type; kubeconfigs are handled apart. */
  private static final Map<String, Maker> MAKERS =
      Map.ofEntries(
          Map.entry(Jobs.class.getName(), TestSession::jobs),
          Map.entry(PodScript.class.getName(), StintExtension::script),
          Map.entry(ApiFaults.class.getName(), TestSession::faults),
          Map.entry(Crds.class.getName(), session -> crds(session.controlPlane())),
          Map.entry(TestNamespace.class.getName(), TestSession::namespace),
          Map.entry(TestClock.class.getName(), StintExtension::clock),
          Map.entry(InstantSource.class.getName(), session -> session.controlPlane().clock()),
          Map.entry(Cluster.class.getName(), TestSession::cluster),
          Map.entry(ControlPlane.class.getName(), TestSession::plane),
          Map.entry(
              FABRIC8, session -> Fabric8Client.create(session.kubeconfig(), session::closeAtEnd)),
          Map.entry(
              JAVA_CLIENT,
              session -> OfficialJavaClient.create(session.kubeconfig(), session::closeAtEnd)));

  private final Namespace namespace = Namespace.create(StintExtension.class, this);
  private final @Nullable TestSettings settings;

  /** Creates a parameter's value. */
  private interface Maker {
    Object of(TestSession session) throws IOException;
  }

  /**
   * Creates the extension behind {@link StintTest}, which reads the options from that annotation.
   */
  public StintExtension() {
    this(null);
  }

  private StintExtension(@Nullable TestSettings settings) {
    this.settings = settings;
  }

  /**
   * Returns an extension with the defaults of {@link StintTest}, to be changed by the methods
   * below.
   */
  public static StintExtension create() {
    return new StintExtension(TestSettings.DEFAULT);
  }

  /** Returns the same extension in real time. */
  public StintExtension inRealTime() {
    return new StintExtension(chosen().inRealTime());
  }

  /** Returns the same extension with pods that are processes, in real time. */
  public StintExtension withProcesses() {
    return new StintExtension(chosen().withProcesses());
  }

  /** Returns the same extension with another start of simulated time. */
  public StintExtension startingAt(Instant start) {
    return new StintExtension(chosen().startingAt(start));
  }

  /** Returns the same extension with another seed. */
  public StintExtension withSeed(long seed) {
    return new StintExtension(chosen().withSeed(seed));
  }

  /** Returns the same extension with one control plane for all tests of a class. */
  public StintExtension perClass() {
    return new StintExtension(chosen().shared());
  }

  /**
   * Returns the same extension with the definitions of custom resources in these files.
   *
   * @param patterns such as {@code crds/*.yaml}; see {@link Crds#applyFiles}
   */
  public StintExtension withCrds(String... patterns) {
    return new StintExtension(chosen().withCrds(List.of(patterns)));
  }

  /** Returns the same extension with other options of the control plane. */
  public StintExtension with(UnaryOperator<ControlPlaneOptions> changes) {
    return new StintExtension(chosen().changed(changes));
  }

  private TestSettings chosen() {
    return settings == null ? TestSettings.DEFAULT : settings;
  }

  @Override
  public ExtensionContextScope getTestInstantiationExtensionContextScope(ExtensionContext root) {
    return ExtensionContextScope.TEST_METHOD;
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return isKubeconfig(parameter.getParameter()) || MAKERS.containsKey(type.getName());
  }

  private static boolean isKubeconfig(Parameter parameter) {
    return parameter.isAnnotationPresent(Kubeconfig.class)
        && (parameter.getType() == Path.class || parameter.getType() == String.class);
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    TestSession session = session(context);
    Parameter wanted = parameter.getParameter();
    try {
      if (isKubeconfig(wanted)) {
        return wanted.getType() == Path.class ? session.kubeconfigFile() : session.kubeconfig();
      }
      Object known = session.values().get(wanted.getType().getName());
      return known != null ? known : parameterValue(session, wanted.getType().getName());
    } catch (IOException fault) {
      throw new ParameterResolutionException("no " + wanted + ": " + fault.getMessage(), fault);
    }
  }

  /** Returns the value for all parameters of this type in a test; creates it on first use. */
  private static Object parameterValue(TestSession session, String type) throws IOException {
    Maker maker = MAKERS.get(type);
    if (maker == null) {
      throw new ParameterResolutionException("unsupported parameter type " + type);
    }
    Object value = maker.of(session);
    session.values().put(type, value);
    return value;
  }

  private static Crds crds(TestControlPlane controlPlane) {
    ClassLoader ofTests = Thread.currentThread().getContextClassLoader();
    return new Crds(controlPlane, ofTests == null ? ClassLoader.getSystemClassLoader() : ofTests);
  }

  private static TestControlPlane start(TestSettings settings) {
    ClassPathCheck.run(StintExtension.class.getClassLoader());
    TestControlPlane controlPlane = TestControlPlane.start(settings);
    try {
      crds(controlPlane).applyFiles(settings.crds().toArray(String[]::new));
      return controlPlane;
    } catch (RuntimeException | Error fault) {
      controlPlane.close();
      throw fault;
    }
  }

  private static PodScript script(TestSession session) {
    if (session.controlPlane().hasProcesses()) {
      throw new ParameterResolutionException(
          "processes have no pod script; remove the parameter PodScript, or use simulated pods");
    }
    return session.script();
  }

  private static TestClock clock(TestSession session) {
    SimulatedTimeScheduler driver = session.controlPlane().driver();
    if (driver == null) {
      throw new ParameterResolutionException(
          "real time cannot be advanced; remove the parameter TestClock, or use simulated time and"
              + " simulated pods");
    }
    return new TestClock(driver);
  }

  private TestSession session(ExtensionContext context) {
    TestSettings wanted = settings(context);
    if (context.getTestMethod().isEmpty() && !wanted.perClass()) {
      throw new ParameterResolutionException(
          "each test has its own control plane; to start one before the tests, use"
              + " @StintTest(perClass = true)");
    }
    ExtensionContext place = wanted.perClass() ? outermostClass(context) : context;
    // Keyed by the scope's name, since a store also looks into the stores above it.
    TestControlPlane controlPlane =
        place
            .getStore(namespace)
            .computeIfAbsent(
                "control plane of " + place.getUniqueId(),
                _ -> start(wanted),
                TestControlPlane.class);
    boolean ofTest = context.getTestMethod().isPresent();
    ExtensionContext user = ofTest ? context : place;
    return user.getStore(namespace)
        .computeIfAbsent(
            "session of " + user.getUniqueId(),
            _ -> new TestSession(controlPlane, wanted.perClass() && ofTest),
            TestSession.class);
  }

  private TestSettings settings(ExtensionContext context) {
    return settings != null
        ? settings
        : AnnotationSupport.findAnnotation(context.getTestMethod(), StintTest.class)
            .or(() -> ofClass(context))
            .map(TestSettings::of)
            .orElse(TestSettings.DEFAULT);
  }

  private static Optional<StintTest> ofClass(ExtensionContext context) {
    return context
        .getTestClass()
        .flatMap(type ->
            AnnotationSupport.findAnnotation(
                type, StintTest.class, context.getEnclosingTestClasses()));
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
