package dev.stint.model.pod;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules between the parts of a pod; a row without a fault is accepted. */
class PodPartsRulesTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "securityContext: {seLinuxChangePolicy: Nope} | securityContext.seLinuxChangePolicy NotSupported",
        "securityContext: {appArmorProfile: {type: Localhost, localhostProfile: ' p'}} | securityContext.appArmorProfile.localhostProfile Invalid",
        "securityContext: {appArmorProfile: {type: Localhost, localhostProfile: ''}} | securityContext.appArmorProfile.localhostProfile Required",
        "securityContext: {seccompProfile: {type: Localhost, localhostProfile: ../p}} | securityContext.seccompProfile.localhostProfile Invalid",
        "securityContext: {seccompProfile: {type: Nope, localhostProfile: p}} | securityContext.seccompProfile.localhostProfile Invalid, securityContext.seccompProfile.type NotSupported",
        "securityContext: {windowsOptions: {runAsUserName: 'NT AUTHORITY\\SYSTEM'}}",
        "securityContext: {windowsOptions: {runAsUserName: ''}} | securityContext.windowsOptions.runAsUserName Invalid",
        "securityContext: {windowsOptions: {runAsUserName: 'a\\b\\c'}} | securityContext.windowsOptions.runAsUserName Invalid",
        "securityContext: {windowsOptions: {gmsaCredentialSpecName: Bad_, gmsaCredentialSpec: ''}} | securityContext.windowsOptions.gmsaCredentialSpec Invalid, securityContext.windowsOptions.gmsaCredentialSpecName Invalid",
        "securityContext: {sysctls: [{name: net.ipv4.x}]}\n  hostNetwork: true | securityContext.sysctls[0].name Invalid",
        "securityContext: {sysctls: [{name: kernel.shm_rmid_forced}]}\n  hostIPC: true | securityContext.sysctls[0].name Invalid"
      })
  void security(String row) {
    check(row, "spec.");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "hostUsers: false\n  hostPID: true | HostPID Forbidden",
        "hostUsers: false\n  hostNetwork: true | hostNetwork Forbidden",
        "os: {name: linux}\n  securityContext: {windowsOptions: {}} | securityContext.windowsOptions Forbidden",
        "os: {name: windows}\n  hostPID: true\n  securityContext: {runAsUser: 1, seccompProfile: {type: Unconfined}} | hostPID Forbidden, securityContext.runAsUser Forbidden, securityContext.seccompProfile Forbidden",
        "hostnameOverride: a\n  setHostnameAsFQDN: true | hostnameOverride Forbidden",
        "hostnameOverride: a.b",
        "os: {name: windows}\n  securityContext: {supplementalGroups: [], sysctls: []} | securityContext.supplementalGroups Forbidden",
        "resources: {claims: []} | resources.claims Forbidden",
        "preemptionPolicy: '' | preemptionPolicy Required"
      })
  void host(String row) {
    check(row, "spec.");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "resourceClaims: [{name: a, resourceClaimName: b}]",
        "resourceClaims: [{name: a}, {name: a, resourceClaimName: B}] | resourceClaims[0] Invalid, resourceClaims[1].name Duplicate, resourceClaims[1].resourceClaimName Invalid",
        "hostAliases: [{ip: 1.2.3.4, hostnames: [a, B_]}] | hostAliases[0].hostnames[1] Invalid",
        "dnsConfig: {searches: [., a_b.c., 'x y']} | dnsConfig.searches[2] Invalid",
        "dnsPolicy: None\n  dnsConfig: {searches: ['x y']} | dnsConfig.nameservers Required",
        "ephemeralContainers: [{name: main, image: a, ports: [{containerPort: 1}], targetContainerName: other}] | ephemeralContainers[0].name Duplicate, ephemeralContainers[0].ports Forbidden, ephemeralContainers[0].targetContainerName NotFound",
        "initContainers: [{name: a, image: b, resizePolicy: [{resourceName: cpu, restartPolicy: NotRequired}]}]",
        "ephemeralContainers: [{name: e, image: a, ports: [], resizePolicy: [], restartPolicyRules: [], env: []}] | ephemeralContainers[0].ports Forbidden, ephemeralContainers[0].resizePolicy Forbidden, ephemeralContainers[0].restartPolicyRules Forbidden",
        "ephemeralContainers: [{name: e, image: ' a'}] | ephemeralContainers[0].image Invalid",
        "dnsConfig: {searches: [_a.b, a_.b]} | dnsConfig.searches[1] Invalid",
        "hostUsers: false\n  volumes: [{name: v, persistentVolumeClaim: {claimName: c}}]\n  initContainers: [{name: a, image: b, volumeDevices: [{name: v, devicePath: /x}]}] | initContainers[0].volumeDevices Forbidden"
      })
  void names(String row) {
    check(row, "spec.");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "topologySpreadConstraints: [{maxSkew: 1, topologyKey: z, whenUnsatisfiable: DoNotSchedule, matchLabelKeys: [a]}] | topologySpreadConstraints[0].matchLabelKeys Forbidden",
        "topologySpreadConstraints: [{maxSkew: 1, topologyKey: z, whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {a: b}}, matchLabelKeys: [a, b c]}] | topologySpreadConstraints[0].matchLabelKeys[1] Invalid",
        "topologySpreadConstraints: [{maxSkew: 1, topologyKey: any thing, whenUnsatisfiable: DoNotSchedule}]",
        "affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: z, labelSelector: {matchLabels: {a: b}}, matchLabelKeys: [a]}]}}",
        "affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: z, labelSelector: {}, matchLabelKeys: [a], mismatchLabelKeys: [a]}]}} | affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].matchLabelKeys[0] Invalid",
        "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchFields: [{key: metadata.name, operator: Gt, values: [a]}]}]}}} | affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchFields[0].operator Invalid",
        "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: k, operator: In, values: ['a b']}]}]}}} | affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].values[0] Invalid",
        "affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, preference: {matchExpressions: [{key: k, operator: In, values: ['a b']}]}}]}}"
      })
  void scheduling(String row) {
    check(row, "spec.");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "overhead: {cpu: 1}",
        "overhead: {nope: 1} | overhead.limits[nope] Invalid",
        "resources: {requests: {ephemeral-storage: 1}} | resources.requests[ephemeral-storage] NotSupported",
        "resources: {requests: {cpu: 1}, limits: {cpu: 500m}} | resources.requests Invalid",
        "resources: {limits: {nope: 1}} | resources.limits[nope] Invalid",
        "resources: {claims: [{}]} | resources.claims Forbidden, resources.claims[0] Required",
        "resources: {requests: {cpu: 1}}\n  initContainers: [{name: i, image: b, resources: {requests: {cpu: 1500m}}}] | resources.requests[cpu] Invalid",
        "resources: {requests: {cpu: 2}}\n  initContainers: [{name: s, image: b, restartPolicy: Always, resources: {requests: {cpu: 1}}}, {name: i, image: b, resources: {requests: {cpu: 1500m}}}] | resources.requests[cpu] Invalid",
        "resources: {requests: {cpu: -1}}\n  os: {name: windows} | resources Forbidden"
      })
  void amounts(String row) {
    check(row, "spec.");
  }

  /** A row is a part of a pod, a bar, and the faults, whose paths are without the common prefix. */
  private static void check(String row, String start) {
    String[] parts = row.split(" \\| ", -1);
    List<String> faults = PodTemplates.spec(parts[0]);
    String expected = parts.length < 2 ? "" : parts[1];
    assertThat(
            String.join(
                ", ", faults.stream().map(f -> f.substring(start.length()).strip()).toList()))
        .isEqualTo(expected);
  }
}
