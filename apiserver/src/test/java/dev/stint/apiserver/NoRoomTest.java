package dev.stint.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.DeleteOptions;
import dev.stint.harness.PodBuilder;
import dev.stint.model.KubeObject;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Without memory nothing is created and nothing grows, but all that is there can go on and go. */
class NoRoomTest {
  private boolean full;
  private final World world = new World(ApiServer.Options.defaults().withRoom(this::hasRoom));
  private int questions;

  private boolean hasRoom() {
    questions++;
    return !full;
  }

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
  void statusesMayGrow() {
    world.create(PodBuilder.named("p"));
    full = true;
    String message = "'message': '" + "x".repeat(20_000) + "'";
    world.answer(
        world.api.patchStatus(World.pod("p"), World.tree("{'status': {" + message + "}}")));
    assertRefused(world.api.create(PodBuilder.named("q").build()));
  }

  /** The answer may cost a collection of garbage. */
  @Test
  void whatNeedsNoRoomDoesNotAskForIt() {
    world.create(PodBuilder.named("p"));
    world.create(World.configMapJson("a", ""));
    int asked = questions;
    world.answer(world.api.patchStatus(World.pod("p"), World.tree("{'status': {'message': 'm'}}")));
    world.answer(grow(world.api, 500));
    assertThat(questions).isEqualTo(asked);
  }

  /** So that a full server starts again. */
  @Test
  void whatTheServerCreatesAtItsStartNeedsNoRoom() {
    world.create(World.configMapJson("a", ""));
    full = true;
    world.create("{'apiVersion': 'v1', 'kind': 'Namespace', 'metadata': {'name': 'n'}}");
    assertThat(world.refusal(world.api.create(World.document(World.configMapJson("a", "")))))
        .extracting(ClusterException::reason)
        .isEqualTo(Reason.ALREADY_EXISTS);
  }

  private static CompletableFuture<KubeObject> grow(Cluster api, int bytes) {
    return api.patch(
        World.configMap("a"), World.tree("{'data': {'k': '" + "x".repeat(bytes) + "'}}"));
  }

  private void assertRefused(CompletableFuture<KubeObject> write) {
    ClusterException refusal = world.refusal(write);
    assertThat(refusal.reason()).isEqualTo(Reason.TOO_MANY_REQUESTS);
    assertThat(refusal.retryAfter()).isEqualTo(Duration.ofSeconds(5));
    assertThat(refusal).hasMessageContaining("has no memory for more objects; delete some");
  }
}
