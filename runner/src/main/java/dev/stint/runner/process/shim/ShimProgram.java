package dev.stint.runner.process.shim;

import dev.stint.runner.file.Handle;
import dev.stint.runner.process.command.AttemptDir;
import dev.stint.runner.process.command.Posix;
import dev.stint.runner.process.command.ShellScripts;
import java.io.IOException;
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
 *     requests, variables with any name, spare directories for logs, and reports of silent commands
 */
public record ShimProgram(List<String> words, boolean isCompiled) {
  /** The system property that names the compiled program's file. */
  static final String PROPERTY = "stint.shim";

  public static final ShimProgram SHELL =
      new ShimProgram(List.of("/bin/sh", "-c", ShellScripts.SHIM), false);

  private static final Logger LOG = LoggerFactory.getLogger(ShimProgram.class);

  /** The exit status of the compiled program without arguments. */
  private static final int USAGE = 2;

  /** Looked up once, as it stays open. */
  private static final class Here {
    private static final ShimProgram PROGRAM = find(System.getProperty(PROPERTY, ""));
  }

  /** Returns the compiled program, if there is one; otherwise a shell. */
  public static ShimProgram ofThisProcess() {
    return Here.PROGRAM;
  }

  private static ShimProgram find(String file) {
    return file.isEmpty() ? SHELL : compiled(Path.of(file));
  }

  /** Returns the compiled program, if this machine can run it; otherwise a shell. */
  static ShimProgram compiled(Path file) {
    Optional<ShimProgram> held = held(file);
    if (held.isPresent()) {
      return held.get();
    }
    String program = file.toAbsolutePath().toString();
    String why = fault(program);
    if (why.isEmpty()) {
      return new ShimProgram(List.of(program), true);
    }
    LOG.warn(
        "Cannot run {} ({}); using shells instead, which take more processor time", program, why);
    return SHELL;
  }

  /**
   * Returns the program by its file, which is open from then on. It stays the same if the file is
   * removed or replaced at its path, as by an upgrade, while this process goes on to start shims.
   */
  private static Optional<ShimProgram> held(Path file) {
    try {
      Handle handle = Handle.open(file);
      String program = handle.sharedPath().toString();
      if (fault(program).isEmpty()) {
        return Optional.of(new ShimProgram(List.of(program), true));
      }
      handle.close();
    } catch (IOException fault) {
      LOG.debug("Cannot open {}: {}", file, fault.toString());
    }
    return Optional.empty();
  }

  /** Returns why this machine cannot run a program as a shim; empty if it can. */
  private static String fault(String program) {
    int pid = Posix.spawn(List.of(program), List.of());
    if (pid < 0) {
      return "errno " + -pid;
    }
    int code = Posix.await(pid).map(Posix.WaitStatus::code).orElse(-1);
    return code == USAGE ? "" : "code " + code;
  }

  /** Returns the whole command line, by which a later life recognizes the shim. */
  List<String> argv(String owner, String bootId, Path podsDir) {
    List<String> argv = new ArrayList<>(words);
    argv.addAll(List.of(AttemptDir.SHIM_NAME, owner, bootId, podsDir.toString()));
    return argv;
  }
}
