package dev.stint.bench.kills;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Kills {@code stint run} of one Job again and again, until the Job is complete. */
final class RunRound {
  private static final String JOB = "work";

  /** The text that {@code run} prints when it is ready. */
  static final String READY = RunJob.ready(JOB);

  private static final int LONGEST_MILLIS = 1500;
  private static final Duration END_TIMEOUT = Duration.ofSeconds(60);

  private final Scene scene;
  private final RunJob job;
  private final List<String> violations = new ArrayList<>();

  private RunRound(Scene scene, RunJob job) {
    this.scene = scene;
    this.job = job;
  }

  static JobFile file(Path directory, String image) {
    return new JobFile(directory, 16, 4, 6, "0.05", image, false);
  }

  static RoundResult play(Scene scene, Path directory, int most)
      throws IOException, InterruptedException {
    return new RunRound(scene, RunJob.of(scene, directory, JOB)).play(most);
  }

  private RoundResult play(int most) throws IOException, InterruptedException {
    boolean isOver = false;
    while (!isOver && scene.mayKill(most)) {
      Machine.Command run = scene.start(job.arguments());
      if (scene.letRun(run, LONGEST_MILLIS)) {
        scene.kill(List.of(run), List.of(JOB));
        // The same command would start a Job anew that is complete.
        isOver = haveAllEnded() && job.isComplete();
      } else {
        isOver = true;
        checkEnd(run.waitFor());
      }
    }
    if (!isOver) {
      checkEnd(scene.waitFor(scene.start(job.arguments()), END_TIMEOUT));
    }
    violations.addAll(job.violations());
    violations.addAll(scene.ballastDifferences());
    return scene.result(List.of(JOB), 0, violations);
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
}
