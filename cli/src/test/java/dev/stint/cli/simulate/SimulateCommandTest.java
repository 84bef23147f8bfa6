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
  static final String JOB =
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
    JsonNode answer = Json.parse(String.join("\n", seeded("4", flags)));
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
    "--runs,0,--runs is 0; it must be at least 1",
    "--max-pods,0,--max-pods is 0; it must be at least 1",
    "--nodes,0,--nodes is 0; it must be at least 1",
    "--machine-cpu,many,is not a number of cores",
    "--like-file,none.csv,--like-file none.csv: no such file",
    "--svg,/none/of/this.svg,name a file in an existing directory",
    "--compare,parallelism=0,'--compare parallelism=0: spec.parallelism: must be more than 0'",
    "--compare,nodes=0,--compare nodes=0: nodes must be at least 1",
    "--compare,none.yaml,none.yaml: no such file",
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
        .anySatisfy(
            line -> assertThat(line).contains("metadata.name: a second Job default/report"));
    assertThat(run(JOB.substring(JOB.indexOf("---"))).err())
        .anySatisfy(line -> assertThat(line).contains("contains no Job"));
  }

  private static final String CSV =
      """
      index,item,attempt,pod,container,state,exit_code,signal,reason,message,started_at,finished_at,seconds,log_bytes
      0,,1,r-0-a,main,failed,3,,,,,,7.000,0
      0,,2,r-0-b,main,succeeded,0,,,,,,11.000,0
      1,,1,r-1-a,main,succeeded,0,,,,,,11.000,0
      """;

  private String file(String name, String text) throws Exception {
    return Files.writeString(scratch.resolve(name), text).toString();
  }

  @Test
  void attemptsAreLikeThoseOfAFile() throws Exception {
    String csv = file("attempts.csv", CSV);
    Recorded run = Recorded.plain();
    String job = file("job.yaml", JOB.replace("backoffLimitPerIndex: 1", "backoffLimit: 100"));
    assertThat(run.run("simulate", job, "--like-file", csv, "--runs", "5")).isZero();
    assertThat(run.out().getFirst())
        .isEqualTo(
            "Like " + csv + ": 3 attempts, median 11s, p95 11s; 33.3 % failed (exit code 3: 1)");
    assertThat(run.err()).hasSize(1).first().asString().contains("warning: 3 attempts of ");
    JsonNode json = json("simulate", job, "--like-file", csv, "--runs", "5", "-o", "json");
    assertThat(json.at("/like/0/exitCodes/3").asInt()).isEqualTo(1);
    // A third of all attempts fails: 20 successes take 30 attempts.
    assertThat(json.at("/attempts/p50").asInt()).isBetween(22, 40);
  }

  private static JsonNode json(String... flags) {
    Recorded run = Recorded.plain();
    assertThat(run.run(flags)).isZero();
    return Json.parse(String.join("\n", run.out()));
  }

  @Test
  void assumedOutcomesAreRefusedWhereNoneIsAssumed() throws Exception {
    String csv = file("attempts.csv", CSV);
    assertThat(run(JOB, "--like-file", csv, "--failure", "0.5").err())
        .last()
        .asString()
        .contains("--failure has no effect");
    assertThat(run(JOB, "--like-file", csv, "--like-file", csv).err())
        .last()
        .asString()
        .contains("two sources for all Jobs");
  }

  private static String jobs(String cpu, String... names) {
    StringBuilder all = new StringBuilder();
    for (String name : names) {
      all.append(
          JOB.substring(0, JOB.indexOf("---"))
              .replace("name: report", "name: " + name)
              .replace("completions: 20", "completions: 4")
              .replace(
                  "envFrom: [{configMapRef: {name: settings}}]",
                  "resources: {requests: {cpu: " + cpu + "}}")
              .concat("---\n"));
    }
    return all.toString();
  }

  @Test
  void jobsWaitForRoomInTheirOrder() throws Exception {
    String file = file("jobs.yaml", jobs("1", "first", "second"));
    String[] flags = {
      "simulate", file, "--machine-cpu", "4", "--duration", "1m", "--runs", "3", "-o", "json"
    };
    JsonNode jobs = json(flags).get("jobs");
    assertThat(jobs.get(0).at("/waitingSeconds/p50").asDouble()).isLessThan(5);
    assertThat(jobs.get(1).at("/waitingSeconds/p50").asDouble()).isBetween(60.0, 65.0);
    assertThat(jobs.get(1).at("/totalSeconds/p95").asDouble()).isBetween(120.0, 130.0);
    Recorded text = Recorded.plain();
    assertThat(text.run("simulate", file, "--machine-cpu", "4", "--runs", "3")).isZero();
    assertThat(text.out())
        .startsWith("2 Jobs: 3 runs, seed 1")
        .anySatisfy(line -> assertThat(line).matches("default/second +100.0 % +30s .*"));
  }

  @Test
  void podsDoNotSpreadOverNodes() throws Exception {
    String file = file("jobs.yaml", jobs("3", "first", "second"));
    String[] flags = {
      "simulate",
      file,
      "--machine-cpu",
      "4",
      "--nodes",
      "2",
      "--duration",
      "1m",
      "-o",
      "json",
      "--runs",
      "2"
    };
    JsonNode answer = json(flags);
    assertThat(answer.at("/makespanSeconds/p50").asDouble()).isBetween(240.0, 260.0);
    assertThat(answer.at("/complete").asInt()).isEqualTo(2);
    assertThat(json(flags).toString()).isEqualTo(answer.toString());
  }

  @Test
  void podsThatNeverFitAreRefused() throws Exception {
    assertThat(run(jobs("3", "first"), "--machine-cpu", "2").err())
        .singleElement()
        .asString()
        .contains("default/first: spec.template.spec: no pod would ever run: insufficient cpu");
    assertThat(run(jobs("3", "first"), "--compare", "machine-cpu=2").err())
        .singleElement()
        .asString()
        .contains("--compare machine-cpu=2: default/first: ");
    Recorded unused = Recorded.plain();
    assertThat(unused.run("simulate", file("job.yaml", JOB), "--machine-cpu", "2")).isZero();
    assertThat(unused.err()).singleElement().asString().contains("--machine-cpu limits nothing");
  }

  @Test
  void twoPoliciesStandSideBySide() throws Exception {
    String[] flags = {"--failure", "0.2", "--runs", "12"};
    String[] all = Arrays.copyOf(flags, 6);
    all[4] = "--compare";
    all[5] = "backoffLimitPerIndex=6,parallelism=20";
    assertThat(told(all))
        .startsWith("Job default/report: 12 runs, seed 1")
        .anySatisfy(line -> assertThat(line).matches("Complete +\\d+.\\d % +100.0 % +[+]\\d.*"))
        .anySatisfy(line -> assertThat(line).startsWith("Makespan median"));
    String same = file("same.yaml", JOB);
    all[5] = same;
    assertThat(told(all))
        .anySatisfy(line -> assertThat(line).matches("Pod time p95 .* 0s"))
        .anySatisfy(line -> assertThat(line).contains("as given").contains(same));
  }

  @Test
  void thePictureIsDrawnToAFile() throws Exception {
    Path svg = scratch.resolve("wall.svg");
    told("--failure", "0.2", "--runs", "8", "--svg", svg.toString());
    String first = Files.readString(svg);
    assertThat(first).startsWith("<svg").contains("Wall time of default/report: 8 runs, seed 1");
    told("--failure", "0.2", "--runs", "8", "--svg", svg.toString());
    assertThat(svg).hasContent(first);
  }
}
