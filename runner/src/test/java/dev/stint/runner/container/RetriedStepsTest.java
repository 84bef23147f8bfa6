package dev.stint.runner.container;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.harness.TestTime;
import dev.stint.runner.container.daemon.DaemonException;
import dev.stint.runner.container.daemon.DaemonException.Reason;
import dev.stint.runner.runtime.Exit;
import dev.stint.runner.runtime.RetryDelays;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RetriedStepsTest {
  private final TestTime time = new TestTime();
  private final List<Exit> failures = new ArrayList<>();
  private final RetriedSteps steps =
      new RetriedSteps(time, time, Runnable::run, "an attempt", failures::add);
  private int runs;

  @Test
  void aStepIsRepeatedWhileTheDaemonIsAway() {
    steps.run(() -> failTwice(new DaemonException(Reason.AWAY, "away", null)));
    assertThat(runs).isEqualTo(1);
    time.advance(RetryDelays.REQUEST.delay(1));
    time.advance(RetryDelays.REQUEST.delay(2));
    assertThat(runs).isEqualTo(3);
    assertThat(failures).isEmpty();
  }

  @Test
  void aStepIsRepeatedWhileTheDiskIsNotAvailable() {
    steps.run(() -> {
      runs++;
      if (runs == 1) {
        throw new IOException("the disk is full");
      }
    });
    time.advance(RetryDelays.REQUEST.delay(1));
    assertThat(runs).isEqualTo(2);
  }

  @Test
  void aRefusalFailsTheAttempt() {
    steps.run(() -> {
      throw new DaemonException(Reason.REFUSED, "no such option", null);
    });
    assertThat(failures).singleElement().extracting(Exit::message).isEqualTo("no such option");
  }

  @Test
  void nothingIsRunOnceItIsClosed() {
    steps.run(() -> failTwice(new DaemonException(Reason.AWAY, "away", null)));
    steps.close();
    time.advance(Duration.ofMinutes(1));
    steps.run(() -> runs++);
    assertThat(runs).isEqualTo(1);
  }

  private void failTwice(DaemonException fault) throws DaemonException {
    runs++;
    if (runs <= 2) {
      throw fault;
    }
  }
}
