package dev.stint.runner.process;

import dev.stint.runner.process.command.Command;
import dev.stint.runner.process.command.Posix;
import dev.stint.runner.process.command.ResourceExhaustion;
import dev.stint.runner.runtime.Attempt;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * A command of a probe or a hook: without input and output, as the leader of a session. It is
 * started as containers are. The JDK starts processes through a program among its own files, which
 * an update of the JDK may replace while this program runs: no probe would pass any more.
 */
final class HandlerProcess implements AutoCloseable {
  /** The exit code that a shell has for a command that it cannot start. */
  private static final int NOT_STARTABLE = 127;

  private final int pid;
  private final ProcessHandle handle;
  private final CompletableFuture<Integer> exitCode;

  /** True once another process may have the process ID. */
  private boolean reaped;

  private HandlerProcess(int pid) {
    this.pid = pid;
    // It exists until it is reaped.
    this.handle = ProcessHandle.of(pid).orElseThrow();
    this.exitCode = handle.onExit().thenApply(_ -> reap());
  }

  /**
   * Runs a command to its end. An interrupt kills it, with all that it started.
   *
   * @return its exit code; that of a shell if it cannot be started
   * @throws IOException if the machine can start no process now
   */
  static int run(Command command) throws IOException, InterruptedException, ExecutionException {
    int pid = spawn(command);
    if (pid < 0 && ResourceExhaustion.isCause(-pid)) {
      throw new IOException("no process can be started (errno " + -pid + ")");
    }
    if (pid < 0) {
      return NOT_STARTABLE;
    }
    try (HandlerProcess process = new HandlerProcess(pid)) {
      return process.exitCode.get();
    }
  }

  private static int spawn(Command command) {
    List<String> argv = command.argv();
    List<String> environment = environment(command);
    int pid = Posix.spawnIn(command.workingDir(), argv, environment);
    if (pid != -Posix.ENOEXEC) {
      return pid;
    }
    // A script that names no interpreter.
    List<String> script = new ArrayList<>(List.of("/bin/sh"));
    script.addAll(argv);
    return Posix.spawnIn(command.workingDir(), script, environment);
  }

  private static List<String> environment(Command command) {
    Map<String, String> all = new TreeMap<>(command.inherited().plain());
    all.putAll(command.own());
    all.putAll(command.odd());
    return all.entrySet().stream().map(each -> each.getKey() + "=" + each.getValue()).toList();
  }

  private synchronized int reap() {
    reaped = true;
    return Posix.await(pid).map(Posix.WaitStatus::code).orElse(-1);
  }

  /** Kills it with all that it started, unless it has ended. */
  @Override
  public synchronized void close() {
    if (!reaped) {
      List<ProcessHandle> all = handle.descendants().toList();
      Posix.kill(-pid, Attempt.Signal.KILL.number());
      all.forEach(ProcessHandle::destroyForcibly);
    }
  }
}
