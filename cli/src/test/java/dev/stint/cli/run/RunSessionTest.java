package dev.stint.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.cli.Recorded;
import dev.stint.cli.follow.FollowOptions;
import dev.stint.cli.output.ExitCode;
import dev.stint.cli.output.OutputFormat;
import dev.stint.cli.output.UserException;
import dev.stint.cli.share.TestMachine;
import dev.stint.cli.submit.ExistingJobs;
import dev.stint.cli.submit.RequestedJob;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.harness.FakeCluster;
import dev.stint.harness.JobBuilder;
import dev.stint.model.Json;
import dev.stint.model.document.Documents;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.node.ObjectNode;

@Timeout(60)
class RunSessionTest {
  private final FakeCluster cluster = new FakeCluster(Runnable::run, InstantSource.system());
  private final CompletableFuture<String> failure = new CompletableFuture<>();
  private final Recorded recorded = Recorded.plain();

  /** Runs a Job whose list is one config map, in a directory that another command holds. */
  private int run() {
    return run(CompletableFuture.completedFuture(null), FollowOptions.of(OutputFormat.text));
  }

  /**
   * @param free completes when Jobs may be claimed
   */
  private int run(CompletableFuture<?> free, FollowOptions following) {
    RunSession.Options options =
        new RunSession.Options(TestMachine.options(), ExistingJobs.CONTINUE, List.of(), following);
    JoinedWorkplace place = new JoinedWorkplace(cluster, free, failure);
    try (RunSession session =
        new RunSession(recorded.console(), options, List.of(withList()), place)) {
      return session.run();
    }
  }

  private static RequestedJob withList() {
    ObjectNode list =
        Json.parse(
            """
            {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a-0"}}
            """);
    byte[] job = Json.bytes(JobBuilder.named("a").build().tree());
    RequestedJob alone = RequestedJob.of(Documents.read("the list", job).getFirst());
    return new RequestedJob(
        alone.document(), alone.tree(), alone.digest(), List.of(list), null, Set.of(), null);
  }

  @Test
  void theUserLearnsWhyAListIsRefused() {
    cluster.before(request -> {
      if (request.line().startsWith("create configmaps")) {
        throw new ClusterException(Reason.FORBIDDEN, "exceeded quota: few");
      }
    });
    assertThatThrownBy(this::run)
        .isInstanceOf(UserException.class)
        .hasMessage("exceeded quota: few");
  }

  @Test
  void theTimeoutHoldsWhilePodsOfAnotherCommandStop() {
    FollowOptions brief =
        new FollowOptions(Duration.ofMillis(10), OutputFormat.text, false, false, null, true);
    assertThat(run(new CompletableFuture<>(), brief)).isEqualTo(ExitCode.TIMEOUT.status());
    assertThat(recorded.err())
        .last()
        .isEqualTo(
            "stint: --timeout passed before all Jobs were submitted; the same command goes on with"
                + " them");
  }

  @Test
  void theReasonForWhichTheDirectoryCannotBeUsedIsToldInsteadOfARefusal() {
    cluster.before(request -> {
      if (request.line().startsWith("create configmaps")) {
        failure.complete("the disk is full");
        throw new ClusterException(Reason.UNAVAILABLE, "closed");
      }
    });
    assertThat(run()).isEqualTo(ExitCode.USAGE.status());
    assertThat(recorded.err().getFirst()).isEqualTo("stint: the disk is full");
    assertThat(recorded.errText()).doesNotContain("closed");
  }
}
