package dev.stint.apiserver.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiserver.ApiServer;
import dev.stint.cluster.Cluster;
import dev.stint.model.FeatureGates;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.store.SimulatedEngine;
import dev.stint.store.Store;
import dev.stint.store.StoreOptions;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The roles that every API begins with are sound, and stay as somebody changed them. */
class BuiltInRolesTest {
  private final Queue<Runnable> tasks = new ArrayDeque<>();

  @Test
  void theyAreMadeOnceAndAChangedOneStays() throws Exception {
    Cluster cluster =
        new ApiServer(
            Store.open(new SimulatedEngine(), tasks::add, StoreOptions.defaults()),
            tasks::add,
            () -> Instant.EPOCH,
            new SplittableRandom(7),
            FeatureGates.DEFAULT,
            ApiServer.Options.defaults());
    settled(BuiltInRoles.into(cluster)).join();
    List<KubeObject> made = settled(cluster.list(Kind.CLUSTER_ROLE, null)).join().items();
    assertThat(made).extracting(KubeObject::name).contains("admin", "edit", "view");
    KubeObject view = made.stream().filter(role -> role.name().equals("view")).findFirst().get();
    var changed = view.copy();
    changed.withObjectProperty("metadata").withObjectProperty("labels").put("mine", "yes");
    settled(cluster.update(KubeObject.of(changed))).join();
    settled(BuiltInRoles.into(cluster)).join();
    assertThat(settled(cluster.get(view.ref())).join().labels()).containsEntry("mine", "yes");
    assertThat(settled(cluster.list(Kind.CLUSTER_ROLE_BINDING, null)).join().items()).isNotEmpty();
  }

  private <T extends @Nullable Object> CompletableFuture<T> settled(CompletableFuture<T> answer) {
    for (Runnable next = tasks.poll(); next != null; next = tasks.poll()) {
      next.run();
    }
    assertThat(answer).isDone();
    return answer;
  }
}
