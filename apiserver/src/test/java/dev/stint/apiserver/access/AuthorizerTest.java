package dev.stint.apiserver.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiserver.access.pki.Pki;
import dev.stint.covers.Covers;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Roles and bindings allow exactly what they state, where they state it. */
class AuthorizerTest {
  private static final String READ_JOBS =
      "[{'apiGroups':['batch'],'resources':['jobs'],'verbs':['get']}]";
  private static final String CRONTABS = "stable.example.com";

  private final GivenRules rules = GivenRules.bootstrapped();
  private final Authorizer authorizer = new Authorizer(rules);

  @ParameterizedTest(name = "{0} {1} {2} {3} {4} in [{5}]: {6}")
  @CsvSource(
      delimiterString = " ",
      value = {
        "view get batch jobs '' ci true",
        "view watch batch jobs/status '' ci true",
        "view get '' pods/log x ci true",
        "view get '' secrets x ci false",
        "view create batch jobs '' ci false",
        "view get batch jobs x other false",
        "view list batch jobs '' '' false",
        "view get '' nodes x '' false",
        "edit create batch jobs '' ci true",
        "edit get batch jobs x ci true",
        "edit update batch jobs/status x ci false",
        "edit patch batch jobs/status x ci false",
        "edit patch batch cronjobs/status x ci false",
        "edit update '' pods/status x ci false",
        "edit get '' secrets x ci true",
        "edit create rbac.authorization.k8s.io roles '' ci false",
        "admin create rbac.authorization.k8s.io rolebindings '' ci true",
        "admin deletecollection batch cronjobs '' ci true",
        "admin update batch jobs/status x ci false",
        "admin create '' namespaces '' ci false",
        "cluster-admin update batch jobs/status x ci true",
        "cluster-admin escalate rbac.authorization.k8s.io roles x ci true",
        "cluster-admin get '' nodes x other false",
        "system:controller:job-controller update batch jobs/status x ci true",
        "system:controller:job-controller create batch jobs '' ci false",
      })
  @Covers("TR-32")
  void builtInRolesBoundInANamespace(
      String role,
      String verb,
      String group,
      String resource,
      String name,
      String namespace,
      boolean allowed) {
    rules.put(GivenRules.binding("ci", "b", "ClusterRole/" + role, "User/jane"));
    assertThat(of(User.of("jane"), verb, group, resource, namespace, name).allowed())
        .isEqualTo(allowed);
  }

  @Test
  void mastersMayDoEverythingWhateverTheRolesAre() {
    Authorizer bare = new Authorizer(new GivenRules());
    User admin = User.of("x", Pki.MASTERS);
    assertThat(bare.of(request(admin, "delete", "any", "thing/sub", "", "x")).allowed()).isTrue();
    assertThat(bare.of(RequestAttributes.ofPath(admin, "post", "/x")).allowed()).isTrue();
  }

  @ParameterizedTest(name = "{0} {1}: {2}")
  @CsvSource({
    "get, /healthz, true",
    "get, /healthz/etcd, true",
    "head, /livez, true",
    "get, /readyz/x, true",
    "get, /version, true",
    "get, /version/, true",
    "post, /healthz, false",
    "get, /healthzz, false",
    "get, /, false",
    "get, /api, false",
    "get, /apis/batch/v1, false",
    "get, /metrics, false",
    "get, /openapi/v3, false",
  })
  void anonymousUsersLearnThatTheApiIsWellAndNoMore(String verb, String path, boolean allowed) {
    assertThat(authorizer.of(RequestAttributes.ofPath(User.ANONYMOUS, verb, path)).allowed())
        .isEqualTo(allowed);
  }

  @Test
  void anonymousUsersReachNoResource() {
    assertThat(of(User.ANONYMOUS, "get", "batch", "jobs", "ci", "x").allowed()).isFalse();
    assertThat(
            of(User.ANONYMOUS, "create", "authorization.k8s.io", "selfsubjectaccessreviews", "", "")
                .allowed())
        .isFalse();
  }

