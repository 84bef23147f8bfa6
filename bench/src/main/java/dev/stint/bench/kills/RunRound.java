package dev.stint.bench.kills;

import dev.stint.bench.robustness.UpApi;
import dev.stint.model.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ObjectNode;

/** Kills {@code stint run} of one Job again and again, until the Job is complete. */
final class RunRound {
  private static final String JOB = "work";

  /** The text that {@code run} prints when it has started its Job, or taken it up. */
  static final String READY = "stint: " + JOB + ": ";

  private static final int LONGEST_MILLIS = 1500;
  private static final Duration END_TIMEOUT = Duration.ofSeconds(60);

  private final Scene scene;
  private final Path manifest;
  private final List<String> violations = new ArrayList<>();

  private RunRound(Scene scene, Path manifest) {
    this.scene = scene;
    this.manifest = manifest;
  }

  static JobFile file(Path directory, String image) {
    return new JobFile(directory, 16, 4, 6, "0.05", image, false);
  }

  static RoundResult play(Scene scene, Path directory, int most)
      throws IOException, InterruptedException {
    Path manifest = directory.resolve("job.yaml");
    Files.writeString(manifest, scene.file().manifest(JOB));
    return new RunRound(scene, manifest).play(most);
  }

  private RoundResult play(int most) throws IOException, InterruptedException {
    boolean isOver = false;
    while (!isOver && scene.mayKill(most)) {
      Machine.Command run = run();
      if (scene.letRun(run, LONGEST_MILLIS)) {
        scene.kill(run, List.of(JOB));
        // The same command would start a Job anew that is complete.
        isOver = haveAllEnded() && show().path("state").asString().equals("Complete");
      } else {
        isOver = true;
        checkEnd(run.waitFor());
      }
    }
    if (!isOver) {
      checkEnd(scene.waitFor(run(), END_TIMEOUT));
    }
    checkJob();
    violations.addAll(
        WorkLaws.ofComplete(
            JOB,
            scene.file().lines(),
            false,
            scene.file().attempts(JOB),
            scene.finished(JOB),
            JobLogs.read(scene.data(), JOB)));
    checkBallast();
    return scene.result(List.of(JOB), 0, violations);
  }

  private Machine.Command run() throws IOException {
    return scene.start(List.of("run", manifest.toString()));
  }

  private boolean haveAllEnded() throws IOException {
    return scene.file().attempts(JOB).values().stream()
        .allMatch(attempts -> attempts.stream().anyMatch(RecordedAttempt::isEnded));
  }

  private void checkEnd(int status) {
    if (status != 0) {
      violations.add("run ended with %d".formatted(status));
    }
  }

  private void checkJob() throws IOException, InterruptedException {
    ObjectNode job = show();
    if (!job.path("state").asString().equals("Complete")
        || job.path("succeeded").asInt() != scene.file().completions()
        || job.path("failed").asInt() != 0) {
      violations.add("the Job is not complete, or has failures: " + job);
    }
  }

  /** {@code up} goes on with the data that {@code run} leaves. */
  private void checkBallast() throws IOException, InterruptedException {
    if (scene.ballast().isNone()) {
      return;
    }
    UpApi server = UpApi.of(scene.data());
    Machine.Command up = scene.start(List.of("up", "--listen", server.address()));
    server.awaitReady(up::isAlive);
    violations.addAll(scene.ballast().differences(server));
    up.kill();
  }

  private ObjectNode show() throws IOException, InterruptedException {
    Path shown = Files.write(scene.output().resolveSibling("shown"), new byte[0]);
    Machine.Command show = scene.start(List.of("show", JOB, "-o", "json"), shown);
    show.waitFor();
    try {
      return Json.parse(Files.readString(shown));
    } catch (JacksonException unreadable) {
      violations.add("show prints: " + Files.readString(shown));
      return Json.object();
    }
  }
}
