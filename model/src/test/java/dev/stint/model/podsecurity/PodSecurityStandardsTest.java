package dev.stint.model.podsecurity;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Levels have the checks of their version, in the order in which Kubernetes reports them. */
class PodSecurityStandardsTest {
  private static final CheckedPod BAD =
      PodTexts.pod(
          "{'container.apparmor.security.beta.kubernetes.io/a':'unconfined'}",
          """
          {'hostNetwork':true,
           'volumes':[{'name':'h','hostPath':{'path':'/'}}],
           'securityContext':{'sysctls':[{'name':'x','value':'1'}],'runAsUser':0,
             'seccompProfile':{'type':'Unconfined'},'windowsOptions':{'hostProcess':true}},
           'containers':[{'name':'a',
             'ports':[{'hostPort':80}],
             'livenessProbe':{'tcpSocket':{'host':'x'}},
             'securityContext':{'privileged':true,'procMount':'Unmasked',
               'capabilities':{'add':['NET_ADMIN']},'seLinuxOptions':{'user':'u'}}}]}
          """);

  @Test
  void everyPodMeetsThePrivilegedLevel() {
    assertThat(reasons("privileged", "latest")).isEmpty();
  }

  @Test
  void theBaselineLevelForbidsKnownEscalations() {
    assertThat(reasons("baseline", "latest"))
        .isEqualTo(
            "forbidden AppArmor profile, non-default capabilities, host namespaces, hostPath"
                + " volumes, hostPort, probe or lifecycle host, privileged, procMount,"
                + " seLinuxOptions, seccompProfile, forbidden sysctls, hostProcess");
  }

  @Test
  void theRestrictedLevelReplacesChecksByStricterOnes() {
    assertThat(reasons("restricted", "latest"))
        .isEqualTo(
            "forbidden AppArmor profile, host namespaces, hostPort, probe or lifecycle host,"
                + " privileged, seLinuxOptions, forbidden sysctls, hostProcess,"
                + " allowPrivilegeEscalation != false, unrestricted capabilities, procMount,"
                + " restricted volume types, runAsNonRoot != true, runAsUser=0, seccompProfile");
  }

  @Test
  void anEarlyVersionHasFewerChecksAndReplacesFewer() {
    assertThat(reasons("restricted", "v1.7"))
        .isEqualTo(
            "forbidden AppArmor profile, non-default capabilities, host namespaces, hostPort,"
                + " privileged, procMount, seLinuxOptions, forbidden sysctls, hostProcess,"
                + " restricted volume types, runAsNonRoot != true");
  }

  @Test
  void aVersionYetToComeHasTheChecksOfTheLatest() {
    assertThat(reasons("restricted", "v1.999")).isEqualTo(reasons("restricted", "latest"));
    assertThat(reasons("restricted", "v1.36")).isEqualTo(reasons("restricted", "latest"));
  }

  private static String reasons(String level, String version) {
    LevelVersion policy =
        new LevelVersion(
            PodSecurityLevel.valueOf(level.toUpperCase(Locale.ROOT)),
            Objects.requireNonNull(PolicyVersion.parse(version)));
    return PolicyViolation.reasons(PodSecurityStandards.violations(BAD, policy));
  }
}
