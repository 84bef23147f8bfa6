package dev.stint.conformance.clients;

import dev.stint.controllers.job.JobControllerOptions;
import dev.stint.embedded.ApiEndpoint;
import dev.stint.embedded.Bootstrap;
import dev.stint.embedded.ControlPlane;
import dev.stint.embedded.ControlPlaneOptions;
import dev.stint.embedded.ControllerName;
import dev.stint.runner.runtime.SimulatedRuntime;
import dev.stint.store.StoreOptions;
import dev.stint.store.engine.RocksEngine;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** A server like {@code up} within the test: a store on disk, and its API on a free port. */
final class ServedApi implements AutoCloseable {
  private static final byte[] LOOPBACK = {127, 0, 0, 1};
  private static final Duration POD = Duration.ofMillis(50);

  private final Path directory;
  private final ControlPlane plane;
  private ApiEndpoint endpoint;

  private ServedApi(Path directory, ControlPlane plane, ApiEndpoint endpoint) {
    this.directory = directory;
    this.plane = plane;
    this.endpoint = endpoint;
  }

  /** Nobody runs pods: the client writes their statuses. */
  static ServedApi withoutRuntime(Path directory, Set<ControllerName> controllers)
      throws Exception {
    return open(directory, StoreOptions.defaults(), controllers, false);
  }

  /** Starts all controllers; pods succeed after a short while. */
  static ServedApi simulated(Path directory, StoreOptions store) throws Exception {
    return open(directory, store, Set.of(ControllerName.values()), true);
  }

  private static ServedApi open(
      Path directory, StoreOptions store, Set<ControllerName> controllers, boolean runs)
      throws Exception {
    ControlPlaneOptions options =
        new ControlPlaneOptions(
            store,
            JobControllerOptions.DEFAULT,
            ControlPlaneOptions.DEFAULT_MAX_PODS,
            _ -> true,
            runs,
            true);
    ControlPlane plane = new ControlPlane(RocksEngine.open(directory.resolve("store")), options);
    new Bootstrap(plane.cluster()).run().get(1, TimeUnit.MINUTES);
    ServedApi served = new ServedApi(directory, plane, listen(directory, plane, 0));
    served.endpoint.writeKubeconfig(served.kubeconfig());
    plane
        .start(controllers, runs ? runtime(plane) : null, served.endpoint.authority(), null)
        .get(1, TimeUnit.MINUTES);
    return served;
  }

  private static SimulatedRuntime runtime(ControlPlane plane) {
    return new SimulatedRuntime(
        (_, _) -> new SimulatedRuntime.Outcome(POD, 0),
        new Random(1),
        plane.clock(),
        plane.timers());
  }

  private static ApiEndpoint listen(Path directory, ControlPlane plane, int port)
      throws IOException, GeneralSecurityException {
    InetSocketAddress address = new InetSocketAddress(InetAddress.getByAddress(LOOPBACK), port);
    return ApiEndpoint.open(
        plane,
        new ApiEndpoint.Preparation(directory.resolve("pki"), address, plane.clock()),
        null,
        null);
  }

  Path kubeconfig() {
    return directory.resolve("kubeconfig");
  }

  ControlPlane plane() {
    return plane;
  }

  /** Runs a task while no client can reach the API, which then returns at the same address. */
  void unreachable(Action action) throws Exception {
    int port = URI.create(endpoint.url()).getPort();
    endpoint.close();
    action.run();
    endpoint = listen(directory, plane, port);
  }

  /** A task that may fail. */
  interface Action {
    void run() throws Exception;
  }

  @Override
  public void close() {
    endpoint.close();
    plane.close();
  }
}
