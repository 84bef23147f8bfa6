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
 * What stands between the runner and commands: a shell with the script {@code shim.sh}, or a
 * program that does the same with less work, where there was a compiler for {@code shim.c}.
 *
 * @param words the program and what it needs before its own arguments
 * @param isCompiled whether it does what only {@code shim.c} does: take scripts with requests, take
 *     a spare directory for logs, and tell of commands that printed nothing
 */
public record ShimProgram(List<String> words, boolean isCompiled) {
  /** The system property that names the file of the compiled one. */
  static final String PROPERTY = "stint.shim";

  public static final ShimProgram SHELL =
      new ShimProgram(List.of("/bin/sh", "-c", ShellScripts.SHIM), false);

  private static final Logger LOG = LoggerFactory.getLogger(ShimProgram.class);

  /** How the compiled one ends when it is called with nothing. */
  private static final int USAGE = 2;

  /** The compiled one, where there is one. */
  public static ShimProgram ofThisProcess() {
    String file = System.getProperty(PROPERTY, "");
    return file.isEmpty() ? SHELL : compiled(Path.of(file));
  }

  /** The compiled one, if this machine can run it; else a shell. */
  public static ShimProgram compiled(Path file) {
    String program = file.toAbsolutePath().toString();
    int pid = Posix.spawn(List.of(program), List.of());
    Optional<Posix.WaitStatus> end = pid > 0 ? Posix.await(pid) : Optional.empty();
    if (end.filter(status -> status.code() == USAGE).isPresent()) {
      return new ShimProgram(List.of(program), true);
    }
    String why = end.map(status -> "code " + status.code()).orElse("errno " + -pid);
    LOG.warn("{} can't be run here ({}); shells take its place, which cost more", program, why);
    return SHELL;
  }

  /** The whole command line, by which a later life knows the shim again. */
  List<String> argv(String owner, String bootId, Path podsDir) {
    List<String> argv = new ArrayList<>(words);
    argv.addAll(List.of(AttemptDir.SHIM_NAME, owner, bootId, podsDir.toString()));
    return argv;
  }
}
