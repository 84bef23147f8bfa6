package dev.stint.model.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import dev.stint.model.field.FieldError;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

/** Roles and bindings that cannot mean anything are refused, field by field. */
class AccessRulesTest {
  private static final String RULE = "'apiGroups':['batch'],'resources':['jobs'],'verbs':['get']";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        RULE + "|",
        "'apiGroups':[''],'resources':['*'],'verbs':['*'] |",
        "'apiGroups':[''],'resources':['pods'] | rules[0].verbs REQUIRED",
        "'resources':['pods'],'verbs':['get'] | rules[0].apiGroups REQUIRED",
        "'apiGroups':[''],'verbs':['get'] | rules[0].resources REQUIRED",
        "'verbs':['get'] | rules[0].apiGroups REQUIRED, rules[0].resources REQUIRED",
        "'nonResourceURLs':['/x'],'verbs':['get'] | rules[0].nonResourceURLs INVALID",
        RULE
            + ",'nonResourceURLs':['/x'] | rules[0].nonResourceURLs INVALID,"
            + " rules[0].nonResourceURLs INVALID",
      })
  void rulesOfARole(String rule, @Nullable String faults) {
    ObjectNode role = object("ns", "'rules':[{" + rule + "}]");
    assertThat(words(RoleAdmission.createRole(role))).isEqualTo(orEmpty(faults));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'rules':[{'nonResourceURLs':['/x'],'verbs':['get']}] |",
        "'rules':[{" + RULE + ",'nonResourceURLs':['/x']}] | rules[0].nonResourceURLs INVALID",
        "'rules':[] |",
        "'aggregationRule':{'clusterRoleSelectors':[{'matchLabels':{'a':'b'}}]} |",
        "'aggregationRule':{} | aggregationRule.clusterRoleSelectors REQUIRED",
        "'aggregationRule':{'clusterRoleSelectors':[{'matchExpressions':[{'key':'a','operator':'Is'}]}]}"
            + " | aggregationRule.clusterRoleSelectors[0].matchExpressions[0].operator INVALID,"
            + " aggregationRule.clusterRoleSelectors[0] INVALID",
      })
  void clusterRoles(String members, @Nullable String faults) {
    assertThat(words(RoleAdmission.createClusterRole(object("", members))))
        .isEqualTo(orEmpty(faults));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "Role | User | jane | | ",
        "ClusterRole | Group | system:masters | | ",
        "ClusterRole | ServiceAccount | builder | 'namespace':'ci' | ",
        "ClusterRole | ServiceAccount | builder | | ",
        "Job | User | jane | | roleRef.kind NOT_SUPPORTED",
        "Role | Robot | jane | | subjects[0].kind NOT_SUPPORTED",
        "Role | User | `` | | subjects[0].name REQUIRED",
        "Role | User | jane | 'apiGroup':'x' | subjects[0].apiGroup NOT_SUPPORTED",
        "Role | ServiceAccount | jane | 'apiGroup':'x' | subjects[0].apiGroup NOT_SUPPORTED",
        "Role | ServiceAccount | not a name | | subjects[0].name INVALID",
      })
  void roleBindings(
      String ref, String kind, String name, @Nullable String more, @Nullable String faults) {
    ObjectNode binding = binding("ns", ref, kind, name, orEmpty(more));
    assertThat(words(BindingAdmission.createRoleBinding(binding))).isEqualTo(orEmpty(faults));
  }

  @Test
  void bindingsOfAClusterTakeClusterRolesAndNameNamespaces() {
    assertThat(
            words(BindingAdmission.createClusterRoleBinding(binding("", "Role", "User", "j", ""))))
        .isEqualTo("roleRef.kind NOT_SUPPORTED");
    assertThat(
            words(
                BindingAdmission.createClusterRoleBinding(
                    binding("", "ClusterRole", "ServiceAccount", "j", ""))))
        .isEqualTo("subjects[0].namespace REQUIRED");
  }

  @Test
  void groupsThatWereLeftOutAreFilledInAndTheGivenPartsStayAsTheyWere() {
    ObjectNode binding = binding("ns", "Role", "User", "jane", "");
    ObjectNode given = Json.objectAt(binding, "roleRef");
    BindingAdmission.createRoleBinding(binding);
    assertThat(binding.at("/roleRef/apiGroup").stringValue())
        .isEqualTo("rbac.authorization.k8s.io");
    assertThat(binding.at("/subjects/0/apiGroup").stringValue())
        .isEqualTo("rbac.authorization.k8s.io");
    assertThat(given).isNotNull().doesNotContain(binding.at("/roleRef/apiGroup"));
  }

  @Test
  void theRoleOfABindingIsImmutable() {
    ObjectNode before = stored(binding("ns", "Role", "User", "jane", ""));
    BindingAdmission.createRoleBinding(before);
    ObjectNode more = stored(binding("ns", "Role", "User", "joe", ""));
    assertThat(words(BindingAdmission.update(before, more))).isEmpty();
    ObjectNode other = stored(binding("ns", "ClusterRole", "User", "jane", ""));
    assertThat(words(BindingAdmission.update(before, other))).isEqualTo("roleRef INVALID");
  }

  @Test
  void changedRolesKeepTheirRules() {
    ObjectNode before = stored(object("ns", "'rules':[{" + RULE + "}]"));
    assertThat(words(RoleAdmission.update(before, before.deepCopy()))).isEmpty();
    ObjectNode paths = stored(object("ns", "'rules':[{'nonResourceURLs':['/x'],'verbs':['get']}]"));
    assertThat(words(RoleAdmission.update(before, paths)))
        .isEqualTo("rules[0].nonResourceURLs INVALID");
  }

  @Test
  void namesAreNearlyFree() {
    for (String name : List.of("system:discovery", "Jane Doe", "a_b", "x@y")) {
      ObjectNode role = object("ns", "'rules':[]");
      role.withObjectProperty("metadata").put("name", name);
      assertThat(RoleAdmission.createRole(role)).isEmpty();
    }
    for (String name : List.of(".", "..", "a/b", "a%b")) {
      ObjectNode role = object("ns", "'rules':[]");
      role.withObjectProperty("metadata").put("name", name);
      assertThat(words(RoleAdmission.createRole(role))).isEqualTo("metadata.name INVALID");
    }
  }

  private static ObjectNode stored(ObjectNode object) {
    object.withObjectProperty("metadata").put("resourceVersion", "7");
    return object;
  }

  private static ObjectNode binding(
      String namespace, String ref, String kind, String name, String more) {
    return object(
        namespace,
        "'roleRef':{'kind':'%s','name':'r'},'subjects':[{'kind':'%s','name':'%s'%s}]"
            .formatted(ref, kind, name, more.isEmpty() ? "" : "," + more));
  }

  private static ObjectNode object(String namespace, String members) {
    String where = namespace.isEmpty() ? "" : ",'namespace':'" + namespace + "'";
    return Json.parse(
        ("{'metadata':{'name':'r'" + where + "}," + members + "}").replace('\'', '"'));
  }

  private static String orEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }

  private static String words(List<FieldError> faults) {
    return faults.stream().map(f -> f.path() + " " + f.type()).collect(Collectors.joining(", "));
  }
}
