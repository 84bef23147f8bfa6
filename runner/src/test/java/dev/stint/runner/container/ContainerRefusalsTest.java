package dev.stint.runner.container;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.field.FieldError;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class ContainerRefusalsTest {
  @Test
  void unsupportedFieldsAreRefusedWithTheirPaths() {
    assertThat(
            refused(
                """
                {"shareProcessNamespace": true, "hostUsers": false, "dnsConfig": {"searches": ["x"]},
                 "securityContext": {"sysctls": [{"name": "a", "value": "b"}],
                   "seccompProfile": {"type": "Localhost", "localhostProfile": "x"}},
                 "volumes": [{"name": "d", "emptyDir": {"sizeLimit": "1Gi"}},
                   {"name": "h", "hostPath": {"path": "/etc"}}, {"name": "n", "nfs": {"server": "s"}}],
                 "initContainers": [{"name": "i"}],
                 "containers": [{"name": "c", "image": "x", "tty": true,
                   "securityContext": {"privileged": true, "procMount": "Unmasked"},
                   "livenessProbe": {"grpc": {"port": 1}},
                   "volumeMounts": [{"name": "d", "mountPath": "/d", "mountPropagation": "Bidirectional"}]}]}
                """))
        .containsExactlyInAnyOrder(
            "spec.shareProcessNamespace",
            "spec.hostUsers",
            "spec.dnsConfig",
            "spec.securityContext.sysctls",
            "spec.securityContext.seccompProfile",
            "spec.volumes[1].hostPath.path",
            "spec.volumes[2].nfs",
            "spec.initContainers[0].image",
            "spec.containers[0].tty",
            "spec.containers[0].securityContext.privileged",
            "spec.containers[0].securityContext.procMount",
            "spec.containers[0].volumeMounts[0].mountPropagation");
  }

  @Test
  void portsOfTheMachineAreTheirsOnlyWithItsNetwork() {
    String pod = "{%s \"containers\": [{\"name\": \"c\", \"image\": \"x\", \"ports\": [%s]}]}";
    String port = "{\"containerPort\": 80, \"hostPort\": 80}";
    assertThat(refused(pod.formatted("", port)))
        .containsExactly("spec.containers[0].ports[0].hostPort");
    assertThat(refused(pod.formatted("\"hostNetwork\": true,", port))).isEmpty();
    assertThat(refused(pod.formatted("", "{\"containerPort\": 80}"))).isEmpty();
  }

  @Test
  void supportedFieldsAreNotRefused() {
    assertThat(
            refused(
                """
                {"hostNetwork": true, "hostPID": true, "hostAliases": [{"ip": "1.2.3.4"}],
                 "imagePullSecrets": [{"name": "s"}],
                 "securityContext": {"runAsUser": 5, "seccompProfile": {"type": "RuntimeDefault"}},
                 "volumes": [{"name": "h", "hostPath": {"path": "/srv/x"}}, {"name": "e", "emptyDir": {}}],
                 "containers": [{"name": "c", "image": "x",
                   "securityContext": {"capabilities": {"add": ["SYS_TIME"]}}}]}
                """))
        .isEmpty();
  }

  private static List<String> refused(String spec) {
    KubeObject pod = KubeObject.of(Json.parse("{\"spec\": " + spec + "}"));
    return ContainerRefusals.of(pod, "", new ContainerOptions(List.of(Path.of("/srv")))).stream()
        .map(FieldError::path)
        .toList();
  }
}