  @Test
  void whoeverIsKnownMayDiscoverAndAskForThemselves() {
    User jane = User.of("jane").authenticated();
    assertThat(authorizer.of(RequestAttributes.ofPath(jane, "get", "/apis/batch/v1")).allowed())
        .isTrue();
    assertThat(of(jane, "create", "authorization.k8s.io", "selfsubjectaccessreviews", "", ""))
        .matches(AccessDecision::allowed);
    assertThat(of(jane, "create", "authorization.k8s.io", "subjectaccessreviews", "", "").allowed())
        .isFalse();
  }

  @Test
  void bindingsReachUsersGroupsAndServiceAccounts() {
    rules.put(
        GivenRules.role(
            "ci", "r", "[{'apiGroups':['batch'],'resources':['jobs'],'verbs':['get']}]"));
    rules.put(
        GivenRules.binding(
            "ci", "b", "Role/r", "User/jane", "Group/ops", "ServiceAccount/build:bot"));
    assertThat(get(User.of("jane")).reason())
        .isEqualTo("RBAC: allowed by RoleBinding \"b/ci\" of Role \"r\" to User \"jane\"");
    assertThat(get(User.of("x", "ops")).allowed()).isTrue();
    assertThat(get(User.of("system:serviceaccount:build:bot")).reason())
        .endsWith("to ServiceAccount \"bot/build\"");
    assertThat(get(User.of("ops")).allowed()).isFalse();
    assertThat(get(User.of("x", "jane")).allowed()).isFalse();
    assertThat(get(User.of("system:serviceaccount:ci:bot")).allowed()).isFalse();
  }

  @Test
  void aNamespacesRoleGivesNothingElsewhereAndNoPaths() {
    String all =
        "[{'apiGroups':['*'],'resources':['*'],'verbs':['*']},{'nonResourceURLs':['*'],'verbs':['*']}]";
    rules.put(GivenRules.role("ci", "r", all));
    rules.put(GivenRules.binding("ci", "b", "Role/r", "User/jane"));
    rules.put(GivenRules.binding("other", "b", "Role/r", "User/jane"));
    User jane = User.of("jane");
    assertThat(get(jane).allowed()).isTrue();
    assertThat(of(jane, "get", "batch", "jobs", "other", "x").allowed()).isFalse();
    assertThat(of(jane, "list", "batch", "jobs", "", "").allowed()).isFalse();
    assertThat(authorizer.of(RequestAttributes.ofPath(jane, "get", "/metrics")).allowed())
        .isFalse();
  }

  @Test
  void namesNarrowARuleSoThatListsAreNotAllowed() {
    rules.put(
        GivenRules.role(
            "",
            "r",
            "[{'apiGroups':['batch'],'resources':['jobs'],'resourceNames':['x'],'verbs':['*']}]"));
    rules.put(GivenRules.binding("", "b", "ClusterRole/r", "User/jane"));
    User jane = User.of("jane");
    assertThat(of(jane, "get", "batch", "jobs", "ci", "x").allowed()).isTrue();
    assertThat(of(jane, "get", "batch", "jobs", "ci", "y").allowed()).isFalse();
    assertThat(of(jane, "list", "batch", "jobs", "ci", "").allowed()).isFalse();
  }

  @Test
  void changesOfRolesAndBindingsHoldAtOnceAndNothingIsReadWithoutOne() {
    User jane = User.of("jane");
    var role =
        GivenRules.role(
            "ci", "r", "[{'apiGroups':['batch'],'resources':['jobs'],'verbs':['get']}]");
    assertThat(get(jane).allowed()).isFalse();
    rules.put(GivenRules.binding("ci", "b", "Role/r", "User/jane"));
    assertThat(get(jane).allowed()).isFalse();
    rules.put(role);
    assertThat(get(jane).allowed()).isTrue();
    int listed = rules.listed;
    for (int i = 0; i < 10; i++) {
      get(jane);
    }
    assertThat(rules.listed).isEqualTo(listed);
    rules.remove(role);
    assertThat(get(jane).allowed()).isFalse();
  }

