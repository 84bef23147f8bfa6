package dev.stint.apiserver.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiserver.World;
import dev.stint.cluster.Cluster;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import java.util.List;
import org.junit.jupiter.api.Test;

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
}
