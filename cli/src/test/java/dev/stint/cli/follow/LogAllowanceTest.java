package dev.stint.cli.follow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.stint.harness.PodBuilder;
import dev.stint.harness.TestTime;
import dev.stint.jobs.attempts.ContainerAttemptView;
import dev.stint.jobs.attempts.LogSource;
import dev.stint.jobs.attempts.PodAttempts;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LogAllowanceTest {
  private static final ContainerAttemptView ATTEMPT =
      PodAttempts.of(
              PodBuilder.named("a")
                  .status("'containerStatuses':[{'name':'main','state':{'running':{}}}]")
                  .build())
          .getFirst();

  private final TestTime time = new TestTime();
  private final LogAllowance allowance = new LogAllowance(time, time);
  private final AtomicInteger reads = new AtomicInteger();

  private void read(LogSource logs) throws IOException, InterruptedException {
    LogSource counted =
        (attempt, latest, view, follow, out) -> {
          reads.incrementAndGet();
          logs.copy(attempt, latest, view, follow, out);
        };
    allowance
        .limited(counted)
        .copy(ATTEMPT, true, LogSource.View.of(false, null, null), null, _ -> {});
  }

  /** Half the allowed time, less a little. */
  private void takeTime() {
    time.advance(LogAllowance.MOST.dividedBy(2).minus(Duration.ofMillis(1)));
  }

  @Test
  void logsThatComeTakeTheirTime() throws Exception {
    for (int i = 0; i < 10; i++) {
      read((_, _, _, _, _) -> takeTime());
    }
    assertThat(reads).hasValue(10);
  }

  @Test
  void logsThatCannotBeReadShareTheTime() {
    LogSource refused =
        (_, _, _, _, _) -> {
          takeTime();
          throw new IOException("its node is away");
        };
    assertThatIOException().isThrownBy(() -> read(refused)).withMessage("its node is away");
    assertThatIOException().isThrownBy(() -> read(refused)).withMessage("its node is away");
    LogSource late =
        (_, _, _, _, _) -> {
          time.advanceOnceArmed(Duration.ofMillis(2));
          new CountDownLatch(1).await();
        };
    assertThatIOException().isThrownBy(() -> read(late)).withMessage("it has not come in time");
    assertThatIOException()
        .isThrownBy(() -> read(refused))
        .withMessage("it was not waited for any more");
    assertThat(reads).hasValue(3);
  }

  @Test
  void logsAreGivenUpSoon() throws Exception {
    allowance.giveUpSoon();
    read((_, _, _, _, _) -> {});
    time.advance(LogAllowance.MOST);
    assertThatIOException()
        .isThrownBy(() -> read((_, _, _, _, _) -> {}))
        .withMessage("it was not waited for any more");
  }
}
