package dev.stint.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiserver.outcome.Preconditions;
import dev.stint.apiserver.write.Warnings;
import dev.stint.apiserver.write.WriteOptions;
import dev.stint.model.KubeObject;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class StrategyWarningsTest {
  private static final String DOTTED =
      World.jobJson("a.b")
          .replace("'restartPolicy'", "'terminationGracePeriodSeconds': -1, 'restartPolicy'");

  private final World world = new World();
  private final Registry registry = ((ApiServer) world.api).registry();

  /** Returns the first words of each warning of a write. */
  private List<String> warnings(Function<WriteOptions, CompletableFuture<KubeObject>> write) {
    Warnings warnings = new Warnings();
    world.answer(write.apply(WriteOptions.PLAIN.warning(warnings)));
    return warnings.texts().stream().map(text -> text.substring(0, text.indexOf(':'))).toList();
  }

  @Test
  void whoCreatesOrReplacesIsWarnedAndWhoWritesAStatusIsNot() {
    KubeObject job = World.document(DOTTED);
    assertThat(warnings(options -> registry.create(job, options)))
        .containsExactly("metadata.name", "spec.template.spec.terminationGracePeriodSeconds");
    assertThat(
            warnings(options ->
                registry.update(
                    UpdateTarget.MAIN,
                    World.job("a.b"),
                    Preconditions.NONE,
                    before -> before,
                    options)))
        .containsExactly("spec.template.spec.terminationGracePeriodSeconds");
    assertThat(
            warnings(options ->
                registry.update(
                    UpdateTarget.STATUS,
                    World.job("a.b"),
                    Preconditions.NONE,
                    StrategyWarningsTest::labelled,
                    options)))
        .isEmpty();
  }

  @Test
  void onlyNewPodsHaveWarnings() {
    KubeObject pod = World.document(World.podJson("a.b", ""));
    assertThat(warnings(options -> registry.create(pod, options))).containsExactly("metadata.name");
    assertThat(
            warnings(options ->
                registry.update(
                    UpdateTarget.MAIN,
                    World.pod("a.b"),
                    Preconditions.NONE,
                    StrategyWarningsTest::labelled,
                    options)))
        .isEmpty();
  }

  private static ObjectNode labelled(ObjectNode before) {
    ObjectNode after = before.deepCopy();
    after.withObjectProperty("metadata").withObjectProperty("labels").put("a", "b");
    return after;
  }
}
