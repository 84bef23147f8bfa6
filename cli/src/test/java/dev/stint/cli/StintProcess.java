package dev.stint.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** A {@code stint} command in its own process, as a user runs it. */
final class StintProcess {
  private static final long TIMEOUT_SECONDS = 120;

  private final Process process;
  private final Path out;
  private final Path err;

  private StintProcess(Process process, Path out, Path err) {
    this.process = process;
    this.out = out;
    this.err = err;
  }

  /** Starts a command whose standard streams go to files in {@code directory}. */
  static StintProcess start(Path directory, String... args) throws IOException {
    return start(directory, Map.of(), args);
  }

  /** Starts a command with further variables in its environment. */
  static StintProcess start(Path directory, Map<String, String> variables, String... args)
      throws IOException {
    return start(directory, List.of(), variables, args);
  }

  /** Starts a command by another one, such as nohup(1). */
  static StintProcess startBy(String starter, Path directory, String... args) throws IOException {
    return start(directory, List.of(starter), Map.of(), args);
  }

  private static StintProcess start(
      Path directory, List<String> starter, Map<String, String> variables, String... args)
      throws IOException {
    Path out = Files.createTempFile(directory, "out", ".txt");
    Path err = Files.createTempFile(directory, "err", ".txt");
    List<String> command = new ArrayList<>(starter);
    command.addAll(CommandJvm.command());
    command.addAll(List.of(args));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
    builder.environment().putAll(variables);
    return new StintProcess(builder.start(), out, err);
  }

  /** Runs a command to its end. */
  static StintProcess run(Path directory, String... args) throws Exception {
    StintProcess started = start(directory, args);
    started.exitStatus();
    return started;
  }

  int exitStatus() throws InterruptedException {
    if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError("does not end; standard error: " + err());
    }
    return process.exitValue();
  }

  String out() {
    return read(out);
  }

  String err() {
    return read(err);
  }

  long pid() {
    return process.pid();
  }

  boolean alive() {
    return process.isAlive();
  }

  /** Ends it as {@code kill} does. */
  void terminate() {
    process.destroy();
  }

  /** Ends it as {@code kill -9} does. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** Signals it as {@code kill -NAME} does. */
  void signal(String name) throws IOException, InterruptedException {
    int status =
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
    if (status != 0) {
      throw new AssertionError("kill -" + name + ": " + status);
    }
  }

  /** Signals it and all that it has started, in any order and without a pause, as systemd does. */
  void signalAll(String name, Random order) throws IOException, InterruptedException {
    List<String> pids = new ArrayList<>();
    pids.add(Long.toString(process.pid()));
    process.descendants().forEach(each -> pids.add(Long.toString(each.pid())));
    Collections.shuffle(pids, order);
    List<String> command = new ArrayList<>(List.of("kill", "-" + name));
    command.addAll(pids);
    new ProcessBuilder(command).start().waitFor(); // One of them may have ended by itself.
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }
}
