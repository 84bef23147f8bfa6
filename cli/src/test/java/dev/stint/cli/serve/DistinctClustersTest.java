package dev.stint.cli.serve;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.cli.output.UserException;
import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.controllers.mirror.MirrorWorker;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class DistinctClustersTest {
  /** Returns a cluster that answers with its namespace {@code kube-system}, or refuses if empty. */
  private static Cluster cluster(String uid) {
    String namespace =
        "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"kube-system\",\"uid\":\"%s\"}}";
    return (Cluster)
        Proxy.newProxyInstance(
            Cluster.class.getClassLoader(),
            new Class<?>[] {Cluster.class},
            (_, _, _) ->
                uid.isEmpty()
                    ? CompletableFuture.failedFuture(
                        new ClusterException(Reason.UNAVAILABLE, "no answer"))
                    : CompletableFuture.completedFuture(
                        KubeObject.of(Json.parse(namespace.formatted(uid)))));
  }

  private static MirrorWorker worker(String name, String uid) {
    return new MirrorWorker(name, cluster(uid), _ -> true, 0);
  }

  @Test
  void aClusterMayHaveOneNameOnly() {
    Cluster manager = cluster("m");
    assertThatThrownBy(
            () -> DistinctClusters.check(manager, List.of(worker("a", "w"), worker("b", "w"))))
        .isInstanceOf(UserException.class)
        .hasMessage("--worker a and --worker b are the same cluster; name each cluster once");
    assertThatThrownBy(
            () -> DistinctClusters.check(manager, List.of(MirrorWorker.only(cluster("m")))))
        .hasMessage(
            "--manager-kubeconfig and --worker-kubeconfig are the same cluster; name each cluster once");
  }

  @Test
  void clustersThatDoNotAnswerAreNotCompared() {
    List<MirrorWorker> workers = List.of(worker("a", "w"), worker("b", ""), worker("c", ""));
    assertThatCode(() -> DistinctClusters.check(cluster("m"), workers)).doesNotThrowAnyException();
  }
}
