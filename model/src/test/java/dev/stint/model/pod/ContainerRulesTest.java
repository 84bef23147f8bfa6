package dev.stint.model.pod;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rules of containers and their parts; a row without a fault is accepted. */
class ContainerRulesTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "imagePullPolicy: Nope | imagePullPolicy NotSupported",
        "terminationMessagePolicy: Nope | terminationMessagePolicy NotSupported",
        "command: [] |",
        "workingDir: x |",
        "resizePolicy: [{resourceName: disk, restartPolicy: NotRequired}] |"
            + " resizePolicy NotSupported"
      })
  void ownFields(String line, String fault) {
    check(line, fault);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ports: [{containerPort: 80}] |",
        "ports: [{containerPort: 80, hostPort: 81}] |",
        "ports: [{containerPort: 0}] | ports[0].containerPort Required",
        "ports: [{containerPort: 65536}] | ports[0].containerPort Invalid",
        "ports: [{containerPort: 80, hostPort: -1}] | ports[0].hostPort Invalid",
        "ports: [{containerPort: 80, name: Bad_Name}] | ports[0].name Invalid",
        "ports: [{containerPort: 80, name: p}, {containerPort: 81, name: p}] | ports[1].name"
            + " Duplicate",
        "ports: [{containerPort: 80, protocol: ICMP}] | ports[0].protocol NotSupported",
        "ports: [{containerPort: 80, hostPort: 9}, {containerPort: 81, hostPort: 9}] |"
            + " ports[1].hostPort Duplicate"
      })
  void ports(String line, String fault) {
    check(line, fault);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "env: [{name: A, value: \"1\"}] |",
        "env: [{name: 1A}] |",
        "env: [{value: x}] | env[0].name Required",
        "env: [{name: A=B}] | env[0].name Invalid",
        "env: [{name: A, valueFrom: {}}] | env[0].valueFrom Invalid",
        "env: [{name: A, value: x, valueFrom: {fieldRef: {fieldPath: metadata.name}}}] |"
            + " env[0].valueFrom Invalid",
        "env: [{name: A, valueFrom: {fieldRef: {fieldPath: metadata.name}}}] |",
        "env: [{name: A, valueFrom: {fieldRef: {fieldPath: \"metadata.labels['x.io/y']\"}}}] |",
        "env: [{name: A, valueFrom: {fieldRef: {fieldPath: \"metadata.labels['a b']\"}}}] |"
            + " env[0].valueFrom.fieldRef Invalid",
        "env: [{name: A, valueFrom: {fieldRef: {fieldPath: spec.nope}}}] |"
            + " env[0].valueFrom.fieldRef.fieldPath Invalid",
        "env: [{name: A, valueFrom: {fieldRef: {fieldPath: status.phase}}}] |"
            + " env[0].valueFrom.fieldRef.fieldPath NotSupported",
        "env: [{name: A, valueFrom: {resourceFieldRef: {resource: limits.cpu}}}] |",
        "env: [{name: A, valueFrom: {resourceFieldRef: {resource: limits.nope}}}] |"
            + " env[0].valueFrom.resourceFieldRef.resource NotSupported",
        "env: [{name: A, valueFrom: {configMapKeyRef: {name: c}}}] |"
            + " env[0].valueFrom.configMapKeyRef.key Required",
        "env: [{name: A, valueFrom: {secretKeyRef: {name: c, key: \"..\"}}}] |"
            + " env[0].valueFrom.secretKeyRef.key Invalid",
        "env: [{name: A, valueFrom: {resourceFieldRef: {resource: limits.nope, divisor: 1u}}}] |"
            + " env[0].valueFrom.resourceFieldRef.resource NotSupported",
        "env: [{name: A, valueFrom: {fileKeyRef: {volumeName: v, path: /p, key: K}}}] |",
        "env: [{name: A, valueFrom: {fileKeyRef: {volumeName: x, path: p, key: K}}}] |"
            + " env[0].valueFrom.fileKeyRef.volumeName NotFound",
        "env: [{name: A, valueFrom: {fileKeyRef: {volumeName: v, path: ../p, key: K}}}] |"
            + " env[0].valueFrom.fileKeyRef.path Invalid",
        "envFrom: [{configMapRef: {name: c}}] |",
        "envFrom: [{secretRef: {name: s}, prefix: X_}] |",
        "envFrom: [{}] | envFrom Invalid",
        "envFrom: [{configMapRef: {name: c}, secretRef: {name: s}}] | envFrom Invalid"
      })
  void environment(String line, String fault) {
    check(line, fault);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "volumeMounts: [{name: v, mountPath: /x}] |",
        "volumeMounts: [{name: nope, mountPath: /x}] | volumeMounts[0].name NotFound",
        "volumeMounts: [{name: v}] | volumeMounts[0].mountPath Required",
        "volumeMounts: [{name: v, mountPath: /x, subPath: ../y}] | volumeMounts.subPath Invalid",
        "volumeMounts: [{name: v, mountPath: /x, subPath: /y}] | volumeMounts.subPath Invalid",
        "volumeMounts: [{name: v, mountPath: /x, subPathExpr: ../y}] | volumeMounts.subPathExpr"
            + " Invalid",
        "volumeMounts: [{name: v, mountPath: /x, subPath: a, subPathExpr: b}] |"
            + " volumeMounts[0].subPathExpr Invalid",
        "volumeMounts: [{name: v, mountPath: /x}, {name: v, mountPath: /x}] |"
            + " volumeMounts[1].mountPath Invalid",
        "volumeMounts: [{name: v, mountPath: /x, mountPropagation: Nope}] |"
            + " volumeMounts.mountPropagation NotSupported"
      })
  void mounts(String line, String fault) {
    check(line, fault);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "livenessProbe: {exec: {command: [x]}} |",
        "livenessProbe: {exec: {}} | livenessProbe.exec.command Required",
        "livenessProbe: {} | livenessProbe Required",
        "livenessProbe: {httpGet: {port: 80}} |",
        "livenessProbe: {httpGet: {port: 0}} | livenessProbe.httpGet.port Invalid",
        "livenessProbe: {httpGet: {port: 80, scheme: FTP}} | livenessProbe.httpGet.scheme"
            + " NotSupported",
        "livenessProbe: {tcpSocket: {port: http}} |",
        "livenessProbe: {grpc: {port: 70000}} | livenessProbe.grpc.port Invalid",
        "livenessProbe: {exec: {command: [x]}, periodSeconds: -1} | livenessProbe.periodSeconds"
            + " Invalid",
        "livenessProbe: {exec: {command: [x]}, successThreshold: 2} |"
            + " livenessProbe.successThreshold Invalid",
        "readinessProbe: {exec: {command: [x]}, successThreshold: 2} |",
        "readinessProbe: {exec: {command: [x]}, terminationGracePeriodSeconds: 2} |"
            + " readinessProbe.terminationGracePeriodSeconds Invalid",
        "startupProbe: {exec: {command: [x]}, tcpSocket: {port: 1}} | startupProbe.tcpSocket"
            + " Forbidden",
        "lifecycle: {preStop: {exec: {command: [x]}}} |",
        "lifecycle: {preStop: {}} | lifecycle.preStop Required",
        "lifecycle: {preStop: {sleep: {seconds: 30}}} |",
        "lifecycle: {preStop: {sleep: {seconds: 31}}} | lifecycle.preStop.sleep Invalid",
        "lifecycle: {preStop: {sleep: {seconds: -1}}} | lifecycle.preStop.sleep Invalid",
        "lifecycle: {stopSignal: SIGUSR1} | lifecycle.stopSignal Forbidden"
      })
  void probesAndHooks(String line, String fault) {
    check(line, fault);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "resources: {requests: {cpu: 1}} |",
        "resources: {requests: {cpu: 2}, limits: {cpu: 1}} | resources.requests Invalid",
        "resources: {requests: {cpu: -1}} | resources.requests[cpu] Invalid",
        "resources: {requests: {nope: 1}} | resources.requests[nope] Invalid",
        "resources: {requests: {x.io/gpu: 1}} | resources.limits Required",
        "resources: {requests: {x.io/gpu: 1}, limits: {x.io/gpu: 2}} | resources.requests Invalid",
        "resources: {requests: {x.io/gpu: 1}, limits: {x.io/gpu: 1}} |",
        "resources: {limits: {x.io/gpu: 1.5}} | resources.limits[x.io/gpu] Invalid",
        "resources: {limits: {hugepages-2Mi: 2Mi}} | resources Forbidden",
        "resources: {limits: {hugepages-2Mi: 2Mi, cpu: 1}} |"
      })
  void resources(String line, String fault) {
    check(line, fault);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "securityContext: {runAsUser: 1000} |",
        "securityContext: {runAsUser: -1} | securityContext.runAsUser Invalid",
        "securityContext: {runAsGroup: 2147483648} | securityContext.runAsGroup Invalid",
        "securityContext: {procMount: Nope} | securityContext.procMount NotSupported",
        "securityContext: {procMount: Unmasked} | securityContext.procMount Invalid",
        "securityContext: {privileged: true} |",
        "securityContext: {allowPrivilegeEscalation: false, capabilities: {add: [CAP_SYS_ADMIN]}} |"
            + " securityContext Invalid",
        "securityContext: {seccompProfile: {type: Localhost}} |"
            + " securityContext.seccompProfile.localhostProfile Required",
        "securityContext: {seccompProfile: {type: Nope}} | securityContext.seccompProfile.type"
            + " NotSupported"
      })
  void securityContext(String line, String fault) {
    check(line, fault);
  }

  @Test
  void allFaultsAreFoundAtOnce() {
    assertThat(
            PodTemplates.container(
                "imagePullPolicy: Nope", "ports: [{}]", "env: [{}]", "volumeMounts: [{}]"))
        .containsExactly(
            "env[0].name Required",
            "imagePullPolicy NotSupported",
            "ports[0].containerPort Required",
            "volumeMounts[0].mountPath Required",
            "volumeMounts[0].name NotFound",
            "volumeMounts[0].name Required");
  }

  private static void check(String line, String fault) {
    assertThat(PodTemplates.container(line)).isEqualTo(fault == null ? List.of() : List.of(fault));
  }
}
