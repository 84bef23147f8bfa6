package dev.stint.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiserver.access.RbacSource;
import dev.stint.cluster.Cluster;
import dev.stint.cluster.DeleteOptions;
import dev.stint.model.Kind;
import dev.stint.model.ObjectRef;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Once a change of a role has been counted, it is in force. */
class StoredRulesTest {
  private static final ObjectRef ROLE = new ObjectRef(Kind.CLUSTER_ROLE, "", "r");

  private final World world = new World();
  private final ApiServer api = (ApiServer) world.api;
  private final RbacSource rules = api.rules();

  @Test
  void aRoleThatIsWrittenAheadOfTheDiskIsInForceWhenItsWriterHears() {
    Cluster ahead = api.ahead(world);
    String role =
        "{'apiVersion': 'rbac.authorization.k8s.io/v1', 'kind': 'ClusterRole', 'metadata': {'name': 'r'}, 'rules': []}";
    assertThat(found(ahead.create(World.document(role)))).containsExactly(1L);
    assertThat(found(ahead.patch(ROLE, World.tree("{'metadata': {'labels': {'a': 'b'}}}"))))
        .containsExactly(1L);
    assertThat(
            rules
                .list(Kind.CLUSTER_ROLE, "")
                .findFirst()
                .orElseThrow()
                .object()
                .get()
                .tree()
                .at("/metadata/labels/a")
                .asString())
        .isEqualTo("b");
    DeleteOptions now = new DeleteOptions(null, 0L, null);
    assertThat(found(ahead.delete(ROLE, now))).containsExactly(0L);
  }

  @Test
  void rolesAreFoundInTheirNamespace() {
    assertThat(rules.namespaces()).isEmpty();
    long other = rules.revision("other");
    for (String namespace : List.of("ci", "ci-2")) {
      world.create(
          "{'apiVersion': 'rbac.authorization.k8s.io/v1', 'kind': 'Role', 'metadata': {'namespace': '%s', 'name': 'r'}, 'rules': []}"
              .formatted(namespace));
    }
    assertThat(rules.namespaces()).containsExactlyInAnyOrder("ci", "ci-2");
    assertThat(rules.list(Kind.ROLE, "ci")).hasSize(1);
    assertThat(rules.list(Kind.ROLE, "c")).isEmpty();
    assertThat(rules.revision("ci")).isOne();
    assertThat(rules.revision("other")).isEqualTo(other);
  }

  /** Returns the number of roles at the time of the answer. */
  private List<Long> found(CompletableFuture<?> write) {
    List<Long> found = new ArrayList<>();
    CompletableFuture<?> looked =
        write.thenRun(() -> found.add(rules.list(Kind.CLUSTER_ROLE, "").count()));
    world.settle();
    assertThat(looked).isCompleted();
    return found;
  }
}
