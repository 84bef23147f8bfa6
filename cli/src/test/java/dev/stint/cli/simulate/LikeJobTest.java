package dev.stint.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cli.FarCluster;
import dev.stint.cli.Recorded;
import dev.stint.model.Json;
import dev.stint.model.Names;
import dev.stint.runner.runtime.SimulatedRuntime.Outcome;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The attempts that {@code --like} takes from a place of Jobs. */
class LikeJobTest {
  private static final String JOB =
      """
      apiVersion: batch/v1
      kind: Job
      metadata: {name: report}
      spec:
        completionMode: Indexed
        completions: 6
        parallelism: 6
        backoffLimitPerIndex: 0
        template:
          spec:
            restartPolicy: Never
            containers: [{name: main, image: report:1, command: [sh, -c, 'exit "$JOB_COMPLETION_INDEX"']}]
      """;

  @TempDir private Path scratch;
  private String file = "";

  @BeforeEach
  void write() throws Exception {
    file = Files.writeString(scratch.resolve("job.yaml"), JOB).toString();
  }

  private Recorded recorded() {
    return Recorded.of("", Map.of("HOME", scratch.toString()), false, StandardCharsets.UTF_8);
  }

  private Recorded told(String... args) {
    Recorded run = recorded();
    assertThat(run.run(args)).as(() -> String.join("\n", run.err())).isZero();
    return run;
  }

  private void runs(String place) {
    Recorded run = recorded();
    assertThat(run.run("run", file, place)).as(() -> String.join("\n", run.err())).isEqualTo(1);
  }

  @Test
  void attemptsOfADataDirectoryAreTakenEvenAfterTheJobIsDeleted() {
    String data = "--data=" + scratch.resolve("data");
    runs(data);
    String expected =
        "Like default/report: 6 attempts, .*; 83.3 % failed \\(exit code 1: 1, 2: 1, 3: 1, 4: 1, 5: 1\\)";
    List<String> kept = told("simulate", file, "--like", "report", data, "--runs", "3").out();
    assertThat(kept.getFirst()).matches(expected);
    assertThat(kept).contains("Job default/report: 3 runs, seed 1");
    told("rm", "report", data);
    assertThat(told("simulate", file, "--like", "job/report", data, "--runs", "3").out().getFirst())
        .matches(expected);
  }

  @Test
  void attemptsThatWereExportedAreTakenFromTheirFile() throws Exception {
    String data = "--data=" + scratch.resolve("data");
    runs(data);
    for (String format : List.of("csv", "joblog")) {
      Path kept = scratch.resolve("kept." + format);
      Files.write(kept, told("attempts", "report", data, "-o", format).outBytes().toByteArray());
      assertThat(
              told("simulate", file, "--like-file", kept.toString(), "--runs", "3")
                  .out()
                  .getFirst())
          .as(format)
          .matches("Like .*kept.*: 6 attempts, .*; 83.3 % failed .*");
    }
  }

  @Test
  void attemptsOfAClusterAreTakenFromItsPods() throws Exception {
    Path directory = Files.createDirectories(scratch.resolve("cluster"));
    try (FarCluster far =
        FarCluster.withControllers(
            directory,
            (pod, _) ->
                new Outcome(
                    Duration.ZERO, "3".equals(pod.annotation(Names.COMPLETION_INDEX)) ? 42 : 0))) {
      String kubeconfig = "--kubeconfig=" + far.kubeconfig();
      runs(kubeconfig);
      assertThat(told("simulate", file, "--like=report", kubeconfig, "--runs=3").out().getFirst())
          .startsWith("Like default/report: 6 attempts, ")
          .endsWith("16.7 % failed (exit code 42: 1)");
      Recorded implied =
          Recorded.of(
              "", Map.of("KUBECONFIG", far.kubeconfig().toString()), false, StandardCharsets.UTF_8);
      assertThat(implied.run("simulate", file, "--like", "report", "--runs", "2", "-o", "json"))
          .isZero();
      assertThat(implied.err()).singleElement().asString().contains("from KUBECONFIG");
      assertThat(Json.parse(String.join("\n", implied.out())).at("/like/0/attempts").asInt())
          .isEqualTo(6);
    }
  }

  @Test
  void jobsThatNobodyKnowsAreNamed() {
    String data = "--data=" + scratch.resolve("data");
    Recorded nowhere = recorded();
    assertThat(nowhere.run("simulate", file, "--like", "report", data)).isEqualTo(2);
    assertThat(nowhere.err()).singleElement().asString().contains("does not exist");
    runs(data);
    for (String name : List.of("other", "../report", "")) {
      Recorded unknown = recorded();
      assertThat(unknown.run("simulate", file, "--like", name, data)).isEqualTo(2);
      assertThat(unknown.err()).singleElement().asString().contains("\"" + name + "\"");
    }
  }
}
