package dev.stint.cli.validate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cli.Recorded;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ValidateCommandTest {
  private static final String JOB =
      """
      apiVersion: batch/v1
      kind: Job
      metadata:
        name: pi
      spec:
        template:
          spec:
            restartPolicy: Never
            containers:
            - name: pi
              image: sh
              command: [sh, -c, "true"]
      """;

  private final Recorded recorded = Recorded.plain();
  @TempDir private Path directory;

  @Test
  void reportsEveryValidDocument() throws IOException {
    String file = file(JOB + "---\n" + JOB.replace("name: pi\nspec", "name: tau\nspec"));
    assertThat(recorded.run("validate", file)).isZero();
    assertThat(recorded.out()).containsExactly(file + ":1: Job pi: ok", file + ":14: Job tau: ok");
    assertThat(recorded.err()).isEmpty();
  }

  @Test
  void reportsAnnotationsThatTheControllerWouldIgnore() throws IOException {
    String annotated =
        JOB.replace(
            "  name: pi\n", "  name: pi\n  annotations:\n    stint.dev/pod-failure-backoff: 1s\n");
    String file = file(annotated);
    assertThat(recorded.run("validate", file)).isEqualTo(2);
    assertThat(recorded.err())
        .containsExactly(
            file
                + ":6: metadata.annotations[stint.dev/pod-failure-backoff]: needs a delay and a"
                + " maximum, such as \"1s, max 1m\"");
    assertThat(Recorded.plain().run("validate", file(annotated.replace(": 1s", ": 1s, max 1m"))))
        .isZero();
  }

  private static String after(String name, String jobs, String spec) {
    return JOB.replace(
            "  name: pi\n",
            "  name: %s\n  annotations:\n    stint.dev/after: %s\n".formatted(name, jobs))
        .replace("spec:\n  template", "spec:\n  suspend: true\n" + spec + "  template");
  }

  @Test
  void reportsJobsThatCouldNeverStart() throws IOException {
    String file =
        file(
            JOB.replace("name: pi\nspec", "name: extract\nspec")
                + "---\n"
                + after("load", "extract", "")
                + "---\n"
                + after("a", "b, extract", "")
                + "---\n"
                + after("b", "a=Finished", "")
                + "---\n"
                + after("c", "elsewhere", "")
                + "---\n"
                + after("d", "extract=index", "  completionMode: Indexed\n  completions: 2\n"));
    assertThat(recorded.run("validate", file)).isEqualTo(2);
    String annotation = ": metadata.annotations[stint.dev/after]: ";
    assertThat(recorded.err())
        .containsExactly(
            file + ":35" + annotation + "Jobs wait for each other: a after b after a",
            file
                + ":83"
                + annotation
                + "has =index for extract, which has no indexes; it needs completionMode Indexed",
            file
                + ":67"
                + annotation
                + "no Job \"elsewhere\" in these files; name the file that has it, too");
    assertThat(Recorded.plain().run("validate", file(after("load", "extract", "")))).isEqualTo(2);
  }

  @Test
  void warnsOfPredecessorsThatMayGoBeforeTheirEndIsSeen() throws IOException {
    String extract = JOB.replace("name: pi\nspec:", "name: extract\nspec:\n  %s: %d");
    String ttl = "ttlSecondsAfterFinished";
    String dependants =
        "---\n" + after("load", "extract", "") + "---\n" + after("check", "extract=Finished", "");
    String file = file(extract.formatted(ttl, 59) + dependants);
    assertThat(recorded.run("validate", file)).isZero();
    assertThat(recorded.err())
        .containsExactly(
            file
                + ":6: warning: spec.ttlSecondsAfterFinished: Jobs that start after this one (load,"
                + " check) wait for ever if it ends and is deleted while the controller that starts"
                + " them is away; give it 60 or more");
    for (String sound :
        List.of(extract.formatted(ttl, 60) + dependants, extract.formatted(ttl, 0))) {
      Recorded silent = Recorded.plain();
      assertThat(silent.run("validate", file(sound))).isZero();
      assertThat(silent.err()).isEmpty();
    }
  }

  @Test
  void predecessorsMayBeInOtherFiles() throws IOException {
    Path other = Files.writeString(directory.resolve("other.yaml"), JOB);
    String load = file(after("load", "pi", ""));
    assertThat(recorded.run("validate", load, other.toString())).isZero();
  }

  @Test
  void reportsWhatThisMachineWouldNotRunAsAProcess() throws IOException {
    String file =
        file(
            JOB.replace("      command: [sh, -c, \"true\"]\n", "      tty: true\n")
                + "---\n"
                + JOB.replace("spec:\n  template", "spec:\n  suspend: true\n  template"));
    assertThat(recorded.run("validate", file)).isZero();
    assertThat(recorded.run("validate", "--for", "process", file)).isEqualTo(2);
    assertThat(recorded.err())
        .anyMatch(line -> line.startsWith(file + ":10: spec.template.spec.containers[0].command"))
        .anyMatch(line -> line.startsWith(file + ":12: spec.template.spec.containers[0].tty"))
        .anyMatch(line -> line.contains("spec.suspend: must be false"))
        .anyMatch(line -> line.contains("pi is already used at " + file + ":1"));
    List<String> refused = recorded.err();
    Recorded run = Recorded.plain();
    assertThat(run.run("run", file, "--data", directory.resolve("data").toString())).isEqualTo(2);
    assertThat(run.err()).as("run says the same").isEqualTo(prefixed(refused));
  }

  private static List<String> prefixed(List<String> lines) {
    return lines.stream().map(line -> "stint: " + line).toList();
  }

  @Test
  void acceptsForContainersWhatAnImageProvides() throws IOException {
    String file = file(JOB.replace("      command: [sh, -c, \"true\"]\n", ""));
    assertThat(recorded.run("validate", "--for", "container", file)).isZero();
    assertThat(recorded.run("validate", "--for", "process", file)).isEqualTo(2);
  }

  @Test
  void reportsWhatAClusterWouldNotRun() throws IOException {
    String file =
        file(
            JOB.replace("image: sh", "image: Not An Image")
                    .replace("name: pi\nspec", "name: pi\n  resourceVersion: '5'\nspec")
                + """
                ---
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: UPPER}
                """);
    assertThat(recorded.run("validate", "--for", "cluster", file)).isEqualTo(2);
    assertThat(recorded.err())
        .hasSize(3)
        .anyMatch(line -> line.startsWith(file + ":5: metadata.resourceVersion: must not be set"))
        .anyMatch(line -> line.contains("containers[0].image: \"Not An Image\" is not the name"))
        .anyMatch(line -> line.startsWith(file + ":17: metadata.name: "));
    assertThat(recorded.out()).isEmpty();
  }

  private static final String SERVICE =
      """
      apiVersion: v1
      kind: Service
      metadata: {name: web}
      spec: {clusterIP: 10.0.0.1}
      """;

  private static final String CLAIM =
      """
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: {name: data}
      spec: {volumeMode: Block}
      """;

  @Test
  void saysWhatItDoesNotCheck() throws IOException {
    String file =
        file(
            SERVICE
                + "---\n"
                + CLAIM
                + """
                ---
                apiVersion: v1
                kind: ServiceAccount
                metadata: {name: robot}
                ---
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: input}
                """);
    assertThat(recorded.run("validate", file)).isZero();
    assertThat(recorded.out())
        .containsExactly(
            file + ":1: Service web: not checked",
            file + ":6: PersistentVolumeClaim data: not checked",
            file + ":11: ServiceAccount robot: fields ok, rules not checked",
            file + ":15: ConfigMap input: ok");
    assertThat(recorded.err()).isEmpty();
  }

  @Test
  void refusesServicesAndClaimsOnlyWhereTheyDoNotWork() throws IOException {
    String file = file(SERVICE + "---\n" + CLAIM);
    assertThat(recorded.run("validate", "--for", "cluster", file)).isZero();
    assertThat(recorded.run("validate", "--for", "process", file)).isEqualTo(2);
    assertThat(recorded.err())
        .hasSize(2)
        .anyMatch(line -> line.startsWith(file + ":4: spec.clusterIP: must be None; "))
        .anyMatch(line -> line.startsWith(file + ":9: spec.volumeMode: must be Filesystem; "));
  }

  @Test
  void requiresNamesAndReadsWhatItDoesNotCheck() throws IOException {
    String file =
        file(
            SERVICE.replace("{name: web}", "{}")
                + "---\n"
                + SERVICE.replace("{name: web}", "{name: web, name: wide}")
                + """
                ---
                apiVersion: v1
                kind: ServiceAccount
                metadata: {}
                ---
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: UPPER}
                """);
    assertThat(recorded.run("validate", file)).isEqualTo(2);
    assertThat(recorded.err())
        .hasSize(4)
        .anyMatch(line -> line.startsWith(file + ":3: metadata.name: name or generateName is"))
        .anyMatch(line -> line.startsWith(file + ":8: metadata.name: "))
        .anyMatch(line -> line.startsWith(file + ":13: metadata.name: name or generateName is"))
        .anyMatch(line -> line.startsWith(file + ":17: metadata.name: "));
    assertThat(recorded.out()).isEmpty();
  }

  @Test
  void namesTheDataThatAreTooLarge() throws IOException {
    String file =
        file(
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  k: "
                + "x".repeat(2 << 20));
    assertThat(recorded.run("validate", file)).isEqualTo(2);
    assertThat(recorded.err())
        .containsExactly(file + ":4: data: may have at most 1048576 bytes in total");
  }

  @Test
  void refusesATokenThatNothingIssues() throws IOException {
    String file =
        file(
            JOB
                + """
                volumes:
                - name: t
                  projected: {sources: [{serviceAccountToken: {path: token}}]}
                """
                    .indent(6));
    assertThat(recorded.run("validate", "--for", "cluster", file)).isZero();
    assertThat(recorded.run("validate", "--for", "process", file)).isEqualTo(2);
    assertThat(recorded.err())
        .singleElement()
        .asString()
        .contains("sources[0].serviceAccountToken: nothing here issues tokens")
        .endsWith("use stint up");
  }

  @Test
  void refusesAnotherTarget() {
    assertThat(recorded.run("validate", "--for", "moon", "-")).isEqualTo(2);
    assertThat(recorded.err()).first().asString().contains("--for").contains("process");
  }

  @Test
  void reportsFaultsOfACronJobAndItsJobTemplate() throws IOException {
    String template = JOB.substring(JOB.indexOf("spec:")).indent(4);
    String cronJob =
        """
        apiVersion: batch/v1
        kind: CronJob
        metadata: {name: nightly}
        spec:
          schedule: "30 2 * * *"
          jobTemplate:
        """;
    assertThat(recorded.run("validate", file(cronJob + template))).isZero();
    String faulty = template.replace("Never", "Always");
    String file = file(cronJob.replace("30 2", "30 24") + faulty);
    assertThat(recorded.run("validate", file)).isEqualTo(2);
    assertThat(recorded.err())
        .hasSize(2)
        .anyMatch(line -> line.startsWith(file + ":5: spec.schedule: hour \"24\""))
        .anyMatch(line -> line.contains(": spec.jobTemplate.spec.template.spec.restartPolicy: "));
  }

  @Test
  void clusterWarningsHaveALineAndAreNoFaults() throws IOException {
    String file =
        file(
            JOB.replace("name: pi\nspec", "name: p.i\nspec")
                + "env: [{name: A}, {name: A}]".indent(8));
    assertThat(recorded.run("validate", file)).isZero();
    assertThat(recorded.out()).containsExactly(file + ":1: Job p.i: ok");
    assertThat(recorded.err())
        .containsExactly(
            file
                + ":4: warning: metadata.name: this is used in Pod names and hostnames, which can"
                + " result in surprising behavior; a DNS label is recommended: [must not contain"
                + " dots]",
            file
                + ":13: warning: spec.template.spec.containers[0].env[1]: hides previous definition"
                + " of \"A\", which may be dropped when using apply");
  }

  @Test
  void readsStandardInput() {
    Recorded input = Recorded.withInput(JOB);
    assertThat(input.run("validate", "-")).isZero();
    assertThat(input.out()).containsExactly("standard input:1: Job pi: ok");
  }

  @Test
  void reportsEveryFaultWithItsLineAndField() throws IOException {
    String file =
        file(JOB.replace("  template:", "  paralelism: 2\n  completions: two\n  template:"));
    assertThat(recorded.run("validate", file)).isEqualTo(2);
    assertThat(recorded.err())
        .hasSize(2)
        .anyMatch(line -> line.startsWith(file + ":6: spec.paralelism: "))
        .anyMatch(line -> line.startsWith(file + ":7: spec.completions: "));
    assertThat(recorded.out()).isEmpty();
  }

  @Test
  void reportsUnknownFieldsAndBrokenRulesTogether() throws IOException {
    String file =
        file(JOB.replace("  template:", "  paralelism: 2\n  parallelism: -1\n  template:"));
    assertThat(recorded.run("validate", file)).isEqualTo(2);
    assertThat(recorded.err())
        .hasSize(2)
        .anyMatch(line -> line.startsWith(file + ":6: spec.paralelism: "))
        .anyMatch(line -> line.startsWith(file + ":7: spec.parallelism: "));
  }

  @Test
  void reportsBrokenRulesNextToUnreadableValues() throws IOException {
    String file =
        file(
            JOB.replace("name: pi\nspec", "name: My_Job\nspec")
                .replace(
                    "  template:", "  completions: two\n  completionMode: indexed\n  template:")
                .replace("Never", "Always"));
    assertThat(recorded.run("validate", file)).isEqualTo(2);
    assertThat(recorded.err())
        .hasSize(4)
        .anyMatch(line -> line.startsWith(file + ":4: metadata.name: "))
        .anyMatch(line -> line.startsWith(file + ":6: spec.completions: must be a whole number"))
        .anyMatch(line -> line.startsWith(file + ":7: spec.completionMode: "))
        .anyMatch(line -> line.startsWith(file + ":10: spec.template.spec.restartPolicy: "));
  }

  @Test
  void omitsConsequencesOfAnUnreadableValue() throws IOException {
    String indexed =
        "  completionMode: Indexed\n  completions: many\n"
            + "  successPolicy: {rules: [{succeededIndexes: 0-2}]}\n  template:";
    String file = file(JOB.replace("  template:", indexed).replace("image: sh", "image: [sh]"));
    assertThat(recorded.run("validate", file)).isEqualTo(2);
    assertThat(recorded.err())
        .hasSize(2)
        .anyMatch(line -> line.startsWith(file + ":7: spec.completions: "))
        .anyMatch(line -> line.contains("spec.template.spec.containers[0].image: must be text"));
  }

  @Test
  void reportsWhereAMisplacedFieldBelongs() throws IOException {
    String file = file(JOB.replace("  template:", "  hostNetwork: true\n  template:"));
    assertThat(recorded.run("validate", file)).isEqualTo(2);
    assertThat(recorded.err())
        .containsExactly(
            file + ":6: spec.hostNetwork: unknown field; it belongs in \"template.spec\"");
  }

  @Test
  void reportsFieldsThatAServerDrops() throws IOException {
    String file =
        file(JOB.replace("image: sh", "image: sh\n        lifecycle: {stopSignal: SIGINT}"));
    assertThat(recorded.run("validate", file)).isZero();
    assertThat(recorded.err())
        .singleElement()
        .asString()
        .isEqualTo(
            file
                + ":12: warning: spec.template.spec.containers[0].lifecycle: dropped, because the"
                + " feature gate ContainerStopSignals is off");
    assertThat(recorded.out()).containsExactly(file + ":1: Job pi: ok");
  }

  @Test
  void acceptsAJobWithAGeneratedName() throws IOException {
    String file = file(JOB.replace("  name: pi\nspec", "  generateName: pi-\nspec"));
    assertThat(recorded.run("validate", file)).isZero();
    assertThat(recorded.out()).containsExactly(file + ":1: Job pi-…: ok");
  }

  @Test
  void continuesWithOtherFilesAfterAFault() throws IOException {
    assertThat(recorded.run("validate", "nowhere.yaml", file(JOB))).isEqualTo(2);
    assertThat(recorded.err()).containsExactly("nowhere.yaml: no such file");
    assertThat(recorded.out()).singleElement().asString().endsWith("Job pi: ok");
  }

  @Test
  void refusesADirectory() {
    assertThat(recorded.run("validate", directory.toString())).isEqualTo(2);
    assertThat(recorded.err())
        .containsExactly(directory + ": is a directory; name the files in it");
  }

  @Test
  void refusesAnEmptyFile() throws IOException {
    String file = file("");
    assertThat(recorded.run("validate", file)).isEqualTo(2);
    assertThat(recorded.err()).containsExactly(file + ": the file is empty; it must contain a Job");
  }

  @Test
  void refusesAFileWithoutDocuments() throws IOException {
    String file = file("# nothing yet\n---\n");
    assertThat(recorded.run("validate", file)).isEqualTo(2);
    assertThat(recorded.err())
        .containsExactly(file + ": contains no documents; it must contain a Job");
  }

  @Test
  void refusesTextThatIsNeitherYamlNorJson() throws IOException {
    String file = file("apiVersion: [batch/v1\nkind: Job\n");
    assertThat(recorded.run("validate", file)).isEqualTo(2);
    assertThat(recorded.err()).singleElement().asString().startsWith(file + ":");
  }

  @Test
  void reportsFaultsOfAPod() throws IOException {
    String file =
        file(
            """
            apiVersion: v1
            kind: Pod
            metadata:
              name: p
            spec:
              containers:
              - name: main
              volumes:
              - {name: v, nfs: {server: s, path: p}}
            """);
    assertThat(recorded.run("validate", file)).isEqualTo(2);
    assertThat(recorded.err())
        .containsExactlyInAnyOrder(
            file + ":7: spec.containers[0].image: is required",
            file + ":9: spec.volumes[0].nfs.path: must be an absolute path");
  }

  @Test
  void refusesAnotherKind() throws IOException {
    String file = file("apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n");
    assertThat(recorded.run("validate", file)).isEqualTo(2);
    assertThat(recorded.err())
        .singleElement()
        .asString()
        .startsWith(file + ":2: kind: apps/v1 Deployment is not a supported kind");
  }

  private String file(String text) throws IOException {
    Path file = directory.resolve("job.yaml");
    Files.writeString(file, text);
    return file.toString();
  }
}
