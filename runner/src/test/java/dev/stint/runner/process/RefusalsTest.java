package dev.stint.runner.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.field.FieldError;
import dev.stint.runner.FakeCluster;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class RefusalsTest {
  @Test
  void whatAProcessCanHaveIsNotRefused() {
    ObjectNode pod =
        Json.parse(
            """
            {"spec": {"restartPolicy": "Never", "securityContext": {}, "initContainers": [],
              "nodeName": "here", "dnsPolicy": "ClusterFirst", "volumes": [],
              "containers": [{"name": "a", "image": "busybox", "imagePullPolicy": "Always",
                "command": ["true"], "ports": [{"containerPort": 80}],
                "resources": {"requests": {"cpu": "1"}}, "stdin": false,
                "terminationMessagePath": "/dev/termination-log", "terminationMessagePolicy": "File",
                "env": [{"name": "A", "value": "1"}, {"name": "B", "valueFrom":
                  {"fieldRef": {"fieldPath": "metadata.annotations['x/y']"}}}]}]}}
            """);
    assertThat(ProcessRuntime.refusals(KubeObject.of(pod), "", ProcessOptions.NONE)).isEmpty();
  }

  @Test
  void whatItCannotHaveIsNamedByItsPath() {
    ObjectNode template =
        Json.parse(
            """
            {"spec": {"initContainers": [{"name": "i"}], "volumes": [{"name": "v", "nfs": {}}],
              "securityContext": {"sysctls": [{"name": "a"}]},
              "containers": [{"name": "a"}, {"name": "b",
                "securityContext": {"privileged": true}, "livenessProbe": {"periodSeconds": 1},
                "lifecycle": {"preStop": {}}, "envFrom": [{"secretRef": {"name": "s"}}], "tty": true,
                "env": [{"name": "A"},
                  {"name": "B", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}},
                  {"name": "C", "valueFrom": {"fieldRef": {"fieldPath": "spec.hostname"}}}]}]}}
            """);
    assertThat(paths(template, "spec.template"))
        .containsExactly(
            "spec.template.spec.initContainers",
            "spec.template.spec.securityContext.sysctls",
            "spec.template.spec.volumes[0].nfs",
            "spec.template.spec.containers[1].envFrom",
            "spec.template.spec.containers[1].lifecycle",
            "spec.template.spec.containers[1].livenessProbe",
            "spec.template.spec.containers[1].tty",
            "spec.template.spec.containers[1].env[1].valueFrom.secretKeyRef",
            "spec.template.spec.containers[1].env[2].valueFrom.fieldRef.fieldPath",
            "spec.template.spec.containers[1].securityContext.privileged");
  }

  @Test
  void aPodOfItsOwnHasPathsFromItsRoot() {
    ObjectNode pod = FakeCluster.newPod("a", "true");
    pod.withObjectProperty("spec").put("runtimeClassName", "kata");
    assertThat(paths(pod, "")).containsExactly("spec.runtimeClassName");
  }

  private static List<String> paths(ObjectNode tree, String prefix) {
    return ProcessRuntime.refusals(KubeObject.of(tree), prefix, ProcessOptions.NONE).stream()
        .map(FieldError::path)
        .toList();
  }
}
