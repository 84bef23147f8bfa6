package dev.stint.runner.container;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.harness.TestTime;
import dev.stint.runner.container.daemon.DaemonException;
import dev.stint.runner.container.daemon.DaemonException.Reason;
import dev.stint.runner.runtime.Exit;
import dev.stint.runner.runtime.RetryDelays;
import java.io.IOException;
import java.nio.file.FileSystemException;
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
  void aStepIsRepeatedWhileTheDiskIsFull() {
    steps.run(() -> fail(new IOException("x: No space left on device")));
    time.advance(RetryDelays.REQUEST.delay(1));
    time.advance(RetryDelays.REQUEST.delay(2));
    assertThat(runs).isEqualTo(3);
    assertThat(failures).isEmpty();
  }

  /** Without a message, a pod would wait for ever. */
  @Test
  void anotherFaultOfAFileIsTriedAgainOnceAndFailsTheAttemptThen() {
    steps.run(() -> fail(new FileSystemException("x", null, "Operation not permitted")));
    assertThat(failures).isEmpty();
    time.advance(Duration.ofHours(1));
    assertThat(runs).isEqualTo(2);
    assertThat(failures)
        .singleElement()
        .extracting(Exit::message)
        .asString()
        .startsWith("cannot prepare the container: ")
        .contains("x: Operation not permitted");
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

  private void fail(IOException fault) throws IOException {
    runs++;
    throw fault;
  }

  private void failTwice(DaemonException fault) throws DaemonException {
    runs++;
    if (runs <= 2) {
      throw fault;
    }
  }
}
