package dev.stint.cli.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cli.Recorded;
import dev.stint.cli.StintCommand;
import dev.stint.model.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.Model.OptionSpec;
import tools.jackson.databind.JsonNode;

class ConfigCommandTest {
  /** Nothing listens on these ports. */
  private static final String KUBECONFIG =
      """
      current-context: prod
      clusters:
      - {name: prod, cluster: {server: "http://127.0.0.1:1"}}
      - {name: staging, cluster: {server: "http://127.0.0.1:2"}}
      users:
      - {name: me, user: {token: t}}
      contexts:
      - {name: prod, context: {cluster: prod, user: me}}
      - {name: staging, context: {cluster: staging, user: me}}
      """;

  @TempDir private Path scratch = Path.of("");
  private final Map<String, String> environment = new HashMap<>();
  private Path file = Path.of("");

  @BeforeEach
  void file() throws IOException {
    environment.put("XDG_CONFIG_HOME", scratch.toString());
    environment.put("XDG_DATA_HOME", scratch.resolve("data").toString());
    file = Files.createDirectories(scratch.resolve("stint")).resolve("config.yaml");
  }

  private Recorded run(int status, String... args) {
    Recorded recorded = Recorded.of("", environment, false, StandardCharsets.UTF_8);
    assertThat(recorded.run(args)).as(() -> recorded.err().toString()).isEqualTo(status);
    return recorded;
  }

  @Test
  void whatIsSetIsShownWithItsPlace() throws Exception {
    Files.writeString(file, "all:\n  data: /srv/stint\nup:\n  max-pods: 8\n");
    environment.put("STINT_RUNTIME", "simulated");
    assertThat(run(0, "config").out())
        .contains("user    " + file)
        .anySatisfy(line -> assertThat(line).matches("COMMAND +FLAG +VALUE +FROM"))
        .contains(
            "all      --data      /srv/stint  " + file + ":2 (all.data)",
            "all      --runtime   simulated   STINT_RUNTIME",
            "up       --max-pods  8           " + file + ":4 (up.max-pods)");
  }

  @Test
  void aMisspeltVariableIsTold() {
    environment.put("STINT_MAXPODS", "8");
    assertThat(run(0, "config").err())
        .containsExactly("stint: STINT_MAXPODS is not read; did you mean STINT_MAX_PODS?");
  }

  @ParameterizedTest
  @ValueSource(strings = {"TERMINATION_LOG", "POD_UID", "ITEM", "PORT", "HOME", "URL", "VERSION"})
  void variablesOfOthersAreLeftAlone(String name) {
    environment.put("STINT_" + name, "a");
    assertThat(run(0, "config").err()).isEmpty();
  }

  @Test
  void everyFlagOfACommandIsShown() throws Exception {
    Files.writeString(file, "up: {max-pods: 8}\n");
    JsonNode shown = Json.parse(String.join("\n", run(0, "config", "up", "-o", "json").out()));
    assertThat(shown.path("flags").valueStream())
        .hasSizeGreaterThan(30)
        .anySatisfy(flag ->
            assertThat(flag.toString())
                .contains("\"flag\":\"--max-pods\",\"value\":\"8\",\"from\":\"user\""))
        .anySatisfy(flag ->
            assertThat(flag.toString())
                .contains(
                    "\"flag\":\"--listen\",\"value\":\"127.0.0.1:6443\",\"from\":\"default\""))
        .anySatisfy(flag ->
            assertThat(flag.toString()).contains("\"--data\",\"value\":\"$XDG_DATA_HOME/stint\""));
    assertThat(run(2, "config", "fly").err().getFirst()).contains("unknown command \"fly\"");
  }

  @Test
  void helpNeedsNoConfiguration() throws Exception {
    Files.writeString(file, "up: {max-podz: 3}\nrun: {a: b}\nls: {a: b}\n");
    assertThat(run(2, "up", "--max-pods=x").err().getFirst()).contains("max-podz");
    assertThat(run(0, "up", "-vh").out()).isNotEmpty();
    assertThat(run(0, "run", "-fh").out()).isNotEmpty();
    assertThat(run(2, "ls", "-nh").err()).as("namespace h").isNotEmpty();
    for (String command : List.of("up", "run", "ls")) {
      assertThat(run(0, command, "--help").out()).isNotEmpty();
      Files.writeString(file, "up: {");
    }
    assertThat(run(2, "run", "--each", "-", "--", "tool", "--help").err()).isNotEmpty();
  }

  @Test
  void theWholeFileIsChecked() throws Exception {
    Files.writeString(file, "run: {timeout: 5}\nup: {runtime: jail}\nls: {all: true, fast: 1}\n");
    assertThat(run(2, "config").err())
        .anySatisfy(line -> assertThat(line).contains(":3: ls.fast: is not a flag of stint ls"));
    Files.writeString(file, "run: {timeout: 5}\nup: {runtime: jail}\n");
    assertThat(run(2, "config").err())
        .hasSize(2)
        .anySatisfy(line ->
            assertThat(line)
                .contains(file + ":1 (run.timeout): ")
                .contains("\"5\" is not a duration"))
        .anySatisfy(line ->
            assertThat(line)
                .contains(file + ":2 (up.runtime): ")
                .contains("expected one of [process, container, simulated, none]"));
  }

