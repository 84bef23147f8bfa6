package dev.stint.controllers.namespace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.DeleteOptions.Propagation;
import dev.stint.controllers.metrics.Metrics;
import dev.stint.harness.Fault;
import dev.stint.harness.ListedInParts;
import dev.stint.harness.TestWorld;
import dev.stint.model.ExponentialBackoff;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.ObjectRef;
import dev.stint.reconcile.RetryingCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class NamespaceControllerTest {
  private static final ObjectRef TEAM = TestWorld.namespace("team");

  private final TestWorld world = new TestWorld();
  private final NamespaceController controller =
      new NamespaceController(
          world.api, world.eventLoop, Metrics.NONE, () -> NamespaceController.contents(Kind.all()));

  private static ObjectRef in(Kind kind, String name) {
    return new ObjectRef(kind, "team", name);
  }

  private void start() {
    controller.start();
    world.settle();
  }

  private String condition(String type) {
    JsonNode conditions = Json.arrayAt(world.see(TEAM).status(), "conditions");
    if (conditions != null) {
      for (JsonNode condition : conditions) {
        if (type.equals(Json.text(condition, "type"))) {
          return Json.text(condition, "status") + ": " + Json.text(condition, "message");
        }
      }
    }
    return "none";
  }

  @Test
  void aNamespaceIsDeletedWithItsContents() {
    world.add(TEAM, "");
    for (Kind kind : NamespaceController.contents(Kind.all())) {
      world.add(in(kind, "a"), "");
      world.add(in(kind, "b"), "");
    }
    world.add(TestWorld.pod("elsewhere"), "");
    start();
    assertThat(world.api.requests).isEmpty();

    world.api.remove(TEAM, Propagation.BACKGROUND);
    world.pass(Duration.ofSeconds(1));

    assertThat(world.exists(TEAM)).isFalse();
    assertThat(world.api.peekAll(Kind.SECRET)).isEmpty();
    assertThat(world.api.peekAll(Kind.POD)).hasSize(1);
  }

  /** A namespace may hold more than fits into memory: each part goes before the next is read. */
  @Test
  void theContentsAreReadAndDeletedInParts() {
    world.add(TEAM, "");
    world.add(in(Kind.SECRET, "a"), "");
    world.add(in(Kind.SECRET, "b"), "'finalizers': ['example.com/hold']");
    world.add(in(Kind.SECRET, "c"), "'finalizers': ['example.com/hold']");
    List<Integer> left = new ArrayList<>();
    new NamespaceController(
            new ListedInParts(world.api, () -> left.add(world.api.peekAll(Kind.SECRET).size())),
            world.eventLoop,
            Metrics.NONE,
            () -> List.of(Kind.SECRET))
        .start();
    world.settle();
    left.clear(); // The list of the namespaces has been read in parts too.
    world.api.remove(TEAM, Propagation.BACKGROUND);
    world.settle();
    assertThat(left).startsWith(3, 2);
    assertThat(condition("NamespaceContentRemaining"))
        .isEqualTo("True: Some resources are remaining: secrets. has 2 resource instances");
    assertThat(condition("NamespaceFinalizersRemaining"))
        .endsWith("example.com/hold in 2 resource instances");

    world.api.change(in(Kind.SECRET, "b"), "{'metadata': {'finalizers': []}}");
    world.api.change(in(Kind.SECRET, "c"), "{'metadata': {'finalizers': []}}");
    world.pass(Duration.ofSeconds(6));
    assertThat(world.exists(TEAM)).isFalse();
  }

  /** The list waits for deletions, which must not wait for the list. */
  @Test
  void oneRequestAtATimeIsEnough() {
    world.add(TEAM, "");
    world.add(in(Kind.SECRET, "a"), "");
    RetryingCluster narrow =
        new RetryingCluster(
            world.api,
            new RetryingCluster.Options(
                0, 1, 1, 3, new ExponentialBackoff(Duration.ofMillis(100), Duration.ofSeconds(5))),
            world.eventLoop.clock(),
            world.eventLoop.timers(),
            world.eventLoop.random());
    new NamespaceController(narrow, world.eventLoop, Metrics.NONE, () -> List.of(Kind.SECRET))
        .start();
    world.settle();
    world.api.remove(TEAM, Propagation.BACKGROUND);
    world.pass(Duration.ofSeconds(1));
    assertThat(world.exists(TEAM)).isFalse();
  }

  /** A kind whose list fails may have objects, which a new namespace of the name would inherit. */
  @Test
  void aKindThatCannotBeListedKeepsTheNamespace() {
    world.add(TEAM, "");
    world.add(in(Kind.SECRET, "a"), "");
    start();
    world.api.before(Fault.unavailable("list secrets"));
    world.api.remove(TEAM, Propagation.BACKGROUND);
    world.pass(Duration.ofMinutes(1));
    assertThat(world.exists(TEAM)).isTrue();
    assertThat(condition("NamespaceDeletionContentFailure")).startsWith("True: ");

    world.api.heal();
    world.pass(Duration.ofMinutes(5));
    assertThat(world.exists(TEAM)).isFalse();
    assertThat(world.api.peekAll(Kind.SECRET)).isEmpty();
  }

  @Test
  void finalizersInTheNamespaceAreReportedAndAwaited() {
    world.add(TEAM, "");
    world.add(in(Kind.POD, "held"), "'finalizers': ['example.com/hold']");
    start();
    world.api.remove(TEAM, Propagation.BACKGROUND);
    world.pass(Duration.ofMinutes(1));

    assertThat(condition("NamespaceContentRemaining"))
        .isEqualTo("True: Some resources are remaining: pods. has 1 resource instances");
    assertThat(condition("NamespaceFinalizersRemaining"))
        .isEqualTo(
            "True: Some content in the namespace has finalizers remaining:"
                + " example.com/hold in 1 resource instances");
    assertThat(condition("NamespaceDeletionContentFailure")).startsWith("False: ");
    long writes = world.api.requests.stream().filter(r -> r.startsWith("updateStatus")).count();
    assertThat(writes).as("status is written when it changes").isEqualTo(1);

    world.api.change(in(Kind.POD, "held"), "{'metadata': {'finalizers': []}}");
    world.pass(Duration.ofSeconds(6));
    assertThat(world.exists(TEAM)).isFalse();
  }

  @Test
  void podsAreDeletedBeforeAllOtherObjects() {
    world.add(TEAM, "");
    world.add(in(Kind.POD, "held"), "'finalizers': ['example.com/hold']");
    world.add(in(Kind.SECRET, "input"), "");
    start();
    world.api.remove(TEAM, Propagation.BACKGROUND);
    world.pass(Duration.ofMinutes(1));
    assertThat(world.exists(in(Kind.SECRET, "input"))).isTrue();
    assertThat(world.api.requests).noneMatch(line -> line.startsWith("delete secrets"));

    world.api.change(in(Kind.POD, "held"), "{'metadata': {'finalizers': []}}");
    world.pass(Duration.ofSeconds(12));
    assertThat(world.exists(TEAM)).isFalse();
  }

  @Test
  void podsThatCannotBeDeletedDelayAllOtherDeletions() {
    world.add(TEAM, "");
    world.add(in(Kind.POD, "a"), "");
    world.add(in(Kind.SECRET, "b"), "");
    world.api.before(Fault.unavailable("delete pods"));
    start();
    world.api.remove(TEAM, Propagation.BACKGROUND);
    world.pass(Duration.ofSeconds(1));
    assertThat(condition("NamespaceDeletionContentFailure"))
        .isEqualTo(
            "True: Failed to delete all resource types, 1 remaining: pods.: the API is away");
    assertThat(world.exists(in(Kind.SECRET, "b"))).isTrue();

    world.api.heal();
    world.pass(Duration.ofSeconds(10));
    assertThat(world.exists(TEAM)).isFalse();
  }

  @Test
  void aKindThatCannotBeDeletedIsReportedAndDelaysNoOther() {
    world.add(TEAM, "");
    world.add(in(Kind.CONFIG_MAP, "a"), "");
    world.add(in(Kind.SECRET, "b"), "");
    world.api.before(Fault.unavailable("delete configmaps"));
    start();
    world.api.remove(TEAM, Propagation.BACKGROUND);
    world.pass(Duration.ofSeconds(1));

    assertThat(condition("NamespaceDeletionContentFailure"))
        .isEqualTo(
            "True: Failed to delete all resource types, 1 remaining: configmaps.: the API is away");
    assertThat(condition("NamespaceDeletionDiscoveryFailure"))
        .isEqualTo("False: All resources successfully discovered");
    assertThat(world.api.peekAll(Kind.SECRET)).isEmpty();

    world.api.heal();
    world.pass(Duration.ofSeconds(10));
    assertThat(world.exists(TEAM)).isFalse();
  }

  @Test
  void otherFinalizersStay() {
    world.add(TEAM, "");
    world.api.change(TEAM, "{'spec': {'finalizers': ['example.com/mine', 'kubernetes']}}");
    start();
    world.api.remove(TEAM, Propagation.BACKGROUND);
    world.pass(Duration.ofMinutes(1));

    assertThat(world.see(TEAM).spec()).hasToString("{\"finalizers\":[\"example.com/mine\"]}");
    assertThat(world.api.requests).containsExactly("finalize " + TEAM);
  }

  @Test
  void aNamespaceThatIsMadeAgainIsLeftAlone() {
    world.add(TEAM, "");
    start();
    world.api.remove(TEAM, Propagation.BACKGROUND);
    world.pass(Duration.ofSeconds(1));
    world.add(TEAM, "");
    world.add(in(Kind.POD, "a"), "");
    world.pass(Duration.ofMinutes(1));

    assertThat(world.exists(in(Kind.POD, "a"))).isTrue();
  }

  /** The next round is due, and no watch has reported yet that there is another namespace. */
  @Test
  void aNamespaceThatIsMadeAgainBetweenTwoRoundsIsLeftAlone() {
    world.add(TEAM, "");
    world.add(in(Kind.SECRET, "held"), "'finalizers': ['example.com/hold']");
    start();
    world.api.remove(TEAM, Propagation.BACKGROUND);
    world.settle();
    world.api.holdNews();
    world.api.erase(in(Kind.SECRET, "held"));
    world.api.erase(TEAM);
    world.add(TEAM, "");
    world.add(in(Kind.POD, "a"), "");
    world.pass(Duration.ofMinutes(1));

    assertThat(world.exists(in(Kind.POD, "a"))).isTrue();
  }
}
