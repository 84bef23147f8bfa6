package dev.stint.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiserver.access.User;
import dev.stint.apiserver.http.HttpApi.Answer;
import dev.stint.harness.JobBuilder;
import dev.stint.harness.PodBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rights that each request needs: with all of them it passes, without any one it doesn't. */
class RbacVerbsTest {
  private static final HttpApi API = new HttpApi();
  private static final User JANE = User.of("jane", User.AUTHENTICATED);
  private static final String RBAC = "/apis/rbac.authorization.k8s.io/v1/";
  private static final String ROLES = RBAC + "namespaces/default/roles";
  private static final String EVERYTHING = "*:* *";
  private static final String APPLY = "application/apply-patch+yaml";
  private static final String MERGE = "application/merge-patch+json";

  @BeforeAll
  static void objects() {
    API.post(HttpApi.PODS, PodBuilder.named("p"));
    API.post(HttpApi.JOBS, JobBuilder.named("j"));
    API.post(HttpApi.CONFIG_MAPS, HttpApi.configMap("c", "{}"));
    API.post(
        "/api/v1/namespaces", "{'apiVersion':'v1','kind':'Namespace','metadata':{'name':'n'}}");
    API.post("/api/v1/namespaces/default/serviceaccounts", account("bot"));
    API.post(RBAC + "clusterroles", role("powers", "[" + rule("nodes delete") + "]"));
    API.post(RBAC + "clusterroles", role("team", "[]"));
    API.post(ROLES, body("NROLE").replace("delete", "get"));
  }

  @AfterAll
  static void close() {
    API.close();
  }

