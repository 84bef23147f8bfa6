package dev.stint.runner.process.shim;

import dev.stint.runner.process.command.AttemptDir;
import dev.stint.runner.process.command.Posix;
import dev.stint.runner.process.command.ShellScripts;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The program between the runner and commands: a shell with the script {@code shim.sh}, or a
 * compiled program that does the same with less work, if there was a compiler for {@code shim.c}.
 *
 * @param words the program and its first arguments
 * @param isCompiled true if it has the features that only {@code shim.c} has: scripts within
 *     requests, spare directories for logs, and reports of silent commands
 */
public record ShimProgram(List<String> words, boolean isCompiled) {
  /** The system property that names the compiled program's file. */
  static final String PROPERTY = "stint.shim";

  public static final ShimProgram SHELL =
      new ShimProgram(List.of("/bin/sh", "-c", ShellScripts.SHIM), false);

  private static final Logger LOG = LoggerFactory.getLogger(ShimProgram.class);

  /** The exit status of the compiled program without arguments. */
  private static final int USAGE = 2;

  /** Returns the compiled program, if there is one; otherwise a shell. */
  public static ShimProgram ofThisProcess() {
    String file = System.getProperty(PROPERTY, "");
    return file.isEmpty() ? SHELL : compiled(Path.of(file));
  }

  /** Returns the compiled program, if this machine can run it; otherwise a shell. */
  static ShimProgram compiled(Path file) {
    String program = file.toAbsolutePath().toString();
    int pid = Posix.spawn(List.of(program), List.of());
    Optional<Posix.WaitStatus> end = pid > 0 ? Posix.await(pid) : Optional.empty();
    if (end.filter(status -> status.code() == USAGE).isPresent()) {
      return new ShimProgram(List.of(program), true);
    }
    String why = end.map(status -> "code " + status.code()).orElse("errno " + -pid);
    LOG.warn(
        "Cannot run {} ({}); using shells instead, which take more processor time", program, why);
    return SHELL;
  }

  /** Returns the whole command line, by which a later life recognizes the shim. */
  List<String> argv(String owner, String bootId, Path podsDir) {
    List<String> argv = new ArrayList<>(words);
    argv.addAll(List.of(AttemptDir.SHIM_NAME, owner, bootId, podsDir.toString()));
    return argv;
  }
}
