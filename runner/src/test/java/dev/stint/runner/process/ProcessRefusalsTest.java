package dev.stint.runner.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.field.FieldError;
import dev.stint.runner.PodCluster;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class ProcessRefusalsTest {
  @Test
  void supportedFieldsAreNotRefused() {
    ObjectNode pod =
        Json.parse(
            """
            {"spec": {"restartPolicy": "Never", "securityContext": {}, "initContainers": [{"name": "s", "restartPolicy": "Always"}],
              "nodeName": "here", "dnsPolicy": "ClusterFirst", "volumes": [],
              "containers": [{"name": "a", "image": "busybox", "imagePullPolicy": "Always",
                "command": ["true"], "ports": [{"containerPort": 80}],
                "resources": {"requests": {"cpu": "1"}}, "stdin": false,
                "terminationMessagePath": "/dev/termination-log", "terminationMessagePolicy": "File",
                "livenessProbe": {"exec": {"command": ["true"]}},
                "readinessProbe": {"httpGet": {"port": 80}},
                "startupProbe": {"tcpSocket": {"port": 80}},
                "lifecycle": {"preStop": {"sleep": {"seconds": 1}}},
                "envFrom": [{"secretRef": {"name": "s"}}],
                "restartPolicy": "Never", "restartPolicyRules": [{"action": "Restart"}],
                "env": [{"name": "A", "value": "1"}, {"name": "B", "valueFrom":
                  {"fieldRef": {"fieldPath": "metadata.annotations['x/y']"}}},
                  {"name": "C", "valueFrom": {"resourceFieldRef": {"resource": "limits.cpu"}}},
                  {"name": "D", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}}]}]}}
            """);
    assertThat(ProcessRuntime.refusals(KubeObject.of(pod), "", ProcessOptions.NONE)).isEmpty();
  }

  @Test
  void unsupportedFieldsAreNamedByTheirPaths() {
    ObjectNode template =
        Json.parse(
            """
            {"spec": {"initContainers": [{"name": "i", "tty": true}],
              "securityContext": {"sysctls": [{"name": "a"}]},
              "volumes": [{"name": "v", "nfs": {}}, {"name": "w", "emptyDir": {"sizeLimit": "1Gi"}},
                {"name": "x", "hostPath": {"path": "/etc"}}, {"name": "y", "downwardAPI": {"items":
                  [{"path": "p", "resourceFieldRef": {"resource": "limits.ephemeral-storage"}}]}},
                {"name": "z", "projected": {"sources":
                  [{"secret": {}}, {"clusterTrustBundle": {"path": "p"}}]}}],
              "containers": [{"name": "a"}, {"name": "b",
                "securityContext": {"privileged": true}, "livenessProbe": {"grpc": {"port": 1}},
                "lifecycle": {"stopSignal": "SIGINT", "postStart": {"tcpSocket": {"port": 1}}},
                "restartPolicyRules": [{"action": "RestartAllContainers"}], "tty": true,
                "volumeMounts": [{"name": "v", "mountPropagation": "Bidirectional"}],
                "env": [{"name": "A"},
                  {"name": "B", "valueFrom": {"fileKeyRef": {"key": "k"}}},
                  {"name": "C", "valueFrom": {"fieldRef": {"fieldPath": "spec.hostname"}}},
                  {"name": "D", "valueFrom": {"resourceFieldRef": {"resource": "limits.gpu"}}}]}]}}
            """);
    assertThat(paths(template, "spec.template"))
        .containsExactly(
            "spec.template.spec.securityContext.sysctls",
            "spec.template.spec.volumes[0].nfs",
            "spec.template.spec.volumes[2].hostPath.path",
            "spec.template.spec.volumes[3].downwardAPI.items[0].resourceFieldRef.resource",
            "spec.template.spec.volumes[4].projected.sources[1].clusterTrustBundle",
            "spec.template.spec.initContainers[0].tty",
            "spec.template.spec.containers[1].tty",
            "spec.template.spec.containers[1].lifecycle.postStart.tcpSocket",
            "spec.template.spec.containers[1].restartPolicyRules[0].action",
            "spec.template.spec.containers[1].env[2].valueFrom.fieldRef.fieldPath",
            "spec.template.spec.containers[1].env[3].valueFrom.resourceFieldRef.resource",
            "spec.template.spec.containers[1].securityContext.privileged",
            "spec.template.spec.containers[1].volumeMounts[0].mountPropagation");
  }

  @Test
  void podLimitsAndHostPortMappingsAreRefused() {
    ObjectNode template =
        Json.parse(
            """
            {"spec": {"setHostnameAsFQDN": true, "readinessGates": [{"conditionType": "x"}],
              "resources": {"requests": {"cpu": "1"}, "limits": {"cpu": "1"}},
              "containers": [{"name": "a", "ports": [{"containerPort": 80, "hostPort": 80},
                {"containerPort": 80, "hostPort": 8080}]}]}}
            """);
    assertThat(paths(template, "spec.template"))
        .containsExactly(
            "spec.template.spec.resources.limits",
            "spec.template.spec.containers[0].ports[1].hostPort");
  }

  @Test
  void aPodOfItsOwnHasPathsFromItsRoot() {
    ObjectNode pod = PodCluster.newPod("a", "true");
    pod.withObjectProperty("spec").put("runtimeClassName", "kata");
    assertThat(paths(pod, "")).containsExactly("spec.runtimeClassName");
  }

  private static List<String> paths(ObjectNode tree, String prefix) {
    return ProcessRuntime.refusals(KubeObject.of(tree), prefix, ProcessOptions.NONE).stream()
        .map(FieldError::path)
        .toList();
  }
}
