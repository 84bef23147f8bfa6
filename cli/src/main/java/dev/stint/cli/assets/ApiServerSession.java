package dev.stint.cli.assets;

import dev.stint.apiserver.access.pki.GivenKeys;
import dev.stint.apiserver.http.server.HttpLimits;
import dev.stint.apiserver.http.server.HttpServer;
import dev.stint.cli.output.Console;
import dev.stint.cli.output.UserException;
import dev.stint.embedded.ApiEndpoint;
import dev.stint.embedded.Bootstrap;
import dev.stint.embedded.ControlPlane;
import dev.stint.embedded.ControlPlaneOptions;
import dev.stint.jobs.ApiCalls;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.store.StoreException;
import dev.stint.store.StoreOptions;
import dev.stint.store.engine.SimulatedEngine;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.security.GeneralSecurityException;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;
import tools.jackson.databind.node.ObjectNode;

/** One {@code kube-apiserver}: a control plane in memory without a node, and its API on a port. */
final class ApiServerSession implements AutoCloseable {
  /** The first address of the range of services that test environments name. */
  private static final String SERVICE_ADDRESS = "10.0.0.1";

  private final ControlPlane plane;
  private final ApiEndpoint endpoint;

  private ApiServerSession(ControlPlane plane, ApiEndpoint endpoint) {
    this.plane = plane;
    this.endpoint = endpoint;
  }

  /**
   * Begins to serve.
   *
   * @throws UserException if a flag or a file that it names is faulty, or the address is taken
   */
  static ApiServerSession open(Console console, ApiServerFlags flags) {
    InetSocketAddress address = flags.address();
    GivenKeys.Sources sources = flags.keys();
    SharedFlags shared = SharedFlags.parse(flags.shared());
    InstantSource clock = InstantSource.system();
    ApiEndpoint.Preparation preparation =
        new ApiEndpoint.Preparation(
            () -> GivenKeys.read(sources, clock.instant(), List.of(address.getHostString())),
            address,
            clock,
            HttpLimits.ofThisMachine(),
            bind(address));
    ControlPlane plane = plane(flags, shared);
    try {
      ApiCalls.await(new Bootstrap(plane.cluster()).run());
      ApiCalls.await(plane.cluster().create(service(address.getPort())));
      if (flags.allowsEverything()) {
        ApiCalls.await(plane.cluster().create(everythingAllowed()));
      }
      ApiEndpoint endpoint =
          ApiEndpoint.open(plane, preparation, shared.audit(console.out()), null);
      plane.start(flags.controllers(), null, endpoint.authority(), null);
      return new ApiServerSession(plane, endpoint);
    } catch (IOException | GeneralSecurityException fault) {
      plane.close();
      throw new UserException("kube-apiserver: " + fault.getMessage());
    }
  }

  private static ServerSocketChannel bind(InetSocketAddress address) {
    try {
      return HttpServer.bind(address);
    } catch (BindException taken) {
      throw new UserException(
          "--secure-port: %s:%d: %s"
              .formatted(address.getHostString(), address.getPort(), taken.getMessage()));
    } catch (IOException fault) {
      throw new UserException("kube-apiserver: " + fault.getMessage());
    }
  }

  private static ControlPlane plane(ApiServerFlags flags, SharedFlags shared) {
    ControlPlaneOptions options =
        new ControlPlaneOptions(
                StoreOptions.defaults(),
                shared.jobs(),
                ControlPlaneOptions.DEFAULT_MAX_PODS,
                _ -> true,
                false,
                true)
            .withPrivilegedContainers(flags.allowsPrivileged())
            .withPodSecurity(shared.podSecurity())
            .withServiceAddresses(shared.services())
            .withoutPlugins(flags.disabledPlugins());
    try {
      return new ControlPlane(new SimulatedEngine(), options);
    } catch (StoreException impossible) {
      throw new IllegalStateException("an empty store in memory", impossible);
    }
  }

  /** Returns the binding that stands for the authorization mode {@code AlwaysAllow}. */
  private static KubeObject everythingAllowed() {
    ObjectNode binding = Json.object();
    binding.put("apiVersion", Kind.CLUSTER_ROLE_BINDING.apiVersion());
    binding.put("kind", Kind.CLUSTER_ROLE_BINDING.kind());
    binding.putObject("metadata").put("name", "stint:always-allow");
    binding
        .putObject("roleRef")
        .put("apiGroup", Kind.CLUSTER_ROLE_BINDING.group())
        .put("kind", Kind.CLUSTER_ROLE.kind())
        .put("name", "cluster-admin");
    binding
        .putArray("subjects")
        .addObject()
        .put("apiGroup", Kind.CLUSTER_ROLE_BINDING.group())
        .put("kind", "Group")
        .put("name", "system:authenticated");
    return KubeObject.of(binding);
  }

  /** Returns the Service that every cluster has, since tests of caches look for it. */
  private static KubeObject service(int port) {
    ObjectNode service = Json.object();
    service.put("apiVersion", "v1").put("kind", "Service");
    ObjectNode metadata =
        service.putObject("metadata").put("namespace", "default").put("name", "kubernetes");
    metadata.putObject("labels").put("component", "apiserver").put("provider", "kubernetes");
    ObjectNode spec = service.putObject("spec").put("clusterIP", SERVICE_ADDRESS);
    spec.putArray("ports")
        .addObject()
        .put("name", "https")
        .put("port", 443)
        .put("targetPort", port);
    return KubeObject.of(service);
  }

  String url() {
    return endpoint.url();
  }

  /** Calls back with the cause if the store can no longer write. */
  void onFailure(Consumer<String> callback) {
    plane.failure().thenAccept(why -> callback.accept(String.valueOf(why.getMessage())));
  }

  @Override
  public void close() {
    endpoint.close();
    plane.close();
  }
}
