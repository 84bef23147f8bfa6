package dev.stint.testkit;

import dev.stint.apiserver.access.pki.Pki;
import dev.stint.apiserver.http.RequestFilter;
import dev.stint.apiserver.pods.TokenAutomount;
import dev.stint.cluster.Timers;
import dev.stint.embedded.ApiEndpoint;
import dev.stint.embedded.Bootstrap;
import dev.stint.embedded.ControlPlane;
import dev.stint.embedded.ControlPlaneOptions;
import dev.stint.embedded.ControllerName;
import dev.stint.embedded.ProcessPods;
import dev.stint.model.KubeObject;
import dev.stint.runner.process.ProcessOptions;
import dev.stint.runner.process.ProcessRuntime;
import dev.stint.runner.runtime.ContainerRun;
import dev.stint.runner.runtime.Runtime;
import dev.stint.runner.runtime.SimulatedRuntime;
import dev.stint.runner.runtime.SimulatedRuntime.Outcome;
import dev.stint.runner.runtime.SimulatedRuntime.Script;
import dev.stint.runner.spec.ContainerRole;
import dev.stint.store.StoreException;
import dev.stint.store.engine.SimulatedEngine;
import dev.stint.testkit.host.EndpointForPods;
import dev.stint.testkit.host.TestDirectory;
import dev.stint.testkit.time.AwaitIdleFilter;
import dev.stint.testkit.time.BlockingAnswers;
import dev.stint.testkit.time.SimulatedTimeScheduler;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** A control plane in memory, with its endpoint, its pods and its faults. */
final class TestControlPlane implements AutoCloseable {
  private static final int FAULTY_CODE = 255;
  private static final Duration START = Duration.ofSeconds(30);

  private final @Nullable SimulatedTimeScheduler driver;
  private final ControlPlane plane;
  private final FaultSchedule clientFaults;
  private final FaultSchedule controllerFaults;
  private final @Nullable TestDirectory scratch;
  private final Runtime runtime;
  private final Map<String, PodScript> scripts = new ConcurrentHashMap<>();
  private final AtomicReference<@Nullable Throwable> scriptFault = new AtomicReference<>();
  private volatile PodScript last = new PodScript();
  private @Nullable ApiEndpoint endpoint;
  private int namespaces;

  private TestControlPlane(TestSettings settings) throws StoreException, IOException {
    driver =
        settings.simulatedTime()
            ? new SimulatedTimeScheduler(settings.start(), settings.seed())
            : null;
    clientFaults = new FaultSchedule();
    controllerFaults = new FaultSchedule();
    ControlPlaneOptions options =
        settings
            .options()
            .withTokens(settings.processes() ? TokenAutomount.ON_REQUEST : TokenAutomount.NEVER)
            .withClusterDecorator(api -> new FaultyCluster(api, controllerFaults, () -> timers()));
    plane =
        driver == null
            ? new ControlPlane(new SimulatedEngine(), options)
            : new ControlPlane(new SimulatedEngine(), options, driver.environment());
    scratch = settings.processes() ? TestDirectory.make() : null;
    runtime = scratch == null ? simulated() : processes(scratch);
  }

  private Timers timers() {
    return plane.timers();
  }

  static TestControlPlane start(TestSettings settings) {
    try {
      TestControlPlane controlPlane = new TestControlPlane(settings);
      BlockingAnswers.within(
          START, new Bootstrap(controlPlane.plane.cluster()).run(), "the API did not start");
      BlockingAnswers.within(
          START,
          controlPlane.plane.start(
              EnumSet.allOf(ControllerName.class),
              controlPlane.runtime,
              null,
              controlPlane.hasProcesses() ? new EndpointForPods(controlPlane::endpoint) : null),
          "the control plane did not start");
      controlPlane.settle();
      return controlPlane;
    } catch (StoreException | IOException fault) {
      throw new IllegalStateException("no control plane can be started: " + fault, fault);
    }
  }

  private SimulatedRuntime simulated() {
    return new SimulatedRuntime(
        new Delegate(), new SplittableRandom(1), plane.clock(), plane.timers());
  }

  private ProcessRuntime processes(TestDirectory files) throws IOException {
    return new ProcessRuntime(
        files.dir("pods"),
        files.dir("logs"),
        System.getenv(),
        plane.clock(),
        plane.timers(),
        ProcessOptions.NONE);
  }

