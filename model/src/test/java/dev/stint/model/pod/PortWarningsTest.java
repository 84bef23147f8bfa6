package dev.stint.model.pod;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class PortWarningsTest {
  private static final String FIRST = "spec.containers[0].ports[0]";
  private static final String SECOND = "spec.containers[0].ports[1]";

  private static List<String> warnings(String one, String two) {
    return PodTemplates.containerWarnings("ports:", "- " + one, "- " + two);
  }

  @Test
  void twoPortsOfOneNumberAreDuplicatesOrOverlapOrAreAmbiguous() {
    assertThat(warnings("{containerPort: 80}", "{containerPort: 80}"))
        .containsExactly(SECOND + ": duplicate port definition with " + FIRST);
    assertThat(warnings("{containerPort: 80}", "{containerPort: 80, hostPort: 80}"))
        .containsExactly(SECOND + ": overlapping port definition with " + FIRST);
    assertThat(
            warnings(
                "{containerPort: 80, hostPort: 80}",
                "{containerPort: 80, hostPort: 80, hostIP: 10.0.0.1}"))
        .containsExactly(SECOND + ": dangerously ambiguous port definition with " + FIRST);
    assertThat(
            warnings(
                "{containerPort: 80, hostPort: 80, hostIP: 10.0.0.2}",
                "{containerPort: 80, hostPort: 80, hostIP: 10.0.0.1}"))
        .isEmpty();
    assertThat(warnings("{containerPort: 80, protocol: TCP}", "{containerPort: 80, protocol: UDP}"))
        .isEmpty();
  }

  @Test
  void anAddressOfTheHostNeedsAPortOfTheHost() {
    assertThat(
            warnings(
                "{name: a, containerPort: 80, protocol: TCP, hostIP: 10.0.0.1}",
                "{containerPort: 81}"))
        .containsExactly(
            FIRST
                + ": hostIP set without hostPort: {Name:a HostPort:0 ContainerPort:80 Protocol:TCP"
                + " HostIP:10.0.0.1}");
  }

  @Test
  void aNameMeansOnePort() {
    assertThat(
            PodTemplates.warnings(
                "initContainers:",
                "- {name: done, ports: [{name: http, containerPort: 1}]}",
                "- {name: lasts, restartPolicy: Always, ports: [{name: http, containerPort: 2}]}",
                "- {name: too, restartPolicy: Always, ports: [{name: http, containerPort: 3}]}"))
        .containsExactly(
            "spec.initContainers[2].ports[0]: duplicate port name \"http\" with"
                + " spec.initContainers[1].ports[0], services and probes that select ports by name"
                + " will use spec.initContainers[1].ports[0]");
  }

  @Test
  void portConflictsAreReportedInTheOrderOfThePorts() {
    assertThat(
            PodTemplates.containerWarnings(
                "ports:",
                "- {containerPort: 80, hostPort: 80}",
                "- {containerPort: 80}",
                "- {containerPort: 80, hostPort: 80, hostIP: 10.0.0.1}",
                "- {containerPort: 80, hostPort: 81}"))
        .containsExactly(
            SECOND + ": overlapping port definition with " + FIRST,
            "spec.containers[0].ports[2]: dangerously ambiguous port definition with " + FIRST,
            "spec.containers[0].ports[2]: overlapping port definition with " + SECOND,
            "spec.containers[0].ports[3]: overlapping port definition with " + SECOND);
  }

  @Test
  void noMorePortConflictsAreCollectedThanReported() {
    String[] lines = new String[20_001];
    Arrays.fill(lines, "- {containerPort: 80}");
    lines[0] = "ports:";
    assertThat(PodTemplates.containerWarnings(lines))
        .hasSize(4096)
        .startsWith(SECOND + ": duplicate port definition with " + FIRST);
  }
}
