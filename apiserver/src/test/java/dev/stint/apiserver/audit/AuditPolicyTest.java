package dev.stint.apiserver.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiserver.access.RequestAttributes;
import dev.stint.apiserver.access.User;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AuditPolicyTest {
  private static final User JANE = User.of("jane", "devs", User.AUTHENTICATED);

  @ParameterizedTest(name = "{0} matches {1}: {2}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{}                                        | get '' pods '' ns p     | true",
        "{users: [jane]}                           | get '' pods '' ns p     | true",
        "{users: [joe]}                            | get '' pods '' ns p     | false",
        "{userGroups: [ops, devs]}                 | get '' pods '' ns p     | true",
        "{userGroups: [ops]}                       | get '' pods '' ns p     | false",
        "{verbs: [get, list]}                      | get '' pods '' ns p     | true",
        "{verbs: [delete]}                         | get '' pods '' ns p     | false",
        "{verbs: ['*']}                            | get '' pods '' ns p     | false",
        "{namespaces: [ns]}                        | get '' pods '' ns p     | true",
        "{namespaces: [other]}                     | get '' pods '' ns p     | false",
        "{namespaces: ['']}                        | get '' nodes '' '' n    | true",
        "{namespaces: [ns]}                        | get /version            | false",
        "{resources: [{group: ''}]}                | get '' pods '' ns p     | true",
        "{resources: [{group: ''}]}                | get batch jobs '' ns j  | false",
        "{resources: [{group: batch}]}             | get batch jobs status ns j | true",
        "{resources: [{group: batch, resources: [jobs]}]} | get batch jobs '' ns j | true",
        "{resources: [{group: batch, resources: [jobs]}]} | get batch jobs status ns j | false",
        "{resources: [{group: batch, resources: [jobs/status]}]} | get batch jobs status ns j | true",
        "{resources: [{group: batch, resources: [jobs/status]}]} | get batch jobs '' ns j | false",
        "{resources: [{group: batch, resources: ['jobs/*']}]} | get batch jobs status ns j | true",
        "{resources: [{group: batch, resources: ['jobs/*']}]} | get batch jobs '' ns j | true",
        "{resources: [{group: batch, resources: ['jobs/*']}]} | get batch cronjobs '' ns j | false",
        "{resources: [{group: batch, resources: ['*/status']}]} | get batch cronjobs status ns j | true",
        "{resources: [{group: batch, resources: ['*/status']}]} | get batch cronjobs '' ns j | false",
        "{resources: [{group: batch, resources: ['*']}]} | get batch cronjobs status ns j | true",
        "{resources: [{group: '', resources: [pods], resourceNames: [p]}]} | get '' pods '' ns p | true",
        "{resources: [{group: '', resources: [pods], resourceNames: [q]}]} | get '' pods '' ns p | false",
        "{resources: [{group: batch}, {group: ''}]} | get '' pods '' ns p    | true",
        "{resources: [{group: ''}]}                | get /version            | false",
        "{namespaces: [other], resources: [{group: ''}]} | get '' pods '' ns p | false",
        "{nonResourceURLs: [/version]}             | get /version            | true",
        "{nonResourceURLs: [/version]}             | get /version/x          | false",
        "{nonResourceURLs: ['/healthz*']}          | get /healthz/store      | true",
        "{nonResourceURLs: ['*']}                  | get /anything           | true",
        "{nonResourceURLs: ['*']}                  | get '' pods '' ns p     | false",
        "{users: [jane], verbs: [delete]}          | get '' pods '' ns p     | false",
      })
  void aRuleMatchesIfAllOfItDoes(String rule, String request, boolean matches) {
    AuditPolicy policy =
        policy(
            "rules: ["
                + rule.replaceFirst("\\{(.)", "{level: Metadata, $1").replace(", }", "}")
                + "]");
    assertThat(policy.decide(request(JANE, request)).level())
        .isEqualTo(matches ? AuditLevel.METADATA : AuditLevel.NONE);
  }

  @Test
  void theFirstRuleThatMatchesDecides() {
    AuditPolicy policy =
        policy(
            "rules: [{level: None, users: [jane]}, {level: Request, verbs: [get]}, {level: RequestResponse}]");
    assertThat(policy.decide(request(JANE, "get /x")).level()).isEqualTo(AuditLevel.NONE);
    User joe = User.of("joe");
    assertThat(policy.decide(request(joe, "get /x")).level()).isEqualTo(AuditLevel.REQUEST);
    assertThat(policy.decide(request(joe, "post /x")).level())
        .isEqualTo(AuditLevel.REQUEST_RESPONSE);
  }

  @Test
  void aRuleForUsersDoesNotMatchNobody() {
    AuditPolicy policy =
        policy(
            "rules: [{level: None, users: ['']}, {level: None, userGroups: ['']}, {level: Metadata}]");
    assertThat(policy.decide(request(Auditor.NOBODY, "get /x")).level())
        .isEqualTo(AuditLevel.METADATA);
  }

  @Test
  void aRuleOmitsItsOwnStagesAndThoseOfThePolicy() {
    AuditPolicy policy =
        policy("omitStages: [RequestReceived]\nrules: [{level: Metadata, omitStages: [Panic]}]");
    AuditPolicy.RequestAuditConfig decision = policy.decide(request(JANE, "get /x"));
    assertThat(AuditStage.values())
        .filteredOn(decision::includes)
        .containsExactly(AuditStage.RESPONSE_STARTED, AuditStage.RESPONSE_COMPLETE);
  }

  @Test
  void aRuleDecidesOnManagedFieldsBeforeThePolicy() {
    AuditPolicy policy =
        policy(
            "omitManagedFields: true\n"
                + "rules: [{level: Request, verbs: [get], omitManagedFields: false}, {level: Request}]");
    assertThat(policy.decide(request(JANE, "get /x")).omitManagedFields()).isFalse();
    assertThat(policy.decide(request(JANE, "post /x")).omitManagedFields()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "get '' pods '' ns p, NONE",
    "list '' secrets '' ns '', NONE",
    "watch batch jobs '' ns '', NONE",
    "get /version, NONE",
    "get '' pods exec ns p, METADATA",
    "get '' pods log ns p, NONE",
    "create '' pods '' ns '', METADATA",
    "deletecollection batch jobs '' ns '', METADATA",
    "patch '' secrets '' ns s, METADATA",
    "post /console/api/session, METADATA",
  })
  void withoutAFileWritesAndSessionsAreRecorded(String request, AuditLevel level) {
    AuditPolicy.RequestAuditConfig decision = AuditPolicy.DEFAULT.decide(request(JANE, request));
    assertThat(decision.level()).isEqualTo(level);
    assertThat(decision.includes(AuditStage.REQUEST_RECEIVED)).isFalse();
  }

  private static AuditPolicy policy(String text) {
    return AuditPolicyFile.parse("apiVersion: audit.k8s.io/v1\nkind: Policy\n" + text);
  }

  /** Returns a request such as {@code get batch jobs status ns j} or {@code get /version}. */
  private static RequestAttributes request(User user, String text) {
    String[] words = text.replace("''", "").split(" ", -1);
    return words.length == 2
        ? RequestAttributes.ofPath(user, words[0], words[1])
        : new RequestAttributes(
            user, words[0], words[1], "v1", words[2], words[3], words[4], words[5], null);
  }
}
