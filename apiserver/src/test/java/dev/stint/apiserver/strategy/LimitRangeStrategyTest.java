package dev.stint.apiserver.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiserver.World;
import dev.stint.model.KubeObject;
import dev.stint.model.field.FieldError;
import org.junit.jupiter.api.Test;

/** Limit ranges are completed and checked. */
class LimitRangeStrategyTest {
  private final World world = new World();

  @Test
  void aLimitRangeIsCompleted() {
    assertThat(world.create(range("'type':'Container','max':{'cpu':'1'}")).spec())
        .isEqualTo(
            World.tree(
                "{'limits':[{'type':'Container','max':{'cpu':'1'},'default':{'cpu':'1'},"
                    + "'defaultRequest':{'cpu':'1'}}]}"));
  }

  @Test
  void aLimitRangeThatContradictsItselfIsRefused() {
    assertThat(
            world
                .refusal(
                    world.api.create(
                        World.document(range("'type':'Pod','min':{'cpu':'2'},'max':{'cpu':'1'}"))))
                .causes())
        .extracting(FieldError::path)
        .containsExactly("spec.limits[0].min[cpu]");
  }

  @Test
  void anUpdateFollowsTheSameRules() {
    KubeObject stored = world.create(range("'type':'Container','max':{'cpu':'1'}"));
    KubeObject updated =
        world.patch(stored.ref(), "{'spec':{'limits':[{'type':'Container','min':{'cpu':'1'}}]}}");
    assertThat(updated.spec())
        .isEqualTo(
            World.tree(
                "{'limits':[{'type':'Container','min':{'cpu':'1'},'defaultRequest':{'cpu':'1'}}]}"));
    assertThat(
            world
                .refusal(
                    world.api.patch(
                        stored.ref(), World.tree("{'spec':{'limits':[{'type':'Thing'}]}}")))
                .causes())
        .extracting(FieldError::path)
        .containsExactly("spec.limits[0].type");
  }

  @Test
  void aReplacementCreatesWhatIsNotThere() {
    KubeObject range = World.document(range("'type':'Pod','max':{'cpu':'1'}"));
    assertThat(world.answer(world.api.update(range)).uid()).isNotEmpty();
  }

  private static String range(String item) {
    return "{'apiVersion':'v1','kind':'LimitRange','metadata':{'name':'l','namespace':'default'},"
        + "'spec':{'limits':[{"
        + item
        + "}]}}";
  }
}
