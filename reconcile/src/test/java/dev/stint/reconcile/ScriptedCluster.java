package dev.stint.reconcile;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.harness.TestTime;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;

/** A cluster that records its requests and answers them on demand. */
final class ScriptedCluster {
  private final Queue<CompletableFuture<Object>> open = new ArrayDeque<>();

  final List<String> asked = new ArrayList<>();
  final TestTime time = new TestTime(Instant.EPOCH);
  final Cluster cluster =
      (Cluster)
          Proxy.newProxyInstance(
              ScriptedCluster.class.getClassLoader(),
              new Class<?>[] {Cluster.class},
              (_, method, _) -> {
                asked.add(method.getName());
                CompletableFuture<Object> answer = new CompletableFuture<>();
                open.add(answer);
                return answer;
              });

  static KubeObject object(String resourceVersion) {
    return KubeObject.of(
        Json.parse(
            """
            {"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c","namespace":"n"%s}}
            """
                .formatted(
                    resourceVersion.isEmpty()
                        ? ""
                        : ",\"resourceVersion\":\"" + resourceVersion + "\"")));
  }

  static ObjectRef ref() {
    return new ObjectRef(Kind.CONFIG_MAP, "n", "c");
  }

  /** Answers the oldest request that has no answer yet. */
  void answer() {
    next().complete(object("1"));
  }

  void refuse(ClusterException refusal) {
    next().completeExceptionally(refusal);
  }

  private CompletableFuture<Object> next() {
    return Objects.requireNonNull(open.poll(), "nothing is asked");
  }

  int underWay() {
    return open.size();
  }

  void pass(Duration by) {
    time.advance(by);
  }
}
