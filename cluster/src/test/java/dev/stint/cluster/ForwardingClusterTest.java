package dev.stint.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.ClusterException.Reason;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ForwardingClusterTest {
  private final List<String> forwarded = new ArrayList<>();
  private final Cluster target =
      (Cluster)
          Proxy.newProxyInstance(
              ForwardingClusterTest.class.getClassLoader(),
              new Class<?>[] {Cluster.class},
              (_, method, _) -> {
                forwarded.add(method.getName());
                return new CompletableFuture<>();
              });
  private final Cluster cluster = new ForwardingCluster(target) {};

  private static KubeObject object(String kind) {
    return KubeObject.of(
        Json.parse("{\"apiVersion\":\"v1\",\"kind\":\"" + kind + "\",\"metadata\":{}}"));
  }

  private List<CompletableFuture<KubeObject>> writesOf(KubeObject object) {
    return List.of(
        cluster.create(object),
        cluster.update(object),
        cluster.updateStatus(object),
        cluster.updateFinalize(object));
  }

  @Test
  void writesOfKnownKindsAreForwarded() {
    assertThat(writesOf(object("Pod"))).allMatch(answer -> !answer.isDone());
    assertThat(forwarded).containsExactly("create", "update", "updateStatus", "updateFinalize");
  }

  @Test
  void writesOfUnknownKindsFailByTheirFutures() {
    for (CompletableFuture<KubeObject> answer : writesOf(object("Widget"))) {
      assertThat(answer.exceptionNow())
          .isInstanceOfSatisfying(
              ClusterException.class,
              failure -> assertThat(failure.reason()).isEqualTo(Reason.BAD_REQUEST))
          .hasMessage("unknown kind v1 Widget");
    }
    assertThat(forwarded).isEmpty();
  }
}
