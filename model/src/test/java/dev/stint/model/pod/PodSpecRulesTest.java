package dev.stint.model.pod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

/** Rules of a pod's own fields and its parts; a row without a fault is accepted. */
class PodSpecRulesTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "hostname: Bad_Name | spec.hostname Invalid",
        "subdomain: a.b | spec.subdomain Invalid",
        "nodeName: Bad Name | spec.nodeName Invalid",
        "serviceAccountName: a.b |",
        "priorityClassName: Bad Name | spec.priorityClassName Invalid",
        "priorityClassName: '' |",
        "runtimeClassName: gvisor |",
        "runtimeClassName: '' | spec.runtimeClassName Invalid",
        "activeDeadlineSeconds: 1 |",
        "activeDeadlineSeconds: 0 | spec.activeDeadlineSeconds Invalid",
        "activeDeadlineSeconds: 2147483648 | spec.activeDeadlineSeconds Invalid",
        "nodeSelector: {bad key: v} | spec.nodeSelector Invalid",
        "readinessGates: [{conditionType: x.io/y}] |",
        "readinessGates: [{conditionType: bad type}] | spec.readinessGates[0].conditionType"
            + " Invalid",
        "schedulingGates: [{name: bad gate}] | spec.schedulingGates[0] Invalid",
        "schedulingGates: [{name: a}, {name: a}] | spec.schedulingGates[1] Duplicate",
        "os: {name: plan9} | spec.os NotSupported",
        "hostAliases: [{ip: nope}] | spec.hostAliases[0].ip Invalid",
        "overhead: {nope: 1} | spec.overhead.limits[nope] Invalid",
        "preemptionPolicy: Nope | spec.preemptionPolicy NotSupported",
        "dnsPolicy: Nope | spec.dnsPolicy NotSupported",
        "dnsPolicy: None | spec.dnsConfig Required",
        "dnsConfig: {nameservers: [nope]} | spec.dnsConfig.nameservers[0] Invalid",
        "securityContext: {supplementalGroups: [-1]} | spec.securityContext.supplementalGroups[0]"
            + " Invalid",
        "securityContext: {sysctls: [{name: bad sysctl}]} | spec.securityContext.sysctls[0].name"
            + " Invalid"
      })
  void ownFields(String line, String fault) {
    check(line, fault);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "tolerations: [{operator: Exists}] |",
        "tolerations: [{key: a, value: v}] |",
        "tolerations: [{key: a, operator: Exists, value: v}] | spec.tolerations[0].operator"
            + " Invalid",
        "tolerations: [{key: a, operator: Nope}] | spec.tolerations[0].operator NotSupported",
        "tolerations: [{key: a, effect: Nope}] | spec.tolerations[0].effect NotSupported",
        "tolerations: [{key: a, tolerationSeconds: 5}] | spec.tolerations[0].effect Invalid",
        "topologySpreadConstraints: [{maxSkew: 1, topologyKey: z, whenUnsatisfiable:"
            + " DoNotSchedule}] |",
        "topologySpreadConstraints: [{maxSkew: 0, topologyKey: z, whenUnsatisfiable:"
            + " DoNotSchedule}] | spec.topologySpreadConstraints[0].maxSkew Invalid",
        "topologySpreadConstraints: [{maxSkew: 1, topologyKey: z, whenUnsatisfiable: Nope}] |"
            + " spec.topologySpreadConstraints[0].whenUnsatisfiable NotSupported",
        "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {}}} |"
            + " spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms"
            + " Required",
        "affinity: {podAntiAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 0,"
            + " podAffinityTerm: {topologyKey: h}}]}} |"
            + " spec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight"
            + " Invalid"
      })
  void scheduling(String line, String fault) {
    check(line, fault);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "volumes: [{name: v}] |",
        "volumes: [{emptyDir: {}}] | spec.volumes[0].name Required",
        "volumes: [{name: V}] | spec.volumes[0].name Invalid",
        "volumes: [{name: v}, {name: v}] | spec.volumes[1].name Duplicate",
        "volumes: [{name: v, emptyDir: {}, hostPath: {path: /}}] | spec.volumes[0].hostPath"
            + " Forbidden",
        "volumes: [{name: v, hostPath: {}}] | spec.volumes[0].hostPath.path Required",
        "volumes: [{name: v, hostPath: {path: /a/../b}}] | spec.volumes[0].hostPath.path Invalid",
        "volumes: [{name: v, hostPath: {path: /a, type: Nope}}] | spec.volumes[0].hostPath.type"
            + " NotSupported",
        "volumes: [{name: v, secret: {}}] | spec.volumes[0].secret.secretName Required",
        "volumes: [{name: v, secret: {secretName: s, defaultMode: 512}}] |"
            + " spec.volumes[0].secret.defaultMode Invalid",
        "volumes: [{name: v, configMap: {name: c, items: [{key: k, path: ../x}]}}] |"
            + " spec.volumes[0].configMap.items[0].path Invalid",
        "volumes: [{name: v, emptyDir: {sizeLimit: -1}}] | spec.volumes[0].emptyDir.sizeLimit"
            + " Forbidden",
        "volumes: [{name: v, persistentVolumeClaim: {}}] |"
            + " spec.volumes[0].persistentVolumeClaim.claimName Required",
        "volumes: [{name: v, projected: {sources: [{configMap: {name: c}}]}}] |",
        "volumes: [{name: v, projected: {sources: [{}]}}] |",
        "volumes: [{name: v, projected: {sources: [{serviceAccountToken: {path: t,"
            + " expirationSeconds: 5}}]}}] |"
            + " spec.volumes[0].projected.sources[0].serviceAccountToken.expirationSeconds Invalid",
        "volumes: [{name: v, downwardAPI: {items: [{path: p, fieldRef: {fieldPath:"
            + " metadata.labels}}]}}] |",
        "volumes: [{name: v, downwardAPI: {items: [{path: p, fieldRef: {fieldPath:"
            + " spec.nodeName}}]}}] |"
            + " spec.volumes[0].downwardAPI.fieldRef.fieldPath NotSupported"
      })
  void volumes(String line, String fault) {
    check(line, fault);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "initContainers: [{name: i, image: x}] |",
        "initContainers: [{name: main, image: x}] | spec.initContainers[0].name Duplicate",
        "initContainers: [{name: i}] | spec.initContainers[0].image Required",
        "initContainers: [{name: i, image: x, restartPolicy: Nope}] |"
            + " spec.initContainers[0].restartPolicy NotSupported",
        "initContainers: [{name: i, image: x, livenessProbe: {exec: {command: [a]}}}] |"
            + " spec.initContainers[0].livenessProbe Forbidden",
        "initContainers: [{name: i, image: x, restartPolicy: Always, livenessProbe: {exec:"
            + " {command: [a]}}}] |"
      })
  void initContainers(String line, String fault) {
    check(line, fault);
  }

  @Test
  void aPodNeedsAContainer() {
    ObjectNode pod = PodTemplates.read("restartPolicy: Never");
    assertThat(PodValidation.create(pod))
        .extracting(fault -> fault.path() + " " + fault.type().cause())
        .containsExactly("spec.containers FieldValueRequired");
  }

  @Test
  void aTemplateHasNoEphemeralContainersAndSoundLabels() {
    ObjectNode template =
        Json.parse(
            """
            {"metadata": {"labels": {"bad key": ""}, "annotations": {"bad key": ""}},
             "spec": {"containers": [{"name": "a", "image": "x"}],
                      "ephemeralContainers": [{"name": "e", "image": "x"}]}}
            """);
    PodDefaults.applyToSpec((ObjectNode) template.get("spec"));
    ObjectNode holder = Json.object();
    holder.set("template", template);
    FieldErrors faults = new FieldErrors();
    PodValidation.template(FieldPath.root(holder).get("template"), faults);
    assertThat(faults.list())
        .extracting(fault -> fault.path() + " " + fault.type().cause())
        .containsExactly(
            "template.labels FieldValueInvalid",
            "template.annotations FieldValueInvalid",
            "template.spec.ephemeralContainers FieldValueForbidden");
  }

  private static void check(String line, String fault) {
    assertThat(PodTemplates.spec(line)).isEqualTo(fault == null ? List.of() : List.of(fault));
  }
}
