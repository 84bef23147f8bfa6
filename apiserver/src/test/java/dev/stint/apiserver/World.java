package dev.stint.apiserver;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.WatchEvent;
import dev.stint.cluster.WatchHandler;
import dev.stint.harness.ObjectBuilder;
import dev.stint.harness.TestLoop;
import dev.stint.harness.TestTime;
import dev.stint.model.FeatureGates;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.store.Store;
import dev.stint.store.StoreException;
import dev.stint.store.StoreOptions;
import dev.stint.store.engine.SimulatedEngine;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** An API over a simulated store, whose tasks run in the test's thread, on demand. */
public final class World extends TestLoop {
  public static final Instant START = Instant.parse("2026-01-31T12:00:00Z");

  public final SimulatedEngine engine = new SimulatedEngine();
  public final Store store;
  public final Cluster api;

  public World() {
    this(ApiServer.Options.defaults());
  }

  public World(ApiServer.Options options) {
    this(options, StoreOptions.defaults(), FeatureGates.DEFAULT);
  }

  public World(ApiServer.Options options, StoreOptions storeOptions, FeatureGates gates) {
    super(new TestTime(START));
    try {
      store = Store.open(engine, this, storeOptions);
    } catch (StoreException e) {
      throw new IllegalStateException(e);
    }
    api = new ApiServer(store, this, time, new SplittableRandom(7), gates, options);
  }

  public KubeObject create(String json) {
    return answer(api.create(document(json)));
  }

  public KubeObject create(ObjectBuilder<?> object) {
    return answer(api.create(object.build()));
  }

  public KubeObject get(ObjectRef ref) {
    return answer(api.get(ref));
  }

  public KubeObject patch(ObjectRef ref, String patch) {
    return answer(api.patch(ref, tree(patch)));
  }

  /** The events of a watch. */
  public static final class Seen implements WatchHandler {
    final List<WatchEvent> events = new ArrayList<>();
    boolean closed;
    @Nullable ClusterException cause;

    private @Nullable String awaited;
    private final CompletableFuture<@Nullable Void> saw = new CompletableFuture<>();

    @Override
    public void onEvent(WatchEvent event) {
      events.add(event);
      if ((event.type() + " " + event.object().name()).equals(awaited)) {
        saw.complete(null);
      }
    }

    /** Completes once a line is seen, with all lines up to it. */
    public CompletableFuture<@Nullable Void> when(String line) {
      awaited = line;
      return saw;
    }

    @Override
    public void onClosed(@Nullable ClusterException why) {
      closed = true;
      cause = why;
    }

    public List<String> lines() {
      return events.stream().map(event -> event.type() + " " + event.object().name()).toList();
    }
  }

  public static ObjectRef job(String name) {
    return new ObjectRef(Kind.JOB, "default", name);
  }

  public static ObjectRef pod(String name) {
    return new ObjectRef(Kind.POD, "default", name);
  }

  public static ObjectRef configMap(String name) {
    return new ObjectRef(Kind.CONFIG_MAP, "default", name);
  }

  /** JSON with single quotes. */
  public static ObjectNode tree(String json) {
    return Json.parse(json.replace('\'', '"'));
  }

  public static KubeObject document(String json) {
    return KubeObject.of(tree(json));
  }

  public static String jobJson(String name) {
    return """
    {'apiVersion': 'batch/v1', 'kind': 'Job', 'metadata': {'name': '%s'}, 'spec': {'completions': 2,
    'template': {'spec': {'restartPolicy': 'Never',
    'containers': [{'name': 'main', 'image': 'busybox', 'command': ['true']}]}}}}
    """
        .formatted(name);
  }

  public static String podJson(String name, String metadata) {
    return """
    {'apiVersion': 'v1', 'kind': 'Pod', 'metadata': {'name': '%s'%s}, 'spec': {
    'restartPolicy': 'Never',
    'containers': [{'name': 'main', 'image': 'busybox', 'command': ['true']}]}}
    """
        .formatted(name, metadata);
  }

  public static String configMapJson(String name, String metadata) {
    return "{'apiVersion': 'v1', 'kind': 'ConfigMap', 'metadata': {'name': '%s'%s}, 'data': {'k': 'v'}}"
        .formatted(name, metadata);
  }
}
