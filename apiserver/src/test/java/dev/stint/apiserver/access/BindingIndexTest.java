package dev.stint.apiserver.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class BindingIndexTest {
  private static final RbacBinding OPS = binding("ops", "Group/ops", "User/jane");
  private static final RbacBinding JOE = binding("joe", "User/joe");
  private static final RbacBinding BOT = binding("bot", "ServiceAccount/build:bot", "User/jane");
  private static final RbacBinding ALIKE = binding("alike", "User/AaAa", "User/AaBB", "User/BBBB");
  private static final BindingIndex INDEX = new BindingIndex(List.of(OPS, JOE, ALIKE, BOT));

  private static RbacBinding binding(String name, String... subjects) {
    return RbacBinding.of(GivenRules.binding("ci", name, "ClusterRole/view", subjects));
  }

  @Test
  void bindingsAreFoundByUsersGroupsAndServiceAccountsInOrder() {
    assertThat(INDEX.of(User.of("jane"))).containsExactly(OPS, BOT);
    assertThat(INDEX.of(User.of("jane", "x", "ops"))).containsExactly(OPS, BOT);
    assertThat(INDEX.of(User.of("joe", "ops"))).containsExactly(OPS, JOE);
    assertThat(INDEX.of(User.of("system:serviceaccount:build:bot"))).containsExactly(BOT);
    assertThat(INDEX.of(User.of("bot", "jack"))).isEmpty();
    assertThat(new BindingIndex(List.of()).of(User.of("jane"))).isEmpty();
  }

  /** They are asked by what they hold. */
  @Test
  void namesWithEqualHashesAreFoundToo() {
    assertThat("AaAa").hasSameHashCodeAs("BBAa");
    assertThat(INDEX.of(User.of("BBAa"))).containsExactly(ALIKE);
    assertThat(ALIKE.sourceFor(User.of("BBAa"))).isNull();
    assertThat(ALIKE.sourceFor(User.of("AaBB")))
        .isEqualTo("RoleBinding \"alike/ci\" of ClusterRole \"view\" to User \"AaBB\"");
  }
}
