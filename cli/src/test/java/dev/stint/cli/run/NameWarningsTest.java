package dev.stint.cli.run;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cli.Recorded;
import dev.stint.cli.plane.RuntimeKind;
import dev.stint.model.FeatureGates;
import dev.stint.model.document.Documents;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NameWarningsTest {
  private static final String NO_NAME =
      "x.yaml:11: warning: spec.template.spec.subdomain: Service \"peers\" selects these pods, but"
          + " its name is not found on this machine; ";

  private static String yaml(String service, String pod) {
    return """
    apiVersion: v1
    kind: Service
    metadata: {name: peers}
    spec: {clusterIP: None%s}
    ---
    apiVersion: batch/v1
    kind: Job
    metadata: {name: ring}
    spec:
      template:
        spec:
          %s
          restartPolicy: Never
          containers: [{name: main, image: i, command: ["true"]}]
    """
        .formatted(service, pod);
  }

  private static List<String> warnings(RuntimeKind runtime, String service, String pod) {
    return new NameWarnings(runtime)
        .of(Documents.read("x.yaml", yaml(service, pod).getBytes(UTF_8)));
  }

  @Test
  void aServiceThatSelectsPodsWithoutItsNameIsNotFound() {
    String selecting = ", selector: {job-name: ring}";
    assertThat(warnings(RuntimeKind.process, selecting, "priority: 0"))
        .containsExactly(NO_NAME + "set subdomain: peers");
    assertThat(warnings(RuntimeKind.container, selecting, "priority: 0")).hasSize(1);
    assertThat(warnings(RuntimeKind.simulated, selecting, "priority: 0")).isEmpty();
    assertThat(warnings(RuntimeKind.process, selecting, "subdomain: peers")).isEmpty();
  }

  @Test
  void podsOfAnotherSubdomainHaveItsNames() {
    String leader = ", selector: {job-name: ring, batch.kubernetes.io/job-completion-index: '0'}";
    assertThat(warnings(RuntimeKind.process, leader, "subdomain: others"))
        .singleElement()
        .asString()
        .endsWith("use others, or ring-0.others for index 0");
  }

  @Test
  void aServiceOfOtherPodsIsNoMatterOfTheJob() {
    assertThat(warnings(RuntimeKind.process, "", "priority: 0")).isEmpty();
    assertThat(warnings(RuntimeKind.process, ", selector: {app: db}", "priority: 0")).isEmpty();
  }

  @Test
  void containersInTheNetworkOfTheMachineHaveNoNames() {
    String lines =
        """
        hostNetwork: true
              subdomain: peers
              hostAliases: [{ip: 10.0.0.1, hostnames: [a]}]\
        """;
    assertThat(warnings(RuntimeKind.container, "", lines))
        .containsExactly(
            "x.yaml:13: warning: spec.template.spec.subdomain: has no effect with hostNetwork in"
                + " containers; remove hostNetwork, or use localhost, since all pods share the"
                + " network of this machine",
            "x.yaml:14: warning: spec.template.spec.hostAliases: has no effect with hostNetwork in"
                + " containers; remove hostNetwork, or add the names to /etc/hosts of this machine");
    assertThat(warnings(RuntimeKind.process, "", lines)).isEmpty();
    assertThat(warnings(RuntimeKind.container, "", "subdomain: peers")).isEmpty();
  }

  @Test
  void runAndValidateWarn(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("x.yaml");
    Files.writeString(file, yaml(", selector: {job-name: ring}", "priority: 0"));
    Recorded run = Recorded.plain();
    new RequestReader(
            run.console(),
            FeatureGates.DEFAULT,
            _ -> List.of(),
            new NameWarnings(RuntimeKind.process)::of,
            false)
        .read(List.of(file.toString()));
    assertThat(run.errText()).contains("set subdomain: peers");
    Recorded validate = Recorded.plain();
    assertThat(validate.run("validate", "--for", "process", file.toString())).isZero();
    assertThat(validate.errText()).contains("set subdomain: peers");
    Recorded elsewhere = Recorded.plain();
    elsewhere.run("validate", "--for", "cluster", file.toString());
    assertThat(elsewhere.errText()).doesNotContain("subdomain");
  }
}
