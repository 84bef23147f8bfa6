package dev.stint.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiserver.outcome.Preconditions;
import dev.stint.apiserver.patch.MergePatch;
import dev.stint.apiserver.write.WriteOptions;
import dev.stint.cluster.DeleteOptions;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** After a conflict, the store's loop does not wait for another decision. */
class ObjectUpdaterTest {
  private static final ObjectRef SHARED = World.configMap("shared");

  private final Queue<Runnable> retries = new ArrayDeque<>();
  private final World world = new World(ApiServer.Options.defaults().withRetries(retries::add));
  private final ApiServer api = (ApiServer) world.api;

  /** The number of decisions. */
  private int decisions;

  @Test
  void theStoreWritesOnWhileADecisionIsMadeAgain() {
    world.create(World.configMapJson("shared", ""));
    CompletableFuture<KubeObject> first = patch("a");
    CompletableFuture<KubeObject> second = patch("b");
    world.answer(first);
    assertThat(decisions).isEqualTo(2);
    assertThat(world.create(World.configMapJson("other", "")).name()).isEqualTo("other");
    assertThat(second).isNotDone();
    retries.remove().run();
    assertThat(world.answer(second).labels()).containsOnlyKeys("a", "b");
    assertThat(decisions).isEqualTo(3);
  }

  @Test
  void aDecisionIsMadeAgainOnTheNewestState() {
    world.create(World.configMapJson("shared", ""));
    var _ = patch("a");
    CompletableFuture<KubeObject> second = patch("b");
    world.settle();
    world.answer(patch("c"));
    decisions = 0;
    retries.remove().run();
    assertThat(world.answer(second).labels()).containsOnlyKeys("a", "b", "c");
    assertThat(decisions).isEqualTo(1);
  }

  @Test
  void anObjectThatIsGoneByThenIsNotFound() {
    world.create(World.configMapJson("shared", ""));
    var _ = patch("a");
    CompletableFuture<KubeObject> second = patch("b");
    world.settle();
    world.answer(world.api.delete(SHARED, new DeleteOptions(null, null, null)));
    retries.remove().run();
    assertThat(world.refusal(second)).hasMessageContaining("not found");
  }

  @Test
  void anApplyThatWasSlowerThanACreationDecidesElsewhereToo() {
    CompletableFuture<Registry.Applied> first = apply("a");
    CompletableFuture<Registry.Applied> second = apply("b");
    assertThat(world.answer(first).created()).isTrue();
    assertThat(decisions).isEqualTo(2);
    retries.remove().run();
    assertThat(world.answer(second).object().labels()).containsOnlyKeys("a", "b");
  }

  private CompletableFuture<KubeObject> patch(String label) {
    return api.registry()
        .update(
            UpdateTarget.MAIN,
            SHARED,
            Preconditions.NONE,
            before -> labelled(before, label),
            WriteOptions.PLAIN);
  }

  private CompletableFuture<Registry.Applied> apply(String label) {
    return api.registry()
        .apply(
            UpdateTarget.MAIN,
            SHARED,
            before ->
                labelled(
                    before == null ? World.tree(World.configMapJson("shared", "")) : before, label),
            WriteOptions.PLAIN);
  }

  private ObjectNode labelled(ObjectNode before, String label) {
    decisions++;
    return MergePatch.apply(before, World.tree("{'metadata': {'labels': {'" + label + "': ''}}}"));
  }
}
