package dev.stint.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cli.Recorded;
import dev.stint.model.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

class SimulateCommandTest {
  private static final String JOB =
      """
      apiVersion: batch/v1
      kind: Job
      metadata: {name: report}
      spec:
        completionMode: Indexed
        completions: 20
        parallelism: 10
        backoffLimitPerIndex: 1
        template:
          spec:
            restartPolicy: Never
            containers:
            - name: main
              image: report:1
              envFrom: [{configMapRef: {name: settings}}]
      ---
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: settings}
      data: {a: b}
      """;

  @TempDir Path scratch;

  private List<String> told(String... flags) throws Exception {
    Recorded run = run(JOB, flags);
    assertThat(run.err()).isEmpty();
    return run.out();
  }

  private Recorded run(String file, String... flags) throws Exception {
    Recorded run = Recorded.plain();
    String path = Files.writeString(scratch.resolve("job.yaml"), file).toString();
    String[] all = new String[flags.length + 2];
    all[0] = "simulate";
    all[1] = path;
    System.arraycopy(flags, 0, all, 2, flags.length);
    assertThat(run.run(all)).isEqualTo(run.err().isEmpty() ? 0 : 2);
    return run;
  }

  @Test
  void aJobWhosePodsAllSucceedTakesAsLongAsTheyDo() throws Exception {
    assertThat(told("--duration", "30s"))
        .startsWith("Job default/report: Complete (CompletionsReached), seed 1")
        .contains("Attempts   20, 0 of them failed", "Pod time   10m", "Completed  0-19")
        .anySatisfy(line -> assertThat(line).matches("Makespan   1m([1-3]s)?"));
  }

  @Test
  void theSameSeedGivesTheSameAnswerAndAnotherOneAnother() throws Exception {
    String[] flags = {"--failure", "10%", "--duration", "30s+-10s", "-o", "json"};
    assertThat(told(flags)).isEqualTo(told(flags)).isNotEqualTo(seeded("2", flags));
    JsonNode answer = Json.parse(String.join("\n", seeded("3", flags)));
    int attempts = answer.get("attempts").asInt();
    assertThat(attempts).isGreaterThan(20);
    assertThat(answer.get("failed").asInt() + answer.get("succeeded").asInt()).isEqualTo(attempts);
    assertThat(answer.get("podSeconds").asDouble() / attempts).isBetween(20.0, 40.0);
  }

  private List<String> seeded(String seed, String... flags) throws Exception {
    String[] all = Arrays.copyOf(flags, flags.length + 2);
    all[flags.length] = "--seed";
    all[flags.length + 1] = seed;
    return told(all);
  }

  @Test
  void manyRunsHaveADistribution() throws Exception {
    String[] flags = {"--failure", "0.2", "--duration", "30s±10s", "--runs", "24", "-o", "json"};
    JsonNode answer = Json.parse(String.join("\n", told(flags)));
    assertThat(told(flags)).isEqualTo(told(flags));
    // An index fails twice with probability 0.04, so all 20 succeed with probability 0.44.
    assertThat(answer.get("complete").asInt()).isBetween(3, 18);
    assertThat(answer.at("/reasons/FailedIndexes").asInt())
        .isEqualTo(24 - answer.get("complete").asInt());
    assertThat(answer.at("/attempts/p50").asInt()).isBetween(22, 26);
    assertThat(answer.at("/makespanSeconds/p50").asDouble())
        .isLessThanOrEqualTo(answer.at("/makespanSeconds/p99").asDouble());
    assertThat(told("--runs", "3"))
        .hasSize(6)
        .contains("Complete   100.0 % (CompletionsReached 3)");
  }

  @Test
  void podsThatMayNotRunAtOnceWait() throws Exception {
    assertThat(told("--duration", "1m", "--max-pods", "1", "-o", "yaml"))
        .anySatisfy(line -> assertThat(line).matches("makespanSeconds: 120\\d\\..*"));
  }

  private static String inPlace(int backoffLimit) {
    return JOB.replace("backoffLimitPerIndex: 1", "backoffLimit: " + backoffLimit)
        .replace("restartPolicy: Never", "restartPolicy: OnFailure");
  }

  @Test
  void restartsInPlaceCountAgainstTheBackoffLimit() throws Exception {
    assertThat(run(inPlace(2), "--failure", "1").out())
        .startsWith("Job default/report: Failed (BackoffLimitExceeded), seed 1");
    JsonNode lucky =
        Json.parse(String.join("\n", run(inPlace(100), "--failure", "0.3", "-o", "json").out()));
    assertThat(lucky.get("complete").asBoolean()).isTrue();
    assertThat(lucky.get("failedAttempts").asInt())
        .isPositive()
        .isEqualTo(lucky.get("attempts").asInt() - 20);
  }

  @Test
  void aPodOfTwoContainersFailsNoMoreOftenThanAPodOfOne() throws Exception {
    String two = JOB.replace("- name: main", "- {name: beside, image: none}\n      - name: main");
    String[] flags = {"--failure", "0.2", "--duration", "30s±10s", "-o", "json"};
    assertThat(run(two, flags).out()).isEqualTo(told(flags));
  }

  @Test
  void stoppedAttemptsDoNotCountAsFailed() throws Exception {
    String hasty =
        JOB.replace("  parallelism: 10", "  activeDeadlineSeconds: 20\n  parallelism: 10");
    assertThat(run(hasty).out())
        .startsWith("Job default/report: Failed (DeadlineExceeded), seed 1")
        .contains("Attempts   10, 0 of them failed");
  }

  @ParameterizedTest
  @CsvSource({
    "--failure,1.5,is not a probability",
    "--failure,101%,is not a probability",
    "--duration,30,is not a duration with its unit",
    "--duration,10s+-20s,the deviation must not be larger than the duration",
    "--runs,0,--runs and --max-pods must be at least 1",
    "--exit-code,0,--exit-code must be 1 to 255",
  })
  void invalidFlagsAreRefused(String flag, String value, String message) throws Exception {
    assertThat(run(JOB, flag, value).err()).anySatisfy(line -> assertThat(line).contains(message));
  }

  @Test
  void unsupportedFilesAreRefused() throws Exception {
    assertThat(run(JOB.replace("parallelism: 10", "parallelism: -1")).err())
        .anySatisfy(line -> assertThat(line).contains("spec.parallelism"));
    assertThat(run(JOB.replace("parallelism: 10", "suspend: true")).err())
        .anySatisfy(line -> assertThat(line).contains("nothing would resume the Job"));
    assertThat(run(JOB.replace("parallelism: 10", "parallelism: 0")).err())
        .anySatisfy(line -> assertThat(line).contains("no pod would ever run"));
    assertThat(run(JOB + "---\n" + JOB).err())
        .anySatisfy(line -> assertThat(line).contains("a second Job"));
    assertThat(run(JOB.substring(JOB.indexOf("---"))).err())
        .anySatisfy(line -> assertThat(line).contains("contains no Job"));
  }
}
