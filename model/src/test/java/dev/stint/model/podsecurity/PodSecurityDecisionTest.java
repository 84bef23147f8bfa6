package dev.stint.model.podsecurity;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Pods are refused, users warned and violations noted, unless an exemption applies. */
class PodSecurityDecisionTest {
  private static final LevelVersion BASELINE =
      new LevelVersion(PodSecurityLevel.BASELINE, PolicyVersion.LATEST);
  private static final LevelVersion RESTRICTED =
      new LevelVersion(PodSecurityLevel.RESTRICTED, PolicyVersion.LATEST);
  private static final NamespacePolicy POLICY =
      new NamespacePolicy(BASELINE, RESTRICTED, RESTRICTED);
  private static final CheckedPod SHARING =
      PodTexts.pod("{'hostPID':true,'runtimeClassName':'vm'}");
  private static final CheckedPod PLAIN =
      PodTexts.pod("{'containers':[{'name':'a'}],'securityContext':{'runAsNonRoot':true}}");
  private static final String SHARES =
      "PodSecurity \"baseline:latest\": host namespaces (hostPID=true)";
  private static final String UNRESTRICTED =
      "would violate PodSecurity \"restricted:latest\": allowPrivilegeEscalation != false (container"
          + " \"a\" must set securityContext.allowPrivilegeEscalation=false), unrestricted"
          + " capabilities (container \"a\" must set securityContext.capabilities.drop=[\"ALL\"]),"
          + " seccompProfile (pod or container \"a\" must set securityContext.seccompProfile.type to"
          + " \"RuntimeDefault\" or \"Localhost\")";

  @Test
  void aPodThatViolatesTheEnforcedLevelIsRefusedWithoutAWarning() {
    PodSecurityDecision decision = ofPod(SHARING, PodSecuritySettings.LABELS_ONLY);
    assertThat(decision.refusal()).isEqualTo("violates " + SHARES);
    assertThat(decision.warnings()).isEmpty();
    assertThat(decision.annotations())
        .containsEntry("pod-security.kubernetes.io/enforce-policy", "baseline:latest")
        .containsKey("pod-security.kubernetes.io/audit-violations");
  }

  @Test
  void aPodThatViolatesAnotherLevelIsAllowedWithAWarningAndANote() {
    PodSecurityDecision decision = ofPod(PLAIN, PodSecuritySettings.LABELS_ONLY);
    assertThat(decision.refusal()).isEmpty();
    assertThat(decision.warnings()).containsExactly(UNRESTRICTED);
    assertThat(decision.annotations())
        .containsEntry("pod-security.kubernetes.io/audit-violations", UNRESTRICTED);
  }

  @Test
  void aTemplateIsNeverRefused() {
    PodSecurityDecision decision =
        PodSecurityDecision.ofTemplate(
            new PodSecurityDecision.Request("me", "ns", SHARING),
            new NamespacePolicy(BASELINE, LevelVersion.PRIVILEGED, BASELINE),
            PodSecuritySettings.LABELS_ONLY);
    assertThat(decision.refusal()).isEmpty();
    assertThat(decision.warnings()).containsExactly("would violate " + SHARES);
    assertThat(decision.annotations()).isEmpty();
  }

  @Test
  void exemptRequestsAreNotChecked() {
    assertThat(exemption(Set.of("me"), Set.of(), Set.of())).isEqualTo("user");
    assertThat(exemption(Set.of(), Set.of("vm"), Set.of())).isEqualTo("runtimeClass");
    assertThat(exemption(Set.of("me"), Set.of("vm"), Set.of("ns"))).isEqualTo("namespace");
    assertThat(exemption(Set.of("you"), Set.of("other"), Set.of("other"))).isNull();
  }

  private static @Nullable String exemption(
      Set<String> users, Set<String> classes, Set<String> namespaces) {
    PodSecurityDecision decision =
        ofPod(
            SHARING,
            new PodSecuritySettings(NamespacePolicy.PRIVILEGED, users, classes, namespaces));
    return decision.annotations().get("pod-security.kubernetes.io/exempt");
  }

  private static PodSecurityDecision ofPod(CheckedPod pod, PodSecuritySettings settings) {
    return PodSecurityDecision.ofPod(
        new PodSecurityDecision.Request("me", "ns", pod), POLICY, settings);
  }
}