  @Test
  void faultsHideNothingElse() throws Exception {
    Files.writeString(file, "run: {timeout: 5}\nup: {max-podz: 1}\nls: {output: , data: [[]]}\n");
    environment.put("STINT_RUNTIME", "simulated");
    Recorded faulty = run(2, "config");
    assertThat(faulty.out())
        .contains("user    " + file)
        .anySatisfy(line -> assertThat(line).startsWith("run      --timeout"))
        .anySatisfy(line -> assertThat(line).matches(".*--runtime +simulated +STINT_RUNTIME"));
    assertThat(faulty.err())
        .hasSize(4)
        .anySatisfy(line -> assertThat(line).contains("ls.output: has no value"))
        .anySatisfy(line -> assertThat(line).contains("ls.data: must be a value"))
        .anySatisfy(line -> assertThat(line).contains("up.max-podz: is not a flag"))
        .anySatisfy(line -> assertThat(line).contains("\"5\" is not a duration"));
    Files.writeString(file, "run: {");
    assertThat(run(2, "config", "run").out())
        .contains("user    " + file)
        .anySatisfy(line -> assertThat(line).matches(".*--runtime +simulated +STINT_RUNTIME"));
    environment.put("STINT_CONFIG", scratch + "/none");
    assertThat(run(2, "config").out())
        .anySatisfy(line -> assertThat(line).matches(".*--runtime +simulated +STINT_RUNTIME"));
  }

  @Test
  void aValueThatItsFlagRefusesIsReportedWithItsPlace() throws Exception {
    Files.writeString(file, "ls:\n  output: xml\n");
    assertThat(run(2, "ls").err())
        .singleElement()
        .asString()
        .contains("--output")
        .contains(file + ":2 (ls.output) sets it, correct it there; see: stint ls --help");
    assertThat(run(0, "version").err()).as("not configured").isEmpty();
    Files.writeString(file, "simulate:\n  runs: 0\n");
    Path job = Files.writeString(scratch.resolve("job.yaml"), "{}");
    environment.put("STINT_MAX_PODS", "0");
    assertThat(run(2, "run", job.toString()).err())
        .containsExactly(
            "stint: --max-pods is 0; it must be at least 1",
            "stint: --max-pods is set by STINT_MAX_PODS");
  }

  @Test
  void flagsForListsDoNotHinderARunWithoutOne() throws Exception {
    Files.writeString(file, "run: {parallel: 1, retries: 2}\n");
    Path job = Files.writeString(scratch.resolve("job.yaml"), "kind: Job\n");
    assertThat(run(2, "run", job.toString()).err().getFirst()).contains("apiVersion");
    assertThat(run(2, "run", "--parallel", "3", job.toString()).err().getFirst())
        .contains("--parallel requires --each");
    Path list = Files.writeString(scratch.resolve("list"), "a\nb\n");
    List<String> made = run(0, "run", "--each", list.toString(), "--dry-run", "--", "true").out();
    assertThat(made).contains("  parallelism: 1", "  backoffLimitPerIndex: 2");
  }

  @Test
  void flagsForClustersDoNotHinderARunOnThisMachine() throws Exception {
    Files.writeString(file, "all: {namespace: team}\nrun: {managed-by: a.io/b}\n");
    Path list = Files.writeString(scratch.resolve("list"), "a\n");
    String[] run = {"run", "--each", list.toString(), "--dry-run", "--", "true"};
    assertThat(run(0, run).out()).contains("kind: Job");
    Files.delete(file);
    environment.put("STINT_NAMESPACE", "team");
    assertThat(run(0, run).out()).contains("kind: Job");
    assertThat(run(2, "run", "-n", "team", "--each", "-", "--dry-run", "--", "true").err())
        .containsExactly(
            "stint: --namespace requires a cluster; name one with --kubeconfig or --context");
  }

  /** The current context leads to another cluster than the configured one. */
  @Test
  void commandsGoToTheClusterThatIsShown() throws Exception {
    Path kubeconfig = Files.writeString(scratch.resolve("kubeconfig"), KUBECONFIG);
    environment.put("KUBECONFIG", kubeconfig.toString());
    Files.writeString(file, "all: {context: staging}\n");
    goToStaging();
    Files.delete(file);
    environment.put("STINT_CONTEXT", "staging");
    goToStaging();
  }

  private void goToStaging() {
    assertThat(run(0, "config", "ls").out())
        .anySatisfy(line -> assertThat(line).matches("--context +staging .*"));
    Recorded asked = Recorded.of("", environment, false, StandardCharsets.UTF_8);
    assertThat(asked.run("ls")).isNotZero();
    assertThat(asked.err().toString()).contains("127.0.0.1:2").doesNotContain("127.0.0.1:1");
  }

  @Test
  void noVariableOfAFlagMeansSomethingElse() {
    Set<String> taken =
        Set.of(
            "STINT_CONFIG",
            "STINT_JAVA_HOME",
            "STINT_JAVA_OPTS",
            "STINT_BUILD",
            "STINT_ITEM",
            "STINT_TOKEN",
            "STINT_POD_UID",
            "STINT_TERMINATION_LOG");
    Set<String> variables = new TreeSet<>();
    new StintCommand(Recorded.plain().console())
        .all()
        .getSubcommands()
        .values()
        .forEach(command -> {
          for (OptionSpec option : command.getCommandSpec().options()) {
            variables.add(Configuration.variable(option));
          }
        });
    assertThat(variables)
        .contains("STINT_MAX_PODS")
        .doesNotContainAnyElementsOf(taken)
        .noneMatch(name -> name.startsWith("STINT_DEVICES_"));
  }
}
