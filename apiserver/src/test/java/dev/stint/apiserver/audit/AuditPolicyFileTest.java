package dev.stint.apiserver.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.apiserver.access.RequestAttributes;
import dev.stint.apiserver.access.User;
import dev.stint.apiserver.audit.AuditPolicyFile.InvalidPolicyException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AuditPolicyFileTest {
  private static final String HEAD = "apiVersion: audit.k8s.io/v1\nkind: Policy\n";

  @Test
  void thePolicyOfKubernetesDocumentationIsRead() {
    AuditPolicy policy =
        AuditPolicyFile.parse(
            """
            apiVersion: audit.k8s.io/v1 # This is required.
            kind: Policy
            metadata: {name: mine}
            omitStages:
              - "RequestReceived"
            rules:
              - level: RequestResponse
                resources:
                - group: ""
                  resources: ["pods"]
              - level: None
                users: ["system:kube-proxy"]
                verbs: ["watch"]
                resources:
                - group: "" # core API group
                  resources: ["endpoints", "services"]
              - level: None
                userGroups: ["system:authenticated"]
                nonResourceURLs:
                - "/api*" # Wildcard matching.
                - "/version"
              - level: Metadata
                omitStages:
                  - "RequestReceived"
            """);
    RequestAttributes pods =
        new RequestAttributes(User.of("a"), "get", "", "v1", "pods", "", "ns", "p", null);
    assertThat(policy.decide(pods).level()).isEqualTo(AuditLevel.REQUEST_RESPONSE);
    RequestAttributes api =
        RequestAttributes.ofPath(User.of("a", User.AUTHENTICATED), "get", "/apis");
    assertThat(policy.decide(api).level()).isEqualTo(AuditLevel.NONE);
  }

  @Test
  void thePolicyOfOurDocumentationIsRead() throws Exception {
    String page = Files.readString(Path.of("../docs/operations.md"));
    int begin = page.indexOf("# file: audit-policy.yaml");
    AuditPolicy policy = AuditPolicyFile.parse(page.substring(begin, page.indexOf("```", begin)));
    RequestAttributes secret =
        new RequestAttributes(User.of("a"), "create", "", "v1", "secrets", "", "ns", "s", null);
    assertThat(policy.decide(secret).level()).isEqualTo(AuditLevel.METADATA);
    RequestAttributes health = RequestAttributes.ofPath(User.of("a"), "get", "/readyz/store");
    assertThat(policy.decide(health).level()).isEqualTo(AuditLevel.NONE);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''                                  | rules: at least one rule is required",
        "rules: []                           | rules: at least one rule is required",
        "rules: {}                           | rules: must be a list",
        "rules: [a]                          | rules[0]: must be an object",
        "rules: [{}]                         | rules[0].level: is required",
        "rules: [{level: metadata}]          | rules[0].level: unknown: metadata",
        "rules: [{level: None, verb: [get]}] | rules[0].verb: unknown field",
        "rule: []                            | rule: unknown field",
        "rules: [{level: None, verbs: get}]  | rules[0].verbs: must be a list",
        "rules: [{level: None, verbs: [1]}]  | rules[0].verbs: must hold strings",
        "rules: [{level: None, omitStages: [Done]}] | rules[0].omitStages: unknown: Done",
        "rules: [{level: None, omitManagedFields: 1}] | rules[0].omitManagedFields: must be true or false",
        "rules: [{level: None, nonResourceURLs: [a]}] | must begin with a '/' character: a",
        "rules: [{level: None, nonResourceURLs: ['/a*b']}] | a '*' must be the final character",
        "rules: [{level: None, nonResourceURLs: [/a], namespaces: [b]}] | rules cannot apply to both",
        "rules: [{level: None, resources: [{group: Core}]}] | rules[0].resources[0].group: is not the name",
        "rules: [{level: None, resources: [{resourceNames: [a]}]}] | requires at least one resource",
        "rules: [{level: None, level: None}] | is given twice",
        "rules: [                            | body",
      })
  void aFaultIsReportedWithItsPath(String text, String fault) {
    assertThatThrownBy(() -> AuditPolicyFile.parse(HEAD + text))
        .isInstanceOf(InvalidPolicyException.class)
        .hasMessageContaining(fault);
  }

  @Test
  void anotherVersionOrKindIsRefused() {
    assertThatThrownBy(
            () -> AuditPolicyFile.parse("apiVersion: audit.k8s.io/v1beta1\nrules: [{level: None}]"))
        .hasMessageContaining("apiVersion: must be audit.k8s.io/v1, found audit.k8s.io/v1beta1")
        .hasMessageContaining("kind: must be Policy");
  }
}