  @ParameterizedTest(name = "{0} {1} needs {4}")
  @CsvSource(
      delimiter = '|',
      value = {
        // The verb of each method, on collections and on objects
        "GET    | PODS               | '' | '' | pods list",
        "GET    | PODS?watch=1       | '' | '' | pods watch",
        "GET    | PODS/p             | '' | '' | pods get",
        "HEAD   | PODS/p             | '' | '' | pods get",
        "POST   | CMS?dryRun=All     | '' | CM | configmaps create",
        "PUT    | CMS/c              | '' | CM | configmaps update",
        "PATCH  | CMS/c              | MERGE | {} | configmaps patch",
        "DELETE | CMS/none           | '' | '' | configmaps delete",
        "DELETE | CMS?labelSelector=no%3Done | '' | '' | configmaps deletecollection",
        // A request that creates needs "create", whatever its method
        "PATCH  | CMS/new?fieldManager=m&dryRun=All | APPLY | CM-new | configmaps patch; configmaps create",
        "PUT    | /apis/coordination.k8s.io/v1/namespaces/default/leases/new?dryRun=All | '' | LEASE | coordination.k8s.io:leases update; coordination.k8s.io:leases create",
        // Subresources
        "GET    | PODS/p/log         | '' | '' | pods/log get",
        "GET    | PODS/p/status      | '' | '' | pods/status get",
        "PATCH  | PODS/p/status      | MERGE | {} | pods/status patch",
        "PATCH  | JOBS/j/status      | MERGE | {} | batch:jobs/status patch",
        "PUT    | JOBS/j/status      | '' | {} | batch:jobs/status update",
        "POST   | PODS/p/eviction    | '' | EVICTION | pods/eviction create",
        "POST   | PODS/p/binding     | '' | BINDING | pods/binding create",
        "POST   | /api/v1/namespaces/default/bindings | '' | BINDING | bindings create",
        "POST   | PODS/p/exec?command=ls   | '' | '' | pods/exec create",
        "GET    | PODS/p/exec?command=ls   | '' | '' | pods/exec get; pods/exec create",
        "POST   | PODS/p/attach      | '' | '' | pods/attach create",
        "GET    | PODS/p/attach      | '' | '' | pods/attach get; pods/attach create",
        "GET    | PODS/p/portforward | '' | '' | pods/portforward get",
        "POST   | PODS/p/portforward | '' | '' | pods/portforward create",
        "POST   | /api/v1/namespaces/default/serviceaccounts/bot/token | '' | {} | serviceaccounts/token create",
        "PUT    | /api/v1/namespaces/n/finalize | '' | NS | namespaces/finalize update",
        "GET    | /api/v1/namespaces/n | '' | '' | namespaces get",
        "GET    | JOBS/j/status      | '' | '' | batch:jobs/status get",
        "PATCH  | /api/v1/namespaces/n/status | MERGE | {} | namespaces/status patch",
        "PATCH  | JOBS/j/status?fieldManager=m&dryRun=All | APPLY | JOB-j | batch:jobs/status patch",
        "DELETE | JOBS?labelSelector=no%3Done | '' | '' | batch:jobs deletecollection",
        "GET    | /api/v1/pods       | '' | '' | pods list",
        "DELETE | PODS/none          | '' | '' | pods delete",
        // Reviews
        "POST   | /apis/authorization.k8s.io/v1/selfsubjectaccessreviews | '' | {} | authorization.k8s.io:selfsubjectaccessreviews create",
        "POST   | /apis/authorization.k8s.io/v1/subjectaccessreviews | '' | {} | authorization.k8s.io:subjectaccessreviews create",
        "POST   | /apis/authorization.k8s.io/v1/selfsubjectrulesreviews | '' | {'spec':{'namespace':'default'}} | authorization.k8s.io:selfsubjectrulesreviews create",
        "POST   | /apis/authorization.k8s.io/v1/namespaces/default/localsubjectaccessreviews | '' | {} | authorization.k8s.io:localsubjectaccessreviews create",
        "POST   | /apis/authentication.k8s.io/v1/selfsubjectreviews | '' | {} | authentication.k8s.io:selfsubjectreviews create",
        "POST   | /apis/authentication.k8s.io/v1/tokenreviews | '' | {} | authentication.k8s.io:tokenreviews create",
        // Other paths
        "GET    | /version           | '' | '' | /version get",
        "GET    | /metrics           | '' | '' | /metrics get",
        "GET    | /apis/batch        | '' | '' | /apis/* get",
        "POST   | /version           | '' | '' | /version post",
        // Roles and bindings: the rules that they grant, or the verbs that stand for those
        "POST   | RBAC/clusterroles?dryRun=All | '' | ROLE-x | rbac.authorization.k8s.io:clusterroles create; rbac.authorization.k8s.io:clusterroles escalate",
        "POST   | RBAC/clusterroles?dryRun=All | '' | ROLE-x | rbac.authorization.k8s.io:clusterroles create; nodes delete",
        "PATCH  | RBAC/clusterroles/powers?dryRun=All | MERGE | LABEL | rbac.authorization.k8s.io:clusterroles patch; nodes delete",
        "PATCH  | RBAC/clusterroles/powers?dryRun=All | MERGE | LABEL | rbac.authorization.k8s.io:clusterroles patch; rbac.authorization.k8s.io:clusterroles escalate powers",
        "PATCH  | RBAC/clusterroles/team?dryRun=All | MERGE | AGGREGATION | rbac.authorization.k8s.io:clusterroles patch; *:* *; /* *",
        "PUT    | RBAC/clusterroles/powers?dryRun=All | '' | ROLE-labelled | rbac.authorization.k8s.io:clusterroles update; nodes delete",
        "PATCH  | RBAC/clusterroles/powers?fieldManager=m&dryRun=All | APPLY | ROLE-labelled | rbac.authorization.k8s.io:clusterroles patch; nodes delete",
        "PATCH  | RBAC/clusterroles/fresh?fieldManager=m&dryRun=All | APPLY | ROLE-fresh | rbac.authorization.k8s.io:clusterroles patch; rbac.authorization.k8s.io:clusterroles create; nodes delete",
        "POST   | RBAC/clusterrolebindings?dryRun=All | '' | BIND | rbac.authorization.k8s.io:clusterrolebindings create; rbac.authorization.k8s.io:clusterroles bind powers",
        "POST   | RBAC/clusterrolebindings?dryRun=All | '' | BIND | rbac.authorization.k8s.io:clusterrolebindings create; nodes delete",
        "POST   | ROLES?dryRun=All   | '' | NROLE | rbac.authorization.k8s.io:roles create; rbac.authorization.k8s.io:roles escalate",
        "POST   | ROLES?dryRun=All   | '' | NROLE | rbac.authorization.k8s.io:roles create; nodes delete",
        "PUT    | ROLES/granted?dryRun=All | '' | NROLE | rbac.authorization.k8s.io:roles update; rbac.authorization.k8s.io:roles escalate granted",
        "POST   | BINDINGS?dryRun=All | '' | BIND | rbac.authorization.k8s.io:rolebindings create; rbac.authorization.k8s.io:clusterroles bind powers",
        "POST   | BINDINGS?dryRun=All | '' | BIND-granted | rbac.authorization.k8s.io:rolebindings create; rbac.authorization.k8s.io:roles bind granted",
        "POST   | BINDINGS?dryRun=All | '' | BIND-granted | rbac.authorization.k8s.io:rolebindings create; nodes get",
      })
  void aRequestNeedsEachOfItsRights(
      String method, String path, String type, String body, String rights) {
    List<String> all = List.of(rights.split("; "));
    assertThat(answer(all, method, path, type, body)).as("with " + all).isNotEqualTo(403);
    for (String one : all) {
      List<String> fewer = new ArrayList<>(all);
      fewer.remove(one);
      if (!fewer.contains(EVERYTHING)) { // which includes escalate
        assertThat(answer(fewer, method, path, type, body)).as("without " + one).isEqualTo(403);
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "pods delete            | DELETE | PODS",
        "pods *                 | POST   | PODS/p/eviction",
        "pods *                 | GET    | PODS/p/log",
        "pods *                 | POST   | PODS/p/exec?command=ls",
        "batch:jobs *           | PATCH  | JOBS/j/status",
        "serviceaccounts *      | POST   | /api/v1/namespaces/default/serviceaccounts/bot/token",
        "pods get other         | GET    | PODS/p",
        "batch:pods get         | GET    | PODS/p",
        "/version get           | GET    | /version/x",
        "pods use               | GET    | PODS/p",
      })
  void aRightDoesNotReachFurther(String right, String method, String path) {
    assertThat(answer(List.of(right), method, path, "MERGE", "{}")).isEqualTo(403);
  }

  @Test
  void viewCannotBecomeMoreByALabel() {
    grant(
        List.of(
            "rbac.authorization.k8s.io:clusterroles update",
            "rbac.authorization.k8s.io:clusterroles patch",
            "rbac.authorization.k8s.io:clusterroles create",
            "rbac.authorization.k8s.io:clusterroles get"));
    String aggregating =
        "{'apiVersion':'rbac.authorization.k8s.io/v1','kind':'ClusterRole','metadata':{'name':'v'},"
            + "'aggregationRule':{'clusterRoleSelectors':[{'matchLabels':{'to-v':'true'}}]}}";
    API.post(RBAC + "clusterroles", aggregating);
    String label = "{'metadata':{'labels':{'to-v':'true'}}}";
    Map<String, String> merge = Map.of("Content-Type", MERGE);
    Answer refused = API.callAs(JANE, "PATCH", RBAC + "clusterroles/powers", label, merge);
    assertThat(refused.code()).isEqualTo(403);
    assertThat(refused.at("/message"))
        .contains("is attempting to grant RBAC permissions not currently held");
    assertThat(API.callAs(JANE, "PATCH", RBAC + "clusterroles/v", label, merge).code())
        .isEqualTo(403);
    assertThat(API.callAs(JANE, "DELETE", RBAC + "clusterroles/v?dryRun=All", "", Map.of()).code())
        .isEqualTo(403);
    API.delete(RBAC + "clusterroles/v", "");
  }

  @Test
  void aDeletedRoleTakesAwayWhatItAddedToAnother() {
    grant(List.of());
    API.post(
        RBAC + "clusterroles",
        role("janes-too", "[]")
            .replace(
                "'rules'",
                "'aggregationRule':{'clusterRoleSelectors':[{'matchLabels':{'x':'y'}}]},'rules'"));
    String binding = body("BIND").replace("powers", "janes-too").replace("'b'", "'janes-too'");
    API.post(RBAC + "clusterrolebindings", binding);
    API.post(
        RBAC + "clusterroles",
        role("adding", "[" + rule("configmaps lend") + "]").replace("{}", "{'x':'y'}"));
    assertThat(mayLendConfigMaps()).isTrue();
    API.delete(RBAC + "clusterroles/adding", "");
    assertThat(mayLendConfigMaps()).isFalse();
  }

  private static boolean mayLendConfigMaps() {
    String question =
        "{'apiVersion':'authorization.k8s.io/v1','kind':'SubjectAccessReview','spec':{'user':'jane',"
            + "'resourceAttributes':{'namespace':'default','resource':'configmaps','verb':'lend'}}}";
    return API.post("/apis/authorization.k8s.io/v1/subjectaccessreviews", question)
        .tree()
        .at("/status/allowed")
        .booleanValue();
  }

  /** Verbs that only reviews ask for here, since their kinds are not served. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "policy:podsecuritypolicies use psp | policy | podsecuritypolicies | use | psp",
        "certificates.k8s.io:signers approve example.org/* | certificates.k8s.io | signers | approve | example.org/*",
        "certificates.k8s.io:signers sign example.org/s | certificates.k8s.io | signers | sign | example.org/s",
        "certificates.k8s.io:certificatesigningrequests/approval update | certificates.k8s.io | certificatesigningrequests/approval | update | ''",
        "batch:jobs/finalizers update | batch | jobs/finalizers | update | ''",
        "users impersonate bob | '' | users | impersonate | bob",
        "authentication.k8s.io:userextras/scope impersonate a | authentication.k8s.io | userextras/scope | impersonate | a",
      })
  void reviewsKnowEveryVerb(String right, String group, String resource, String verb, String name) {
    String[] parts = resource.split("/");
    String question =
        "{'apiVersion':'authorization.k8s.io/v1','kind':'SubjectAccessReview','spec':{'user':'jane',"
            + "'resourceAttributes':{'group':'%s','resource':'%s','subresource':'%s','verb':'%s','name':'%s'}}}"
                .formatted(group, parts[0], parts.length > 1 ? parts[1] : "", verb, name);
    String path = "/apis/authorization.k8s.io/v1/subjectaccessreviews";
    grant(List.of());
    assertThat(API.post(path, question).tree().at("/status/allowed").booleanValue()).isFalse();
    grant(List.of(right));
    assertThat(API.post(path, question).tree().at("/status/allowed").booleanValue()).isTrue();
  }

  private static int answer(
      List<String> rights, String method, String path, String type, String body) {
    grant(rights);
    Map<String, String> headers =
        switch (type) {
          case "MERGE" -> Map.of("Content-Type", MERGE);
          case "APPLY" -> Map.of("Content-Type", APPLY);
          default -> Map.of("Content-Type", "application/json");
        };
    return API.callAs(JANE, method, target(path), body(body), headers).code();
  }

  private static String target(String path) {
    return path.replaceFirst("^PODS", HttpApi.PODS)
        .replaceFirst("^JOBS", HttpApi.JOBS)
        .replaceFirst("^CMS", HttpApi.CONFIG_MAPS)
        .replaceFirst("^ROLES", ROLES)
        .replaceFirst("^BINDINGS", RBAC + "namespaces/default/rolebindings")
        .replaceFirst("^RBAC/", RBAC);
  }

  private static String body(String name) {
    String[] parts = name.split("-");
    return switch (parts[0]) {
      case "CM" -> HttpApi.configMap(parts.length > 1 ? parts[1] : "c", "{}");
      case "LEASE" ->
          "{'apiVersion':'coordination.k8s.io/v1','kind':'Lease','metadata':{'name':'new'}}";
      case "EVICTION" ->
          "{'apiVersion':'policy/v1','kind':'Eviction','metadata':{'name':'p'},"
              + "'deleteOptions':{'dryRun':['All']}}";
      case "BINDING" -> "{'metadata':{'name':'none'},'target':{'name':'n1'}}";
      case "NS" -> "{'metadata':{'name':'n'},'spec':{'finalizers':['kubernetes']}}";
      case "ROLE" -> role(parts[1], "[" + rule("nodes delete") + "]");
      case "NROLE" ->
          body("ROLE-granted")
              .replace("'kind':'ClusterRole'", "'kind':'Role'")
              .replace("'metadata':{", "'metadata':{'namespace':'default',");
      case "JOB" -> "{'apiVersion':'batch/v1','kind':'Job','metadata':{'name':'j'}}";
      case "LABEL" -> "{'metadata':{'labels':{'a':'b'}}}";
      case "AGGREGATION" -> "{'aggregationRule':{'clusterRoleSelectors':[{}]}}";
      case "BIND" ->
          "{'metadata':{'name':'b'},'roleRef':{'apiGroup':'rbac.authorization.k8s.io',"
              + (parts.length > 1
                  ? "'kind':'Role','name':'granted'},"
                  : "'kind':'ClusterRole','name':'powers'},")
              + "'subjects':[{'kind':'User',"
              + "'apiGroup':'rbac.authorization.k8s.io','name':'jane'}]}";
      default -> name;
    };
  }

  private static String role(String name, String rules) {
    String labels = name.equals("labelled") ? "{'x':'y'}" : "{}";
    return "{'apiVersion':'rbac.authorization.k8s.io/v1','kind':'ClusterRole',"
        + "'metadata':{'name':'%s','labels':%s},'rules':%s}"
            .formatted(name.equals("labelled") ? "powers" : name, labels, rules);
  }

  private static String account(String name) {
    return "{'apiVersion':'v1','kind':'ServiceAccount','metadata':{'name':'" + name + "'}}";
  }

  /** Gives jane these rights and no others, such as {@code batch:jobs/status patch j}. */
  private static void grant(List<String> rights) {
    String rules = String.join(",", rights.stream().map(RbacVerbsTest::rule).toList());
    API.delete(RBAC + "clusterroles/janes", "");
    API.delete(RBAC + "clusterrolebindings/janes", "");
    assertThat(API.post(RBAC + "clusterroles", role("janes", "[" + rules + "]")).code())
        .isEqualTo(201);
    String binding = body("BIND").replace("powers", "janes").replace("'b'", "'janes'");
    assertThat(API.post(RBAC + "clusterrolebindings", binding).code()).isEqualTo(201);
  }

  private static String rule(String right) {
    String[] words = right.split(" ");
    if (words[0].startsWith("/")) {
      return "{'nonResourceURLs':['%s'],'verbs':['%s']}".formatted(words[0], words[1]);
    }
    int colon = words[0].indexOf(':');
    String names = words.length > 2 ? ",'resourceNames':['" + words[2] + "']" : "";
    return "{'apiGroups':['%s'],'resources':['%s'],'verbs':['%s']%s}"
        .formatted(
            colon < 0 ? "" : words[0].substring(0, colon),
            words[0].substring(colon + 1),
            words[1],
            names);
  }
}
