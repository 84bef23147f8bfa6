package dev.stint.cli.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cli.Recorded;
import dev.stint.cluster.ClusterException;
import dev.stint.jobs.attempts.LogSource;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class LogsCommandTest {
  private final Recorded recorded = Recorded.plain();
  private final FollowedLogs logs =
      new FollowedLogs(
          recorded.console(),
          new FollowedLogs.JobLocation(
              () -> {
                throw new AssertionError("not asked");
              },
              "default",
              (_, _) -> () -> {},
              Random::new),
          (_, _, _, _, _) -> {},
          LogSource.View.of(false, null, null),
          AttemptOptions.Choice.ALL,
          (_, _) -> "");

  @Test
  @Timeout(60)
  void logsOfAJobWithoutACommandEndAlsoIfItsStateIsUnknown() throws Exception {
    LogsCommand.onLeft(
        recorded.console(),
        "job/a",
        () -> {
          throw new ClusterException(ClusterException.Reason.UNAVAILABLE, "it is closed");
        },
        logs);
    logs.followFiles(List::of, new CompletableFuture<>());
    assertThat(recorded.err())
        .containsExactly(
            "stint: a: the command that ran it has ended, and its state is unknown: it is closed");
  }

  @Test
  @Timeout(60)
  void anUnfinishedJobIsSaidToBeLeft() throws Exception {
    LogsCommand.onLeft(recorded.console(), "a", () -> true, logs);
    logs.followFiles(List::of, new CompletableFuture<>());
    assertThat(recorded.err()).singleElement().asString().contains("run that command again");
  }
}
