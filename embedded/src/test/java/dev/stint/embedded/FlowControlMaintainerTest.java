package dev.stint.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.DeleteOptions.Propagation;
import dev.stint.harness.TestWorld;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.field.FieldPath;
import dev.stint.model.flowcontrol.BuiltInFlowControl;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Built-in levels and schemas are kept as Kubernetes' documentation says. */
class FlowControlMaintainerTest {
  private static final ObjectRef SYSTEM = new ObjectRef(Kind.PRIORITY_LEVEL, "", "system");
  private static final ObjectRef CATCH_ALL = new ObjectRef(Kind.FLOW_SCHEMA, "", "catch-all");
  private static final ObjectRef OWN = new ObjectRef(Kind.FLOW_SCHEMA, "", "own");
  private static final String ANNOTATION = "apf.kubernetes.io/autoupdate-spec";
  private static final String CHANGED = "{'spec': {'limited': {'lendablePercent': 77}}}";

  private final TestWorld world = new TestWorld();
  private final FlowControlMaintainer controller =
      new FlowControlMaintainer(world.api, world.eventLoop);

  @BeforeEach
  void start() {
    controller.start();
    world.settle();
  }

  @Test
  void everyBuiltInObjectIsCreated() {
    for (Kind kind : BuiltInFlowControl.kinds()) {
      for (String name : BuiltInFlowControl.names(kind)) {
        KubeObject object = world.see(new ObjectRef(kind, "", name));
        assertThat(object.spec()).isEqualTo(BuiltInFlowControl.spec(kind, name));
        assertThat(object.annotation(ANNOTATION)).isEqualTo("true");
      }
    }
  }

  @Test
  void anObjectThatTheServerControlsIsCorrectedAndADeletedOneComesBack() {
    world.api.change(SYSTEM, CHANGED);
    world.settle();
    assertThat(lendable()).isEqualTo(33);

    world.api.remove(SYSTEM, Propagation.BACKGROUND);
    world.settle();
    assertThat(lendable()).isEqualTo(33);
  }

  @Test
  void anObjectThatUsersControlStaysAsTheyWantIt() {
    world.api.change(
        SYSTEM, "{'metadata': {'annotations': {'apf.kubernetes.io/autoupdate-spec': 'false'}}}");
    world.api.change(SYSTEM, CHANGED);
    world.settle();
    assertThat(lendable()).isEqualTo(77);
  }

  @Test
  void aMandatoryObjectHasNoOtherMaster() {
    world.api.change(
        CATCH_ALL,
        "{'metadata': {'annotations': {'apf.kubernetes.io/autoupdate-spec': 'false'}},"
            + " 'spec': {'matchingPrecedence': 9}}");
    world.settle();
    KubeObject object = world.see(CATCH_ALL);
    assertThat(object.annotation(ANNOTATION)).isEqualTo("true");
    assertThat(object.spec()).isEqualTo(BuiltInFlowControl.spec(Kind.FLOW_SCHEMA, "catch-all"));
  }

  @Test
  void whatAnEarlierVersionHadSuggestedIsRemoved() {
    String annotation = "'annotations': {'apf.kubernetes.io/autoupdate-spec': '%s'}";
    world.add(OWN, annotation.formatted("true"));
    world.settle();
    assertThat(world.exists(OWN)).isFalse();

    world.add(OWN, annotation.formatted("false"));
    world.settle();
    assertThat(world.exists(OWN)).isTrue();
  }

  @Test
  void aSchemaWithoutItsLevelIsDangling() {
    world.add(OWN, "", "'spec': {'priorityLevelConfiguration': {'name': 'mine'}}");
    world.settle();
    assertThat(dangling("status")).isEqualTo("True");
    assertThat(dangling("reason")).isEqualTo("NotFound");
    String since = dangling("lastTransitionTime");

    world.time.advance(Duration.ofMinutes(2));
    world.settle();
    assertThat(dangling("lastTransitionTime")).isEqualTo(since);

    world.add(new ObjectRef(Kind.PRIORITY_LEVEL, "", "mine"), "");
    world.settle();
    assertThat(dangling("status")).isEqualTo("False");
    assertThat(dangling("reason")).isEqualTo("Found");
    assertThat(dangling("lastTransitionTime")).isNotEqualTo(since);
  }

  @Test
  void nothingIsWrittenWhileNothingChanges() {
    long revision = Long.parseLong(world.see(SYSTEM).resourceVersion());
    world.time.advance(Duration.ofMinutes(5));
    world.settle();
    assertThat(Long.parseLong(world.see(SYSTEM).resourceVersion())).isEqualTo(revision);
  }

  private long lendable() {
    return FieldPath.root(world.see(SYSTEM).tree())
        .get("spec", "limited", "lendablePercent")
        .count();
  }

  private String dangling(String member) {
    return FieldPath.root(world.see(OWN).tree())
        .get("status", "conditions")
        .items()
        .getFirst()
        .get(member)
        .text();
  }
}
