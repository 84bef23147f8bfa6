package dev.stint.cli;

import static org.awaitility.Awaitility.await;

import dev.stint.apiserver.access.ServiceAccountTokens;
import dev.stint.apiserver.access.pki.Pki;
import dev.stint.apiserver.http.ApiResponse;
import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.Timers;
import dev.stint.cluster.WatchEvent;
import dev.stint.cluster.WatchHandler;
import dev.stint.controllers.job.JobControllerOptions;
import dev.stint.embedded.ApiEndpoint;
import dev.stint.embedded.Bootstrap;
import dev.stint.embedded.ControlPlane;
import dev.stint.embedded.ControlPlaneOptions;
import dev.stint.embedded.ControllerName;
import dev.stint.harness.JobBuilder;
import dev.stint.kube.ContentType;
import dev.stint.kube.KubeCluster;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import dev.stint.model.ObjectRef;
import dev.stint.model.Timestamps;
import dev.stint.model.job.JobStatus;
import dev.stint.runner.runtime.SimulatedRuntime;
import dev.stint.store.StoreOptions;
import dev.stint.store.engine.SimulatedEngine;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** A cluster without a Job controller. Controllers reach it over HTTPS, tests directly. */
public final class FarCluster implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(90);

  private final Path directory;
  final ControlPlane plane;
  final ApiEndpoint endpoint;
  public final Pki pki;

  /** The requests over HTTPS: method, path, and whether it is a watch. */
  public final Queue<String> asked = new ConcurrentLinkedQueue<>();

  /** The credentials of the requests over HTTPS that have replaced something, by its path. */
  private final Map<String, Queue<String>> writers = new ConcurrentHashMap<>();

  /** All pods that ever existed, as they were created. */
  final Queue<KubeObject> created = new ConcurrentLinkedQueue<>();

  private final Set<String> noted = ConcurrentHashMap.newKeySet();

  /**
   * @param running how long pods run before they succeed; null if the test decides
   */
  public FarCluster(Path directory, @Nullable Duration running, int logEvents) throws Exception {
    this(directory, logEvents);
    if (running != null) {
      start(Set.of(), (_, _) -> new SimulatedRuntime.Outcome(running, 0));
    }
  }

  /** Returns a cluster with all controllers. */
  public static FarCluster withControllers(Path directory, SimulatedRuntime.Script outcomes)
      throws Exception {
    FarCluster cluster = new FarCluster(directory, 10_000);
    cluster.start(Set.of(ControllerName.values()), outcomes);
    return cluster;
  }

  private void start(Set<ControllerName> controllers, SimulatedRuntime.Script outcomes)
      throws Exception {
    SimulatedRuntime runtime =
        new SimulatedRuntime(outcomes, new Random(1), plane.clock(), plane.timers());
    plane.start(controllers, runtime).get(1, TimeUnit.MINUTES);
  }

  private FarCluster(Path directory, int logEvents) throws Exception {
    this.directory = directory;
    plane =
        new ControlPlane(
            new SimulatedEngine(),
            new ControlPlaneOptions(
                new StoreOptions(logEvents, 64 << 20, StoreOptions.Durability.RELAXED),
                JobControllerOptions.DEFAULT,
                1000,
                _ -> true,
                true,
                true));
    new Bootstrap(plane.cluster()).run().get(1, TimeUnit.MINUTES);
    Path keys = directory.resolve("pki");
    endpoint =
        ApiEndpoint.open(
            plane,
            new ApiEndpoint.Preparation(
                keys, InetSocketAddress.createUnresolved("127.0.0.1", 0), InstantSource.system()),
            null,
            null,
            null,
            gate ->
                (call, peer) -> {
                  boolean watch = call.query().flag("watch");
                  asked.add(call.method() + " " + call.path() + (watch ? " watch" : ""));
                  ApiResponse answer = gate.answer(call, peer);
                  if (call.method().equals("PUT")) {
                    writers
                        .computeIfAbsent(call.path(), _ -> new ConcurrentLinkedQueue<>())
                        .add(String.valueOf(call.headers().apply("Authorization")));
                  }
                  return answer;
                });
    endpoint.writeKubeconfig(kubeconfig());
    pki = Pki.open(keys, InstantSource.system(), List.of());
    note();
  }

  /** Notes all pods that exist and that are created. */
  private void note() {
    cluster()
        .list(Kind.POD, null)
        .thenAccept(pods -> {
          pods.items().forEach(this::add);
          cluster().watch(Kind.POD, null, pods.resourceVersion(), new Noting());
        });
  }

  private void add(KubeObject pod) {
    if (noted.add(pod.uid())) {
      created.add(pod);
    }
  }

  private final class Noting implements WatchHandler {
    @Override
    public void onEvent(WatchEvent event) {
      if (event.type() == WatchEvent.Type.ADDED) {
        add(event.object());
      }
    }

    /** Begins anew if the watch has expired: on a busy machine it falls behind. */
    @Override
    public void onClosed(@Nullable ClusterException cause) {
      if (cause != null) {
        note();
      }
    }
  }

  public Path kubeconfig() {
    return directory.resolve("kubeconfig");
  }

  public Cluster cluster() {
    return plane.cluster();
  }

  /**
   * Returns the credentials of all requests over HTTPS that replaced what a path names, in order.
   */
  List<String> writers(String path) {
    return List.copyOf(writers.getOrDefault(path, new ConcurrentLinkedQueue<>()));
  }

  /**
   * Returns the cluster as a pod with a service account sees it. Creates the account, without
   * rights.
   */
  public KubeCluster inPod(ObjectRef account, Path files, Timers timers) throws Exception {
    KubeObject made =
        cluster()
            .create(
                KubeObject.of(
                    Json.parse(
                        """
                        {"apiVersion":"v1","kind":"ServiceAccount","metadata":{"name":"%s","namespace":"%s"}}
                        """
                            .formatted(account.name(), account.namespace()))))
            .get();
    ServiceAccountTokens tokens =
        new ServiceAccountTokens(
            pki.signingKey(), object -> plane.api().registry().uid(object), plane.clock());
    String token =
        tokens
            .issue(made.namespace(), made.name(), made.uid(), List.of(), Duration.ofHours(1), null)
            .text();
    Files.writeString(files.resolve("ca.crt"), pki.authorityPem());
    Files.writeString(files.resolve("namespace"), made.namespace());
    Files.writeString(files.resolve("token"), token + "\n");
    URI api = URI.create(endpoint.url());
    Map<String, String> environment =
        Map.of(
            "KUBERNETES_SERVICE_HOST", api.getHost(),
            "KUBERNETES_SERVICE_PORT", Integer.toString(api.getPort()));
    return KubeCluster.inCluster(files, environment, ContentType.JSON, timers).orElseThrow();
  }

  /** Returns an Indexed Job. */
  public ObjectRef create(String name, int completions, int parallelism, String more)
      throws Exception {
    KubeObject job =
        JobBuilder.indexed(name)
            .completions(completions)
            .parallelism(parallelism)
            .spec(more)
            .build();
    return cluster().create(job).get().ref();
  }

  public KubeObject get(ObjectRef ref) {
    return cluster().get(ref).join();
  }

  JobStatus status(ObjectRef job) {
    return JobStatus.read(get(job).status());
  }

  /** Waits for a condition; reports the current state if it does not become true. */
  public void until(String what, java.util.concurrent.Callable<Boolean> holds) {
    await(what).atMost(TIMEOUT).pollInterval(Duration.ofMillis(20)).until(holds);
  }

  void untilComplete(ObjectRef job) {
    until(job + " is complete", () -> status(job).isTrue("Complete"));
  }

  /** Returns the indexes of all pods that ever existed, in order. */
  List<Integer> indexes() {
    return created.stream()
        .map(pod -> Integer.valueOf(pod.labels().get(Names.COMPLETION_INDEX)))
        .sorted()
        .toList();
  }

  List<KubeObject> pods() {
    return cluster().list(Kind.POD, null).join().items();
  }

  /** Does what a kubelet does when a pod has succeeded. */
  void succeed(KubeObject pod) {
    ObjectNode patch = Json.object();
    ObjectNode status = patch.putObject("status").put("phase", "Succeeded");
    status.put("startTime", Timestamps.format(Instant.now()));
    cluster().patchStatus(pod.ref(), patch).join();
  }

  /** Lets this many running pods succeed, or all if there are fewer. */
  void succeed(int most) {
    pods().stream()
        .filter(pod -> !"Succeeded".equals(Json.text(pod.status(), "phase")))
        .limit(most)
        .forEach(this::succeed);
  }

  @Override
  public void close() {
    endpoint.close();
    plane.close();
  }
}
