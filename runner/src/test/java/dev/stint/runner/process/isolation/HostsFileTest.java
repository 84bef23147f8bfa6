package dev.stint.runner.process.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.harness.PodBuilder;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class HostsFileTest {
  private static final ObjectNode CONTAINER = Json.object().put("name", "main");

  private static KubeObject pod(String spec) {
    return PodBuilder.named("a").metadata("'namespace':'team'").spec(spec).build();
  }

  @Test
  void aPodWithoutNamesOfItsOwnNeedsNone() {
    assertThat(HostsFile.isNeeded(pod(""), CONTAINER)).isFalse();
    assertThat(HostsFile.isNeeded(pod("'hostAliases': [], 'hostname': 'x'"), CONTAINER)).isFalse();
  }

  @Test
  void namesComeBelowThoseOfTheMachine() {
    KubeObject pod =
        pod(
            "'subdomain': 'jobs', 'hostAliases': [{'ip': '192.0.2.1', 'hostnames': ['x', 'y']},"
                + " {'ip': '192.0.2.2'}]");
    assertThat(HostsFile.isNeeded(pod, CONTAINER)).isTrue();
    assertThat(HostsFile.lines(pod, List.of("127.0.0.1 localhost")))
        .containsExactly(
            "# Kubernetes-managed hosts file (host network).",
            "127.0.0.1 localhost",
            "127.0.0.1\ta.jobs.team.svc.cluster.local\ta",
            "",
            "# Entries added by HostAliases.",
            "192.0.2.1\tx\ty",
            "192.0.2.2");
  }

  @Test
  void aMountOverTheHostsFileReplacesIt() {
    ObjectNode container = CONTAINER.deepCopy();
    container.putArray("volumeMounts").addObject().put("mountPath", "/etc/hosts");
    assertThat(HostsFile.isNeeded(pod("'subdomain': 'jobs'"), container)).isFalse();
  }
}
