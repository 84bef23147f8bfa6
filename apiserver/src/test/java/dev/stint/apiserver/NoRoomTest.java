package dev.stint.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.DeleteOptions;
import dev.stint.model.KubeObject;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Without memory nothing is created and nothing grows, but all that is there can go on and go. */
class NoRoomTest {
  private boolean full;
  private final World world = new World(ApiServer.Options.defaults().withRoom(() -> !full));

  @Test
  void withoutRoomNothingIsCreatedOrGrows() {
    world.create(World.configMapJson("a", ""));
    full = true;
    assertRefused(world.api.create(World.document(World.configMapJson("b", ""))));
    assertRefused(grow(world.api, 2_000));
    world.answer(grow(world.api, 500));
    world.answer(world.api.delete(World.configMap("a"), new DeleteOptions(null, 0L, null)));
  }

  @Test
  void controllersMayLetStatusesGrowButCreateNothing() {
    world.create(World.configMapJson("a", ""));
    Cluster ahead = ((ApiServer) world.api).ahead(world);
    full = true;
    world.answer(grow(ahead, 20_000));
    assertRefused(ahead.create(World.document(World.podJson("p", ""))));
  }

  private static CompletableFuture<KubeObject> grow(Cluster api, int bytes) {
    return api.patch(
        World.configMap("a"), World.tree("{'data': {'k': '" + "x".repeat(bytes) + "'}}"));
  }

  private void assertRefused(CompletableFuture<KubeObject> write) {
    ClusterException refusal = world.refusal(write);
    assertThat(refusal.reason()).isEqualTo(Reason.FORBIDDEN);
    assertThat(refusal).hasMessageContaining("has no memory for more objects; delete some");
  }
}
