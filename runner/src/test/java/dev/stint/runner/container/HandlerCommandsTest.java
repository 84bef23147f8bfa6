package dev.stint.runner.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.runner.container.daemon.Daemon.ExecState;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class HandlerCommandsTest {
  private static final List<String> PING = List.of("client", "ping");

  /** Larger than all that Linux gives. */
  private static final long NO_PROCESS = Integer.MAX_VALUE;

  /** A daemon on another machine, whose commands end only if they are told to. */
  private static final class Remote implements HandlerCommands.Execs {
    final List<String> started = new ArrayList<>();
    final Set<String> running = new HashSet<>();
    boolean hangs;

    @Override
    public String prepare(String container, List<String> argv) {
      started.add(container + ": " + String.join(" ", argv));
      return String.valueOf(started.size());
    }

    @Override
    public int run(String id) throws IOException {
      if (hangs) {
        running.add(id);
        throw new InterruptedIOException("cancelled");
      }
      return 4;
    }

    @Override
    public ExecState state(String id) {
      boolean runs = running.contains(id);
      return new ExecState(runs, runs ? null : 4, NO_PROCESS);
    }
  }

  private final Remote remote = new Remote();
  private final HandlerCommands commands = new HandlerCommands(remote);

  /** Otherwise each probe of a service that hangs would leave a process. */
  @Test
  void aCommandThatCannotBeKilledIsNotStartedAgainWhileItRuns() throws Exception {
    remote.hangs = true;
    assertThatThrownBy(() -> commands.run("c", PING)).isInstanceOf(InterruptedIOException.class);
    remote.hangs = false;
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> commands.run("c", PING))
          .isInstanceOf(HandlerCommands.StillRunning.class)
          .hasMessage("command [client, ping] still runs since an earlier call");
    }
    assertThat(commands.run("c", List.of("stop"))).isEqualTo(4);
    assertThat(commands.run("d", PING)).isEqualTo(4);
    assertThat(remote.started).containsExactly("c: client ping", "c: stop", "d: client ping");
    remote.running.clear();
    assertThat(commands.run("c", PING)).isEqualTo(4);
  }
}
