package dev.stint.apiserver.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.cluster.ClusterException;
import dev.stint.model.KubeObject;
import org.assertj.core.api.AbstractThrowableAssert;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Users grant only permissions that they have, unless they may escalate. */
class EscalationCheckTest {
  private static final String READ_JOBS =
      "[{'apiGroups':['batch'],'resources':['jobs'],'verbs':['get']}]";
  private static final String DELETE_NODES =
      "[{'apiGroups':[''],'resources':['nodes'],'verbs':['delete']}]";
  private static final String ROLES = "'apiGroups':['rbac.authorization.k8s.io']";

  private final GivenRules rules = GivenRules.bootstrapped();
  private final EscalationCheck escalation = new EscalationCheck(new Authorizer(rules));
  private final User jane = User.of("jane");

  EscalationCheckTest() {
    rules.put(GivenRules.binding("ci", "janes", "ClusterRole/admin", "User/jane"));
  }

  @Test
  void aRoleMayHoldWhatItsWriterMayDo() {
    passes(jane, null, GivenRules.role("ci", "r", READ_JOBS));
    refused(jane, null, GivenRules.role("ci", "r", DELETE_NODES))
        .hasMessageStartingWith("roles.rbac.authorization.k8s.io \"r\" is forbidden: user \"jane\"")
        .hasMessageContaining("{APIGroups:[\"\"], Resources:[\"nodes\"], Verbs:[\"delete\"]}");
    refused(jane, null, GivenRules.role("other", "r", READ_JOBS));
    refused(jane, null, GivenRules.role("", "r", READ_JOBS));
    passes(User.of("root", Pki.MASTERS), null, GivenRules.role("", "r", DELETE_NODES));
  }

  @Test
  void aRoleWhoseRulesStayMayBeLabelledByAnyWriter() {
    KubeObject role = GivenRules.role("ci", "r", DELETE_NODES);
    passes(jane, role, GivenRules.role("ci", "r", DELETE_NODES));
    refused(jane, GivenRules.role("ci", "r", READ_JOBS), role);
  }

  @Test
  void escalateAllowsAnyRule() {
    rules.put(
        GivenRules.role("ci", "e", "[{" + ROLES + ",'resources':['roles'],'verbs':['escalate']}]"));
    rules.put(GivenRules.binding("ci", "e", "Role/e", "User/jane"));
    passes(jane, null, GivenRules.role("ci", "r", DELETE_NODES));
  }

  @Test
  void onlyWhoMayDoEverythingWritesRolesThatAggregate() {
    String members = "'aggregationRule':{'clusterRoleSelectors':[{}]}";
    rules.put(GivenRules.binding("", "j", "ClusterRole/admin", "User/jane"));
    refused(jane, null, GivenRules.object("", "Role", "r", members));
    rules.put(GivenRules.binding("", "j", "ClusterRole/cluster-admin", "User/jane"));
    passes(jane, null, GivenRules.object("", "Role", "r", members));
  }

  @Test
  void aBindingMayHandOnWhatItsWriterMayDo() {
    passes(jane, null, GivenRules.binding("ci", "b", "ClusterRole/view", "User/joe"));
    passes(jane, null, GivenRules.binding("ci", "b", "ClusterRole/admin", "User/joe"));
    refused(jane, null, GivenRules.binding("ci", "b", "ClusterRole/cluster-admin", "User/joe"));
    refused(jane, null, GivenRules.binding("", "b", "ClusterRole/view", "User/joe"));
  }

  @Test
  void bindAllowsThatRoleAndNoOther() {
    rules.put(
        GivenRules.role(
            "ci",
            "e",
            "[{"
                + ROLES
                + ",'resources':['clusterroles'],'resourceNames':['cluster-admin'],'verbs':['bind']}]"));
    rules.put(GivenRules.binding("ci", "e", "Role/e", "User/jane"));
    passes(jane, null, GivenRules.binding("ci", "b", "ClusterRole/cluster-admin", "User/joe"));
    refused(jane, null, GivenRules.binding("ci", "b", "ClusterRole/system:discovery", "User/joe"));
  }

  @Test
  void aBindingToARoleThatIsNotThereIsNotFound() {
    assertThatThrownBy(() ->
            escalation.check(jane, null, GivenRules.binding("ci", "b", "Role/none", "User/joe")))
        .isInstanceOfSatisfying(
            ClusterException.class, e -> assertThat(e.reason().code()).isEqualTo(404))
        .hasMessage("roles.rbac.authorization.k8s.io \"none\" not found");
  }

  @Test
  void subjectsAreAddedOnlyByWhoMayHandOnTheRole() {
    KubeObject before = GivenRules.binding("ci", "b", "ClusterRole/cluster-admin", "User/joe");
    passes(jane, before, before);
    refused(
        jane,
        before,
        GivenRules.binding("ci", "b", "ClusterRole/cluster-admin", "User/joe", "User/jane"));
  }

  private void passes(User user, @Nullable KubeObject before, KubeObject after) {
    assertThatCode(() -> escalation.check(user, before, after)).doesNotThrowAnyException();
  }

  private AbstractThrowableAssert<?, ? extends Throwable> refused(
      User user, @Nullable KubeObject before, KubeObject after) {
    return assertThatThrownBy(() -> escalation.check(user, before, after))
        .isInstanceOf(ClusterException.class)
        .hasMessageContaining("is attempting to grant RBAC permissions not currently held");
  }
}