  /** Others have large roles, and write them all day. */
  @Test
  void onlyWhatWasWrittenIsReadAgain() {
    rules.put(GivenRules.role("ci", "r", "[]"));
    rules.put(GivenRules.binding("ci", "b", "Role/r", "User/jane"));
    get(User.of("jane"));
    rules.read.clear();
    rules.put(GivenRules.role("ci", "r", READ_JOBS));
    assertThat(get(User.of("jane")).allowed()).isTrue();
    rules.remove(GivenRules.binding("ci", "b", "Role/r", "User/jane"));
    assertThat(get(User.of("jane")).allowed()).isFalse();
    rules.put(GivenRules.binding("ci", "b2", "Role/r", "User/jane"));
    assertThat(get(User.of("jane")).allowed()).isTrue();
    assertThat(rules.read).containsExactly("r", "b2");
  }

  /** A namespace that its users fill, and change all day, costs only them. */
  @Test
  void requestsReadNothingAfterAChangeOfAnotherNamespace() {
    rules.put(GivenRules.role("ci", "r", READ_JOBS));
    rules.put(GivenRules.binding("ci", "b", "Role/r", "User/jane"));
    assertThat(get(User.of("jane")).allowed()).isTrue();
    int listed = rules.listed;
    rules.put(GivenRules.binding("large", "b", "ClusterRole/view", "User/joe"));
    assertThat(get(User.of("jane")).allowed()).isTrue();
    assertThat(rules.listed).isEqualTo(listed);
    assertThat(of(User.of("joe"), "get", "batch", "jobs", "large", "x").allowed()).isTrue();
  }

  @Test
  void oneRequestReadsAChangeForAllThatComeMeanwhile() throws Exception {
    int requests = 10;
    CountDownLatch asked = new CountDownLatch(requests);
    AtomicInteger listed = new AtomicInteger();
    AtomicBoolean slow = new AtomicBoolean();
    RbacSource source =
        new RbacSource() {
          @Override
          public long revision(String namespace) {
            if (slow.get() && namespace.equals("ci")) {
              asked.countDown();
            }
            return rules.revision(namespace);
          }

          @Override
          public Stream<Stored> list(Kind kind, String namespace) {
            if (slow.get()) {
              listed.incrementAndGet();
              uninterrupted(asked);
            }
            return rules.list(kind, namespace);
          }

          @Override
          public Set<String> namespaces() {
            return rules.namespaces();
          }
        };
    Authorizer concurrent = new Authorizer(source);
    concurrent.of(request(User.of("jane"), "get", "batch", "jobs", "ci", "x"));
    rules.put(GivenRules.role("ci", "r", READ_JOBS));
    rules.put(GivenRules.binding("ci", "b", "Role/r", "User/jane"));
    slow.set(true);
    RequestAttributes request = request(User.of("jane"), "get", "batch", "jobs", "ci", "x");
    try (ExecutorService threads = Executors.newFixedThreadPool(requests)) {
      List<Callable<Boolean>> calls =
          Collections.nCopies(requests, () -> concurrent.of(request).allowed());
      for (Future<Boolean> allowed : threads.invokeAll(calls)) {
        assertThat(allowed.get()).isTrue();
      }
    }
    assertThat(listed).hasValue(2);
  }

