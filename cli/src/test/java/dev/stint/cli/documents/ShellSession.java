package dev.stint.cli.documents;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A bash that runs one block of commands after the other, as in one terminal. It leads its own
 * process group, which ends with it.
 */
final class ShellSession implements AutoCloseable {
  private static final long TIMEOUT_SECONDS = 300;

  /** Ends a sourced block when a command fails, as errexit does for a whole shell. */
  private static final String STRICTLY = "trap 'status=$?; trap - ERR; return $status' ERR";

  private static final String LENIENTLY = "trap - ERR";

  private final Path notes;
  private final Path home;
  private final Process shell;
  private final Writer input;
  private final BufferedReader answers;
  private int blocks;

  /**
   * The result of a block.
   *
   * @param status the status of its last command, or of the first that failed if none may fail
   * @param output the file that receives all its output, even later
   */
  record Outcome(int status, Path output) {}

  /**
   * Starts it.
   *
   * @param directory the start directory; gets a subdirectory {@code home}
   * @param environment its whole environment apart from HOME
   */
  ShellSession(Path directory, Map<String, String> environment) throws IOException {
    home = Files.createDirectory(directory.resolve("home"));
    notes = Files.createDirectory(directory.resolve(".blocks"));
    ProcessBuilder builder =
        new ProcessBuilder("setsid", "bash")
            .directory(directory.toFile())
            .redirectErrorStream(true);
    builder.environment().clear();
    builder.environment().putAll(environment);
    builder.environment().put("HOME", home.toString());
    shell = builder.start();
    input = shell.outputWriter();
    answers = shell.inputReader();
  }

  /**
   * Runs a block.
   *
   * @param mayFail true to continue after a command that fails
   */
  Outcome run(String commands, boolean mayFail) throws IOException, InterruptedException {
    blocks++;
    Path block = Files.writeString(notes.resolve(blocks + ".sh"), commands);
    Path output = Files.createFile(notes.resolve(blocks + ".txt"));
    input.write(mayFail ? LENIENTLY : STRICTLY);
    input.write("; . '%s' >'%s' 2>&1 </dev/null; echo $?\n".formatted(block, output));
    input.flush();
    return new Outcome(Integer.parseInt(answer(output)), output);
  }

  /** Returns the output of a block so far, with the home directory as {@code ~}. */
  String printed(Path output) throws IOException {
    return Files.readString(output).replace(home.toString(), "~");
  }

  private String answer(Path output) throws IOException, InterruptedException {
    try {
      return CompletableFuture.supplyAsync(
              () -> answers.lines().findFirst().orElse("the end"), Thread::startVirtualThread)
          .get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException slow) {
      throw new AssertionError("does not end; it printed: " + printed(output), slow);
    } catch (ExecutionException fault) {
      throw new IOException(fault.getCause());
    }
  }

  /** Ends all processes that the commands have left, with SIGTERM first. */
  @Override
  public void close() throws IOException {
    List<ProcessHandle> left = shell.descendants().toList();
    signal("TERM");
    try {
      CompletableFuture.allOf(
              left.stream().map(ProcessHandle::onExit).toArray(CompletableFuture[]::new))
          .orTimeout(TIMEOUT_SECONDS, TimeUnit.SECONDS)
          .join();
    } catch (CompletionException stubborn) {
      left.forEach(ProcessHandle::destroyForcibly);
      throw new AssertionError("something does not end on SIGTERM: " + left, stubborn);
    } finally {
      signal("KILL");
      shell.onExit().join();
    }
  }

  /** Signals the whole group, which may not exist any more. */
  private void signal(String name) throws IOException {
    new ProcessBuilder("kill", "-" + name, "--", "-" + shell.pid())
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .onExit()
        .join();
  }
}
