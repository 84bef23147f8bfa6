package dev.stint.runner.container;

import dev.stint.runner.container.daemon.Daemon;
import dev.stint.runner.container.daemon.DaemonException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The commands of probes and hooks in the containers of one pod. A daemon cannot end one, so this
 * kills a command that is given up, as at its timeout. Where the daemon's processes are not seen, a
 * command is not started again while it runs: otherwise a service that hangs would collect those of
 * all its probes. On any thread.
 */
final class HandlerCommands {
  private static final Logger LOG = LoggerFactory.getLogger(HandlerCommands.class);

  /** A command that is given up may just be starting. */
  private static final Duration LOOK = Duration.ofMillis(50);

  private static final int LOOKS = 20;

  /** The requests to a daemon. */
  interface Execs {
    /** Returns the ID of a command that is not started yet. */
    String prepare(String container, List<String> argv) throws DaemonException;

    /** Runs a command to its end, and returns its exit code. */
    int run(String id) throws DaemonException, IOException;

    Daemon.ExecState state(String id) throws DaemonException;
  }

  /** An earlier call of a command, which was given up, has not ended. */
  static final class StillRunning extends IOException {
    private static final long serialVersionUID = 1L;

    StillRunning(List<String> argv) {
      super("command " + argv + " still runs since an earlier call");
    }
  }

  private record Call(String container, List<String> argv) {}

  private final Execs execs;

  /** The IDs of those that were given up last. */
  private final Map<Call, String> givenUp = new ConcurrentHashMap<>();

  HandlerCommands(Execs execs) {
    this.execs = execs;
  }

  static HandlerCommands of(Daemon daemon) {
    return new HandlerCommands(
        new Execs() {
          @Override
          public String prepare(String container, List<String> argv) throws DaemonException {
            return daemon.prepareExec(container, argv, false, false);
          }

          @Override
          public int run(String id) throws DaemonException, IOException {
            return ContainerExec.run(daemon, id);
          }

          @Override
          public Daemon.ExecState state(String id) throws DaemonException {
            return daemon.exec(id);
          }
        });
  }

  /**
   * Runs a command, and returns its exit code. An interrupt gives it up.
   *
   * @param container the ID of a container that runs
   * @throws StillRunning if an earlier call of it hangs, so that it was not started
   */
  int run(String container, List<String> argv) throws DaemonException, IOException {
    Call call = new Call(container, argv);
    String earlier = givenUp.get(call);
    if (earlier != null && isRunning(earlier)) {
      giveUp(call, earlier); // It may have begun after the last look.
      throw new StillRunning(argv);
    }
    givenUp.remove(call);
    String id = execs.prepare(container, argv);
    boolean ended = false;
    try {
      int code = execs.run(id);
      ended = true;
      return code;
    } finally {
      if (!ended) {
        giveUp(call, id);
      }
    }
  }

  private boolean isRunning(String id) throws DaemonException {
    try {
      return execs.state(id).running();
    } catch (DaemonException fault) {
      if (fault.reason() == DaemonException.Reason.MISSING) {
        return false;
      }
      throw fault;
    }
  }

  private void giveUp(Call call, String id) {
    givenUp.put(call, id);
    boolean interrupted = Thread.interrupted(); // The daemon would not be waited for.
    try {
      kill(id, call.container());
    } catch (DaemonException fault) {
      LOG.debug("Cannot end {}: {}", call, fault.text());
    } catch (InterruptedException again) {
      interrupted = true;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void kill(String id, String container) throws DaemonException, InterruptedException {
    for (int i = 0; i < LOOKS; i++) {
      Daemon.ExecState state = execs.state(id);
      if (state.running() && state.pid() > 0) {
        DaemonProcesses.kill(state.pid(), container);
        return;
      }
      Thread.sleep(LOOK);
    }
  }
}
