package dev.stint.apiserver.access;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.apiserver.access.pki.Pki;
import dev.stint.cluster.ClusterException;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import java.util.List;
import java.util.stream.IntStream;
import org.assertj.core.api.AbstractThrowableAssert;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

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
  void everyChangeOfARoleNeedsItsRules() {
    KubeObject role = GivenRules.role("ci", "r", DELETE_NODES);
    passes(jane, role, GivenRules.role("ci", "r", DELETE_NODES));
    refused(jane, role, GivenRules.role("ci", "r", DELETE_NODES.replace("delete", "get")));
    refused(jane, GivenRules.role("ci", "r", READ_JOBS), role);
    passes(jane, role, GivenRules.role("ci", "r", READ_JOBS));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'labels': {'rbac.authorization.k8s.io/aggregate-to-view': 'true'}}",
        "{'labels': {'team': 'a'}}",
        "{'annotations': {'a': 'b'}}"
      })
  void aLabelNeedsTheRulesOfTheRoleThatItMayAddToAnotherOne(String metadata) {
    for (KubeObject role :
        List.of(
            GivenRules.role("", "powers", DELETE_NODES),
            GivenRules.binding("ci", "b", "ClusterRole/cluster-admin", "User/joe"),
            GivenRules.object(
                "", "Role", "all", "'aggregationRule':{'clusterRoleSelectors':[{}]}"))) {
      refused(jane, role, with(role, metadata));
      refused(jane, with(role, metadata), role);
      passes(User.of("root", Pki.MASTERS), role, with(role, metadata));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'finalizers': ['example.org/x']}",
        "{'ownerReferences': []}",
        "{'resourceVersion': '7', 'generation': 2, 'managedFields': []}",
        "{'deletionTimestamp': '2026-11-23T10:00:00Z', 'deletionGracePeriodSeconds': 0}"
      })
  void garbageCollectionAndDeletionNeedNoRules(String metadata) {
    for (KubeObject object :
        List.of(
            GivenRules.role("", "powers", DELETE_NODES),
            GivenRules.binding("ci", "b", "ClusterRole/cluster-admin", "User/joe"))) {
      passes(jane, object, with(object, metadata));
    }
  }

  private static KubeObject with(KubeObject object, String metadata) {
    ObjectNode tree = object.tree().deepCopy();
    tree.withObjectProperty("metadata").setAll(Json.parse(metadata.replace('\'', '"')));
    return KubeObject.of(tree);
  }

  @Test
  void escalateAllowsAnyRule() {
    rules.put(
        GivenRules.role("ci", "e", "[{" + ROLES + ",'resources':['roles'],'verbs':['escalate']}]"));
    rules.put(GivenRules.binding("ci", "e", "Role/e", "User/jane"));
    passes(jane, null, GivenRules.role("ci", "r", DELETE_NODES));
  }

  @Test
  void escalateOnNamedRolesDoesNotAllowToCreateOne() {
    String escalate =
        "[{" + ROLES + ",'resources':['roles'],'resourceNames':['r'],'verbs':['escalate']}]";
    rules.put(GivenRules.role("ci", "e", escalate));
    rules.put(GivenRules.binding("ci", "e", "Role/e", "User/jane"));
    KubeObject role = GivenRules.role("ci", "r", DELETE_NODES);
    refused(jane, null, role);
    passes(jane, GivenRules.role("ci", "r", READ_JOBS), role);
    refused(jane, GivenRules.role("ci", "s", READ_JOBS), GivenRules.role("ci", "s", DELETE_NODES));
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
  void onlyWhoMayDoEverythingChangesWhatARoleAggregates() {
    rules.put(GivenRules.binding("", "j", "ClusterRole/view", "User/jane"));
    KubeObject plain = GivenRules.role("", "r", "[]");
    KubeObject all =
        GivenRules.object("", "Role", "r", "'aggregationRule':{'clusterRoleSelectors':[{}]}");
    refused(jane, plain, all);
    refused(jane, all, plain);
  }

  @Test
  void aBindingMayHandOnWhatItsWriterMayDo() {
    passes(jane, null, GivenRules.binding("ci", "b", "ClusterRole/view", "User/joe"));
    passes(jane, null, GivenRules.binding("ci", "b", "ClusterRole/admin", "User/joe"));
    refused(jane, null, GivenRules.binding("ci", "b", "ClusterRole/cluster-admin", "User/joe"));
    refused(jane, null, GivenRules.binding("", "b", "ClusterRole/view", "User/joe"));
  }

  /** A role of 1.5 MB could keep a core busy for hours. */
  @Test
  void rulesThatTakeTooLongToCompareAreRefused() {
    EscalationCheck strict = new EscalationCheck(new Authorizer(rules), 200);
    KubeObject few = GivenRules.role("ci", "r", READ_JOBS);
    strict.check(request(jane, null, few), null, few);
    rules.put(GivenRules.role("ci", "all", READ_JOBS.replace("batch", "*")));
    rules.put(GivenRules.binding("ci", "all", "Role/all", "User/jane"));
    String groups = IntStream.range(0, 200).mapToObj(i -> "g" + i).collect(joining("','"));
    KubeObject many = GivenRules.role("ci", "r", READ_JOBS.replace("batch", groups));
    passes(jane, null, many);
    assertThatThrownBy(() -> strict.check(request(jane, null, many), null, many))
        .isInstanceOfSatisfying(
            ClusterException.class, e -> assertThat(e.reason().code()).isEqualTo(422))
        .hasMessage(
            "roles.rbac.authorization.k8s.io \"r\" is invalid: the rules that it grants and those"
                + " of user \"jane\" have too many words to compare them; use fewer, or \"*\"");
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
    assertThatThrownBy(() -> missing(GivenRules.binding("ci", "b", "Role/none", "User/joe")))
        .isInstanceOfSatisfying(
            ClusterException.class, e -> assertThat(e.reason().code()).isEqualTo(404))
        .hasMessage("roles.rbac.authorization.k8s.io \"none\" not found");
  }

  private void missing(KubeObject binding) {
    escalation.check(request(jane, null, binding), null, binding);
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
    assertThatCode(() -> escalation.check(request(user, before, after), before, after))
        .doesNotThrowAnyException();
  }

  private AbstractThrowableAssert<?, ? extends Throwable> refused(
      User user, @Nullable KubeObject before, KubeObject after) {
    return assertThatThrownBy(() -> escalation.check(request(user, before, after), before, after))
        .isInstanceOf(ClusterException.class)
        .hasMessageContaining("is attempting to grant RBAC permissions not currently held");
  }

  private static RequestAttributes request(
      User user, @Nullable KubeObject before, KubeObject after) {
    Kind kind = after.kind();
    return new RequestAttributes(
        user,
        before == null ? "create" : "update",
        kind.group(),
        kind.version(),
        kind.plural(),
        "",
        after.namespace(),
        before == null ? "" : after.name(),
        null);
  }
}
