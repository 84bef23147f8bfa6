package dev.stint.apiserver.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.apiserver.access.pki.EcKeys;
import dev.stint.cluster.ClusterException;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.ObjectRef;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Access reviews are answered, or refused with their faults. */
class AccessReviewsTest {
  private static final ObjectRef ACCOUNT = new ObjectRef(Kind.SERVICE_ACCOUNT, "ci", "builder");
  private static final String READ_JOBS =
      "'resourceAttributes':{'namespace':'ci','verb':'get','group':'batch','resource':'jobs'}";

  private final GivenRules rules = GivenRules.bootstrapped();
  private final Authorizer authorizer = new Authorizer(rules);
  private final Map<ObjectRef, String> objects = new HashMap<>();
  private final Instant now = Instant.parse("2026-11-21T12:00:00Z");
  private final User jane = User.of("jane").authenticated();
  private ServiceAccountTokens tokens;
  private TokenRequests requests;
  private AccessReviews reviews;

  @BeforeEach
  void makeReviews() throws Exception {
    tokens = new ServiceAccountTokens(EcKeys.generate(), objects::get, () -> now);
    requests = new TokenRequests(tokens, objects::get);
    reviews = new AccessReviews(new Authenticator("secret", tokens, () -> now), authorizer);
    objects.put(ACCOUNT, "uid-1");
    rules.put(GivenRules.binding("ci", "b", "ClusterRole/view", "User/jane"));
  }

  @Test
  void oneMayAskWhatOneMayDo() {
    ObjectNode answer = ask(AccessReviews.SELF_SUBJECT_ACCESS, "{" + READ_JOBS + "}");
    assertThat(answer.at("/status/allowed").booleanValue()).isTrue();
    assertThat(answer.at("/status/reason").stringValue())
        .isEqualTo(
            "RBAC: allowed by RoleBinding \"b/ci\" of ClusterRole \"view\" to User \"jane\"");
    assertThat(answer.at("/spec/resourceAttributes/verb").stringValue()).isEqualTo("get");
    assertThat(answer.at("/kind").stringValue()).isEqualTo("SelfSubjectAccessReview");
    ObjectNode other =
        ask(AccessReviews.SELF_SUBJECT_ACCESS, "{" + READ_JOBS.replace("get", "delete") + "}");
    assertThat(other.get("status")).hasToString("{\"allowed\":false}");
    ObjectNode path =
        ask(
            AccessReviews.SELF_SUBJECT_ACCESS,
            "{'nonResourceAttributes':{'path':'/api','verb':'get'}}");
    assertThat(path.at("/status/allowed").booleanValue()).isTrue();
  }

  @Test
  void aQuestionAsksOneThing() {
    refused(AccessReviews.SELF_SUBJECT_ACCESS, "{}", 422, "spec.resourceAttributes: Invalid value");
    refused(
        AccessReviews.SELF_SUBJECT_ACCESS,
        "{" + READ_JOBS + ",'nonResourceAttributes':{'path':'/'}}",
        422,
        "cannot be specified in combination with resourceAttributes");
    refused(AccessReviews.SUBJECT_ACCESS, "{" + READ_JOBS + "}", 422, "spec.user");
    refused(AccessReviews.SELF_SUBJECT_RULES, "{}", 400, "no namespace on request");
    refused(AccessReviews.TOKEN, "{}", 400, "token is required");
  }

  @Test
  void oneMayAskWhatOthersMayDo() {
    String groups = "{'user':'joe','groups':['ops'],'extra':{'a':['b']}," + READ_JOBS + "}";
    assertThat(ask(AccessReviews.SUBJECT_ACCESS, groups).at("/status/allowed").booleanValue())
        .isFalse();
    rules.put(GivenRules.binding("ci", "c", "ClusterRole/edit", "Group/ops"));
    assertThat(ask(AccessReviews.SUBJECT_ACCESS, groups).at("/status/allowed").booleanValue())
        .isTrue();
  }

  @Test
  void aLocalQuestionIsAboutItsNamespace() {
    String question = "{'user':'jane'," + READ_JOBS + "}";
    ObjectNode answer =
        reviews.answer(AccessReviews.LOCAL_SUBJECT_ACCESS, spec(question), User.of("root"), "ci");
    assertThat(answer.at("/status/allowed").booleanValue()).isTrue();
    assertThatThrownBy(
            () -> reviews.answer(AccessReviews.LOCAL_SUBJECT_ACCESS, spec(question), jane, "other"))
        .hasMessageContaining("spec.resourceAttributes.namespace");
    assertThatThrownBy(() ->
            reviews.answer(
                AccessReviews.LOCAL_SUBJECT_ACCESS,
                spec("{'user':'x','nonResourceAttributes':{'path':'/'}}"),
                jane,
                "ci"))
        .hasMessageContaining("spec.nonResourceAttributes");
  }