  private static void uninterrupted(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException stopped) {
      throw new IllegalStateException(stopped);
    }
  }

  @Test
  void rolesThatAggregateEachOtherInACircleEndWithWhatAllHave() {
    String selecting =
        "'aggregationRule':{'clusterRoleSelectors':[{'matchExpressions':[{'key':'%s','operator':'Exists'}]}]}";
    rules.put(labelled("one", "to-two", selecting.formatted("to-one")));
    rules.put(labelled("two", "to-one", selecting.formatted("to-two")));
    rules.put(
        labelled(
            "leaf",
            "to-two",
            "'rules':[{'apiGroups':['batch'],'resources':['jobs'],'verbs':['get']}]"));
    rules.put(GivenRules.binding("ci", "b", "ClusterRole/one", "User/jane"));
    assertThat(get(User.of("jane")).allowed()).isTrue();
    assertThat(of(User.of("jane"), "list", "batch", "jobs", "ci", "").allowed()).isFalse();
  }

  @Test
  void refusalsAreInKubernetesWords() {
    RequestAttributes request = request(User.of("jane"), "get", "batch", "jobs/status", "ci", "x");
    assertThat(request.forbidden())
        .hasMessage(
            "jobs.batch \"x\" is forbidden: User \"jane\" cannot get resource \"jobs/status\" in"
                + " API group \"batch\" in the namespace \"ci\"");
    assertThat(request(User.of("jane"), "list", "", "nodes", "", "").forbidden())
        .hasMessage(
            "nodes is forbidden: User \"jane\" cannot list resource \"nodes\" in API group \"\" at"
                + " the cluster scope");
    assertThat(RequestAttributes.ofPath(User.ANONYMOUS, "get", "/").forbidden())
        .hasMessage("forbidden: User \"system:anonymous\" cannot get path \"/\"");
  }

  private static KubeObject labelled(String name, String label, String members) {
    var tree = GivenRules.object("", "Role", name, members).copy();
    tree.withObjectProperty("metadata").withObjectProperty("labels").put(label, "");
    return KubeObject.of(tree);
  }

  private AccessDecision get(User user) {
    return of(user, "get", "batch", "jobs", "ci", "x");
  }

  private AccessDecision of(
      User user, String verb, String group, String resource, String namespace, String name) {
    return authorizer.of(request(user, verb, group, resource, namespace, name));
  }

  private static RequestAttributes request(
      User user, String verb, String group, String resource, String namespace, String name) {
    String[] parts = resource.split("/");
    String sub = parts.length > 1 ? parts[1] : "";
    return new RequestAttributes(user, verb, group, "v1", parts[0], sub, namespace, name, null);
  }

  @ParameterizedTest(name = "to {0}: {1} may: {2}")
  @CsvSource({
    "view, view, true",
    "view, edit, true",
    "view, admin, true",
    "edit, view, false",
    "edit, edit, true",
    "edit, admin, true",
    "admin, view, false",
    "admin, edit, false",
    "admin, admin, true"
  })
  void rulesForACustomGroupAreAddedToTheRolesThatTheirLabelNames(
      String label, String role, boolean allowed) {
    rules.put(adding(label));
    rules.put(GivenRules.binding("ci", "b", "ClusterRole/" + role, "User/jane"));
    assertThat(listsCrontabs()).isEqualTo(allowed);
    assertThat(of(User.of("jane"), "list", "other.example.com", "crontabs", "ci", "").allowed())
        .isFalse();
  }

  @ParameterizedTest(name = "from {0}, by {1}")
  @CsvSource({
    "view, deletion",
    "edit, deletion",
    "admin, deletion",
    "view, another label",
    "edit, another label",
    "admin, another label"
  })
  void rulesThatWereAddedAreTakenAwayAgain(String role, String by) {
    KubeObject added = adding(role);
    rules.put(added);
    rules.put(GivenRules.binding("ci", "b", "ClusterRole/" + role, "User/jane"));
    assertThat(listsCrontabs()).isTrue();
    if (by.equals("deletion")) {
      rules.remove(added);
    } else {
      rules.put(adding("nobody"));
    }
    assertThat(listsCrontabs()).isFalse();
    assertThat(get(User.of("jane")).allowed()).as("what the role has itself").isTrue();
  }

  private boolean listsCrontabs() {
    return of(User.of("jane"), "list", CRONTABS, "crontabs", "ci", "").allowed();
  }

  /** Returns the ClusterRole with the rules for crontabs, for the role that the label names. */
  private static KubeObject adding(String role) {
    var tree =
        GivenRules.object(
                "",
                "Role",
                "crontabs",
                "'rules':[{'apiGroups':['" + CRONTABS + "'],'resources':['*'],'verbs':['list']}]")
            .copy();
    tree.withObjectProperty("metadata")
        .withObjectProperty("labels")
        .put("rbac.authorization.k8s.io/aggregate-to-" + role, "true");
    return KubeObject.of(tree);
  }
}
