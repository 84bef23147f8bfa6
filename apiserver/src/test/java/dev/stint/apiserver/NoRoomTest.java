package dev.stint.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.DeleteOptions;
import dev.stint.harness.PodBuilder;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Without memory nothing is created and nothing grows, but all that is there can go on and go. */
class NoRoomTest {
  private ObjectRoom room = ObjectRoom.AMPLE;
  private final World world = new World(ApiServer.Options.defaults().withRoom(this::room));
  private int questions;

  private ObjectRoom room() {
    questions++;
    return room;
  }

  @Test
  void withoutRoomNothingIsCreatedOrGrows() {
    world.create(World.configMapJson("a", ""));
    room = ObjectRoom.NONE;
    assertRefused(world.api.create(World.document(World.configMapJson("b", ""))));
    assertRefused(grow(world.api, 2_000));
    world.answer(grow(world.api, 500));
    world.answer(world.api.delete(World.configMap("a"), new DeleteOptions(null, 0L, null)));
  }

  @Test
  void statusesMayGrow() {
    world.create(PodBuilder.named("p"));
    room = ObjectRoom.NONE;
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
    room = ObjectRoom.NONE;
    world.create("{'apiVersion': 'v1', 'kind': 'Namespace', 'metadata': {'name': 'n'}}");
    assertThat(world.refusal(world.api.create(World.document(World.configMapJson("a", "")))))
        .extracting(ClusterException::reason)
        .isEqualTo(Reason.ALREADY_EXISTS);
  }

  /** They are created by administrators of one namespace. */
  @Test
  void rolesAndBindingsOfANamespaceNeedRoomAsAllElse() {
    room = ObjectRoom.NONE;
    assertRefused(world.api.create(World.document(rbac("Role", "'rules': []"))));
    String ref =
        "'roleRef': {'apiGroup': 'rbac.authorization.k8s.io', 'kind': 'Role', 'name': 'r'}";
    assertRefused(world.api.create(World.document(rbac("RoleBinding", ref))));
  }

  private static String rbac(String kind, String members) {
    return ("{'apiVersion': 'rbac.authorization.k8s.io/v1', 'kind': '%s',"
            + " 'metadata': {'namespace': 'default', 'name': 'r'}, %s}")
        .formatted(kind, members);
  }

  /** A client that fills its share of the memory leaves room for all others. */
  @Test
  void whileRoomIsScarceOnlyNamespacesThatHoldLittleGetMore() {
    String text = "x".repeat(10_000);
    create("greedy", "a", text);
    create("modest", "a", "");
    room = ObjectRoom.SCARCE;
    assertRefused(world.api.create(configMap("greedy", "b", "")));
    create("modest", "b", "");
    create("new", "a", "");
    world.answer(world.api.delete(inNamespace("greedy", "a"), new DeleteOptions(null, 0L, null)));
    room = ObjectRoom.AMPLE;
    for (int i = 0; i < 80; i++) {
      create("modest", "c" + i, "");
    }
    room = ObjectRoom.SCARCE;
    assertRefused(world.api.create(configMap("modest", "d", "")));
    create("greedy", "b", "");
  }

  private void create(String namespace, String name, String text) {
    world.answer(world.api.create(configMap(namespace, name, text)));
  }

  private static KubeObject configMap(String namespace, String name, String text) {
    return World.document(
        ("{'apiVersion': 'v1', 'kind': 'ConfigMap', 'metadata': {'namespace': '%s', 'name': '%s'},"
                + " 'data': {'k': '%s'}}")
            .formatted(namespace, name, text));
  }

  private static ObjectRef inNamespace(String namespace, String name) {
    return new ObjectRef(Kind.CONFIG_MAP, namespace, name);
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