  /** Delegates to the script of the pod's namespace. */
  private final class Delegate implements Script {
    @Override
    public Outcome play(KubeObject pod, RandomGenerator random) {
      throw new IllegalStateException("scripts are asked about containers, not pods");
    }

    @Override
    public Outcome play(ContainerRun run, ContainerRole role, RandomGenerator random) {
      if (role != ContainerRole.MAIN) {
        return Script.super.play(run, role, random);
      }
      try {
        return scripts.getOrDefault(run.pod().namespace(), last).play(run, random);
      } catch (RuntimeException | Error fault) {
        scriptFault.compareAndSet(null, fault);
        return new Outcome(Duration.ZERO, FAULTY_CODE);
      }
    }
  }

  ControlPlane plane() {
    return plane;
  }

  @Nullable SimulatedTimeScheduler driver() {
    return driver;
  }

  boolean hasProcesses() {
    return scratch != null;
  }

  InstantSource clock() {
    return plane.clock();
  }

  FaultSchedule clientFaults() {
    return clientFaults;
  }

  FaultSchedule controllerFaults() {
    return controllerFaults;
  }

  /**
   * Sets the script for pods of this namespace; pods of namespaces without a session follow the
   * latest script.
   */
  void script(TestNamespace of, PodScript script) {
    scripts.put(of.name(), script);
    last = script;
  }

  /** Forgets a deleted namespace. */
  void forget(TestNamespace gone) {
    scripts.remove(gone.name());
  }

  synchronized TestNamespace newNamespace() {
    return new TestNamespace("test-" + ++namespaces);
  }

  /**
   * Returns when nothing is left to do now; in real time, at once.
   *
   * @throws AssertionError if the test's pod script threw an exception
   */
  void settle() {
    if (driver != null) {
      new TestClock(driver).settle();
    }
    throwScriptFault();
  }

  /** Throws the exception of the test's pod script, if there is one, once. */
  void throwScriptFault() {
    Throwable fault = scriptFault.getAndSet(null);
    if (fault != null) {
      throw new AssertionError("the pod script of the test failed: " + fault, fault);
    }
  }

  /** Returns the API over HTTP; starts it on first use. */
  synchronized ApiEndpoint endpoint() {
    ApiEndpoint found = endpoint;
    if (found == null) {
      found = listen();
      endpoint = found;
    }
    return found;
  }

  private ApiEndpoint listen() {
    try {
      ApiEndpoint.Preparation preparation =
          new ApiEndpoint.Preparation(
              Keys.directory(),
              InetSocketAddress.createUnresolved("127.0.0.1", 0),
              InstantSource.system());
      return ApiEndpoint.open(
          plane,
          preparation,
          null,
          runtime instanceof ProcessRuntime running ? new ProcessPods(running) : null,
          null,
          this::front);
    } catch (IOException | GeneralSecurityException fault) {
      throw new IllegalStateException("the API cannot be served: " + fault, fault);
    }
  }

  private RequestFilter front(RequestFilter gate) {
    RequestFilter faulty = new FaultInjectionFilter(gate, clientFaults);
    return driver == null ? faulty : new AwaitIdleFilter(faulty, driver);
  }

  @Override
  public void close() {
    if (endpoint != null) {
      endpoint.close();
    }
    if (driver != null) {
      driver.close();
    }
    if (runtime instanceof ProcessRuntime processes) {
      kill(processes);
    }
    plane.close();
    if (scratch != null) {
      scratch.close();
    }
  }

  /** Kills the processes, so that none outlives its test. */
  private void kill(ProcessRuntime processes) {
    BlockingAnswers.within(START, plane.interruptNow(), "not all processes ended");
    processes.close();
  }

  /**
   * The keys of all APIs in this process. They are shared, because making them takes longer than
   * everything else.
   */
  private static final class Keys {
    private static @Nullable TestDirectory made;

    static synchronized Path directory() throws IOException, GeneralSecurityException {
      TestDirectory found = made;
      if (found == null) {
        found = TestDirectory.make();
        java.lang.Runtime.getRuntime().addShutdownHook(new Thread(found::close));
        Pki.open(found.dir("pki"), InstantSource.system(), List.of("127.0.0.1"));
        made = found;
      }
      return found.dir("pki");
    }
  }
}
