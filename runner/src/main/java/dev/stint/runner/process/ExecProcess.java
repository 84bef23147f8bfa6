package dev.stint.runner.process;

import dev.stint.model.item.ItemText;
import dev.stint.runner.access.ExecTarget;
import dev.stint.runner.process.command.Command;
import dev.stint.runner.process.command.Posix;
import dev.stint.runner.process.shim.ShimScript;
import dev.stint.runner.runtime.Attempt;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A command that a client or a probe runs in a container: with the same environment and working
 * directory, as the same user, in a process group of its own. Unlike a container's command, it does
 * not outlive this program's connection to it.
 */
final class ExecProcess implements ExecTarget {
  private static final Logger LOG = LoggerFactory.getLogger(ExecProcess.class);

  /**
   * The variable with commands that set those variables that a shell would drop, or whose bytes the
   * JDK would replace. The script of the shell is an argument, which everybody sees.
   */
  private static final String ENV = "__stint_env";

  /** Runs the words of a shell as a command, with those variables. */
  private static final String RUN = "eval \"$%s\"; unset %s; exec \"$@\"".formatted(ENV, ENV);

  private final Process process;
  private final boolean tty;

  private ExecProcess(Process process, boolean tty) {
    this.process = process;
    this.tty = tty;
  }

  /**
   * Starts a command.
   *
   * @param tty true for a terminal of its own, which {@code script} makes
   */
  static ExecProcess start(Command command, boolean tty) throws IOException {
    return new ExecProcess(builder(command, tty).start(), tty);
  }

  /** Starts a command without input and output. */
  static ExecProcess startSilently(Command command) throws IOException {
    ProcessBuilder builder =
        builder(command, false)
            .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD);
    return new ExecProcess(builder.start(), false);
  }

  private static ProcessBuilder builder(Command command, boolean tty) {
    Map<String, String> environment = new TreeMap<>(command.inherited().plain());
    environment.putAll(command.own());
    Map<String, String> others = new TreeMap<>(environment);
    others.values().removeIf(value -> !ItemText.isRaw(value));
    environment.keySet().removeAll(others.keySet());
    others.putAll(command.odd());
    boolean shell = tty || others.values().stream().anyMatch(ItemText::isRaw);
    if (tty) {
      environment.putIfAbsent("TERM", "xterm");
      environment.put("SHELL", "/bin/sh");
    }
    if (shell) {
      environment.put(ENV, ShimScript.env(others));
    } else {
      environment.putAll(others);
    }
    ProcessBuilder builder =
        new ProcessBuilder(argv(command, tty, shell)).directory(new File(command.workingDir()));
    builder.environment().clear();
    builder.environment().putAll(environment);
    return builder;
  }

  private static List<String> argv(Command command, boolean tty, boolean shell) {
    List<String> argv = new ArrayList<>(List.of("setsid"));
    if (tty) {
      argv.addAll(List.of("script", "-qefc", onTerminal(command), "/dev/null"));
    } else {
      argv.addAll(shell ? List.of("/bin/sh", "-c", RUN, "sh") : List.of());
      argv.addAll(command.argv());
    }
    return argv;
  }

  /** Returns the commands of the shell between. It would drop odd variables, so env sets them. */
  private static String onTerminal(Command command) {
    return "set --%s; %s".formatted(ShimScript.quoted(command.argv()), RUN);
  }

  @Override
  public InputStream stdout() {
    return process.getInputStream();
  }

  @Override
  public InputStream stderr() {
    return process.getErrorStream();
  }

  @Override
  public OutputStream stdin() {
    return process.getOutputStream();
  }

  @Override
  public CompletableFuture<Integer> exitCode() {
    return process.onExit().thenApply(Process::exitValue);
  }

  @Override
  public void resize(int columns, int rows) {
    if (tty) {
      terminal().ifPresent(path -> resize(path, columns, rows));
    }
  }

  private Optional<Path> terminal() {
    return process
        .children()
        .map(child -> Path.of("/proc/" + child.pid() + "/fd/0"))
        .flatMap(link -> {
          try {
            return java.util.stream.Stream.of(Files.readSymbolicLink(link));
          } catch (IOException gone) {
            return java.util.stream.Stream.<Path>empty();
          }
        })
        .filter(path -> path.startsWith("/dev/pts"))
        .findFirst();
  }

  private static void resize(Path terminal, int columns, int rows) {
    List<String> argv =
        List.of(
            "stty",
            "-F",
            terminal.toString(),
            "cols",
            String.valueOf(columns),
            "rows",
            String.valueOf(rows));
    try {
      new ProcessBuilder(argv)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .redirectError(ProcessBuilder.Redirect.DISCARD)
          .start();
    } catch (IOException fault) {
      LOG.debug("Cannot resize a terminal: {}", fault.toString());
    }
  }

  /** Kills it with all that it started, unless it has ended. */
  @Override
  public void close() {
    if (process.isAlive()) {
      // The terminal's program puts its command into a session of its own.
      List<ProcessHandle> all = process.descendants().toList();
      Posix.kill(-Math.toIntExact(process.pid()), Attempt.Signal.KILL.number());
      all.forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }
}