  @Test
  void oneMayAskForAllThatOneMayDo() {
    JsonNode status = ask(AccessReviews.SELF_SUBJECT_RULES, "{'namespace':'ci'}").get("status");
    assertThat(status.at("/incomplete").booleanValue()).isFalse();
    assertThat(status.get("resourceRules"))
        .anySatisfy(rule ->
            assertThat(rule)
                .hasToString(
                    "{\"apiGroups\":[\"batch\"],\"resources\":[\"cronjobs\",\"cronjobs/status\","
                        + "\"jobs\",\"jobs/status\"],\"verbs\":[\"get\",\"list\",\"watch\"]}"));
    assertThat(status.get("nonResourceRules"))
        .anySatisfy(
            rule -> assertThat(rule.at("/nonResourceURLs/0").stringValue()).startsWith("/"));
    JsonNode elsewhere = ask(AccessReviews.SELF_SUBJECT_RULES, "{'namespace':'x'}").get("status");
    assertThat(elsewhere.get("resourceRules").toString()).doesNotContain("batch");
  }

  @Test
  void oneMayAskWhoOneIs() {
    assertThat(ask(AccessReviews.SELF_SUBJECT, "{}").at("/status/userInfo"))
        .hasToString("{\"username\":\"jane\",\"groups\":[\"system:authenticated\"]}");
  }

  @Test
  void tokensAreToldFromOthers() {
    String good =
        tokens.issue("ci", "builder", "uid-1", List.of("v"), Duration.ofHours(1), null).text();
    JsonNode valid = ask(AccessReviews.TOKEN, "{'token':'" + good + "','audiences':['v','w']}");
    assertThat(valid.at("/status/authenticated").booleanValue()).isTrue();
    assertThat(valid.at("/status/user/username").stringValue())
        .isEqualTo("system:serviceaccount:ci:builder");
    assertThat(valid.at("/status/audiences")).hasToString("[\"v\"]");
    JsonNode wrong = ask(AccessReviews.TOKEN, "{'token':'" + good + "'}");
    assertThat(wrong.at("/status/authenticated").isMissingNode()).isTrue();
    assertThat(wrong.at("/status/error").stringValue()).contains("for another audience");
    assertThat(
            ask(AccessReviews.TOKEN, "{'token':'secret'}")
                .at("/status/user/username")
                .stringValue())
        .isEqualTo("stint-admin");
    assertThat(
            ask(AccessReviews.TOKEN, "{'token':'secret','audiences':['v']}")
                .at("/status/authenticated")
                .isMissingNode())
        .isTrue();
  }

  @Test
  void aTokenIsGivenOutForAnHourUnlessAskedOtherwise() {
    ObjectNode answer = requests.answer(ACCOUNT, spec("{}"));
    assertThat(answer.at("/spec/expirationSeconds").intValue()).isEqualTo(3600);
    assertThat(answer.at("/status/expirationTimestamp").stringValue())
        .isEqualTo("2026-11-21T13:00:00Z");
    assertThat(tokens.verify(answer.at("/status/token").stringValue(), List.of()))
        .isInstanceOf(ServiceAccountTokens.TokenCheck.Valid.class);
    assertThat(
            requests
                .answer(ACCOUNT, spec("{'expirationSeconds':600,'audiences':['v']}"))
                .at("/status/expirationTimestamp")
                .stringValue())
        .isEqualTo("2026-11-21T12:10:00Z");
  }

  @Test
  void faultyRequestsForTokensAreRefused() {
    ObjectRef none = new ObjectRef(Kind.SERVICE_ACCOUNT, "ci", "none");
    code(404, () -> requests.answer(none, spec("{}")));
    code(422, () -> requests.answer(ACCOUNT, spec("{'expirationSeconds':599}")));
    code(422, () -> requests.answer(ACCOUNT, spec("{'expirationSeconds':4294967297}")));
    code(400, () -> requests.answer(ACCOUNT, bound("ConfigMap", "p", "")));
    code(404, () -> requests.answer(ACCOUNT, bound("Pod", "p", "")));
    objects.put(new ObjectRef(Kind.POD, "ci", "p"), "uid-2");
    code(409, () -> requests.answer(ACCOUNT, bound("Pod", "p", "uid-3")));
    assertThat(requests.answer(ACCOUNT, bound("Pod", "p", "")).at("/status/token").isString())
        .isTrue();
  }

  private static ObjectNode bound(String kind, String name, String uid) {
    return spec(
        "{'boundObjectRef':{'apiVersion':'v1','kind':'%s','name':'%s','uid':'%s'}}"
            .formatted(kind, name, uid));
  }

  private ObjectNode ask(Kind kind, String spec) {
    return reviews.answer(kind, spec(spec), jane, "");
  }

  private void refused(Kind kind, String spec, int code, String message) {
    assertThatThrownBy(() -> ask(kind, spec))
        .isInstanceOfSatisfying(
            ClusterException.class, e -> assertThat(e.reason().code()).isEqualTo(code))
        .hasMessageContaining(message);
  }

  private static void code(int code, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            ClusterException.class, e -> assertThat(e.reason().code()).isEqualTo(code));
  }

  private static ObjectNode spec(String spec) {
    return Json.parse(("{'spec':" + spec + "}").replace('\'', '"'));
  }
}
