package dev.stint.apiserver.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiserver.World;
import dev.stint.model.KubeObject;
import dev.stint.model.field.FieldError;
import org.junit.jupiter.api.Test;

/** Flow schemas and priority levels are completed and checked; their status is the server's. */
class FlowControlStrategyTest {
  private static final String DOCUMENT =
      "{'apiVersion':'flowcontrol.apiserver.k8s.io/v1','kind':'%s','metadata':{'name':'%s'},%s}";
  private static final String REFERENCE = "'priorityLevelConfiguration':{'name':'x'}";

  private final World world = new World();

  @Test
  void aNewSchemaHasItsPrecedenceAndNoStatus() {
    KubeObject schema =
        world.create(schema("a", REFERENCE).replace("'spec'", "'status':{'conditions':[]},'spec'"));
    assertThat(schema.spec())
        .isEqualTo(
            World.tree("{'matchingPrecedence':1000,'priorityLevelConfiguration':{'name':'x'}}"));
    assertThat(schema.status()).isEqualTo(World.tree("{}"));
    assertThat(schema.generation()).isEqualTo(1);
  }

  @Test
  void aChangeIsCountedAndChecked() {
    KubeObject schema = world.create(schema("a", REFERENCE));
    assertThat(world.patch(schema.ref(), "{'spec':{'matchingPrecedence':7}}").generation())
        .isEqualTo(2);
    assertThat(
            world
                .refusal(
                    world.api.patch(schema.ref(), World.tree("{'spec':{'matchingPrecedence':1}}")))
                .causes())
        .extracting(FieldError::path)
        .containsExactly("spec.matchingPrecedence");
  }

  @Test
  void nobodyChangesAMandatoryObject() {
    assertThat(
            world
                .refusal(world.api.create(World.document(schema("catch-all", REFERENCE))))
                .causes())
        .extracting(FieldError::path)
        .containsExactly("spec");
  }

  @Test
  void aNewLevelHasItsSharesAndQueues() {
    KubeObject level =
        world.create(
            DOCUMENT.formatted(
                "PriorityLevelConfiguration",
                "a",
                "'spec':{'type':'Limited','limited':{'limitResponse':{'type':'Queue',"
                    + "'queuing':{'queues':16}}}}"));
    assertThat(level.spec())
        .isEqualTo(
            World.tree(
                "{'type':'Limited','limited':{'lendablePercent':0,'nominalConcurrencyShares':30,"
                    + "'limitResponse':{'type':'Queue','queuing':{'handSize':8,'queues':16,"
                    + "'queueLengthLimit':50}}}}"));
  }

  private static String schema(String name, String spec) {
    return DOCUMENT.formatted("FlowSchema", name, "'spec':{" + spec + "}");
  }
}
