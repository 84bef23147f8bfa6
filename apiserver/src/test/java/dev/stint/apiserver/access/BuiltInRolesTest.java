package dev.stint.apiserver.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiserver.World;
import dev.stint.cluster.Cluster;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** The default roles of every API are valid, and changes to them persist. */
class BuiltInRolesTest {
  private final World world = new World();

  @Test
  void theyAreMadeOnceAndAChangedOneStays() {
    Cluster cluster = world.api;
    world.answer(BuiltInRoles.into(cluster));
    List<KubeObject> made = world.answer(cluster.list(Kind.CLUSTER_ROLE, null)).items();
    assertThat(made).extracting(KubeObject::name).contains("admin", "edit", "view");
    KubeObject view = made.stream().filter(role -> role.name().equals("view")).findFirst().get();
    var changed = view.copy();
    changed.withObjectProperty("metadata").withObjectProperty("labels").put("mine", "yes");
    world.answer(cluster.update(KubeObject.of(changed)));
    world.answer(BuiltInRoles.into(cluster));
    assertThat(world.get(view.ref()).labels()).containsEntry("mine", "yes");
    assertThat(world.answer(cluster.list(Kind.CLUSTER_ROLE_BINDING, null)).items()).isNotEmpty();
  }

  private KubeObject editing() {
    return world.answer(world.api.list(Kind.CLUSTER_ROLE, null)).items().stream()
        .filter(role -> role.name().equals("system:aggregate-to-edit"))
        .findFirst()
        .orElseThrow();
  }

  private void storeWithoutRules(@Nullable String autoUpdate) {
    ObjectNode old = editing().copy();
    old.putArray("rules");
    if (autoUpdate != null) {
      old.withObjectProperty("metadata")
          .withObjectProperty("annotations")
          .put("rbac.authorization.kubernetes.io/autoupdate", autoUpdate);
    }
    world.answer(world.api.update(KubeObject.of(old)));
  }

  @Test
  void aRoleOfAnEarlierVersionGetsTheRulesThatItLacks() {
    world.answer(BuiltInRoles.into(world.api));
    KubeObject made = editing();
    storeWithoutRules(null);
    world.answer(BuiltInRoles.into(world.api));
    assertThat(editing().tree().get("rules")).isEqualTo(made.tree().get("rules"));
    String version = editing().resourceVersion();
    world.answer(BuiltInRoles.into(world.api));
    assertThat(editing().resourceVersion()).isEqualTo(version);
  }

  @Test
  void aRoleThatIsNotToBeUpdatedStaysAsItIs() {
    world.answer(BuiltInRoles.into(world.api));
    storeWithoutRules("false");
    world.answer(BuiltInRoles.into(world.api));
    assertThat(editing().tree().get("rules")).isEmpty();
  }
}
