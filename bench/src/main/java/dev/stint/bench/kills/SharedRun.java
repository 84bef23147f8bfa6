package dev.stint.bench.kills;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One of several {@code run}s in a data directory, which is started until it has told its end. */
final class SharedRun {
  private static final int KILLED = 128 + 9;

  private final Scene scene;
  private final RunJob job;
  private final Path output;
  private final List<String> violations = new ArrayList<>();
  private Machine.@Nullable Command command;
  private boolean isOver;

  /** The number of lines that were printed before the last start. */
  private int printed;

  private SharedRun(Scene scene, RunJob job, Path output) {
    this.scene = scene;
    this.job = job;
    this.output = output;
  }

  static SharedRun of(Scene scene, Path directory, String name) throws IOException {
    Path output = Files.createFile(directory.resolve("output-" + name));
    return new SharedRun(scene, RunJob.of(scene, directory, name), output);
  }

  String name() {
    return job.name();
  }

  /** True if it has told its end: the same command would start its Job anew. */
  boolean isOver() {
    return isOver;
  }

  boolean mayStart() {
    return !isOver && command == null;
  }

  Machine.Command start() throws IOException {
    printed = lines().size();
    Machine.Command started = scene.startAlso(job.arguments(), output);
    command = started;
    return started;
  }

  /** Returns the command that was started last. */
  Machine.Command command() {
    return Objects.requireNonNull(command);
  }

  /** Looks whether it still runs, and checks how it ended if it did so by itself. */
  boolean pollAlive() throws IOException, InterruptedException {
    Machine.Command last = command;
    if (last != null && !last.isAlive()) {
      onEnd(last.waitFor());
    }
    return command != null;
  }

  /** Waits for the end of the command that was started last, if one was. */
  void awaitEnd(Duration longest) throws IOException, InterruptedException {
    Machine.Command last = command;
    if (last != null) {
      onEnd(scene.waitFor(last, longest));
    }
  }

  /** Notes that it was killed, unless it had come to its end before. */
  void onKill() throws IOException, InterruptedException {
    int status = command().waitFor();
    if (status != KILLED) {
      onEnd(status);
      return;
    }
    command = null;
    isOver = reports() > 0;
  }

  private void onEnd(int status) throws IOException {
    command = null;
    isOver = true;
    if (status != 0) {
      violations.add("%s: run ended with %d".formatted(name(), status));
    }
  }

  private List<String> lines() throws IOException {
    return Files.readAllLines(output);
  }

  /** True if the last start has started its Job, or taken it up. */
  boolean isReady() throws IOException {
    String ready = RunJob.ready(name());
    return lines().stream().skip(printed).anyMatch(line -> line.startsWith(ready));
  }

  /** Returns how many attempts of its Job have begun. */
  int begun() throws IOException {
    return scene.file().attempts(name()).values().stream().mapToInt(List::size).sum();
  }

  private long reports() throws IOException {
    return reports(name(), lines());
  }

  /** Returns how often a Job was reported as complete. */
  static long reports(String job, List<String> output) {
    String report = RunJob.ready(job) + "Complete in ";
    return output.stream().filter(line -> line.startsWith(report)).count();
  }

  /** Returns what is wrong with it and its Job in the end. */
  List<String> violations() throws IOException, InterruptedException {
    List<String> all = new ArrayList<>(violations);
    long reports = reports();
    if (reports != 1) {
      all.add("%s: run told %d times that it is complete".formatted(name(), reports));
    }
    all.addAll(job.violations());
    return all;
  }
}
