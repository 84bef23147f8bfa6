package dev.stint.cli.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.cli.Recorded;
import dev.stint.cli.location.TestTargets;
import dev.stint.cli.output.ExitCode;
import dev.stint.cli.output.UserException;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.harness.FakeCluster;
import dev.stint.harness.JobBuilder;
import dev.stint.harness.TestTime;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Commands about several Jobs, of which the API refuses the first. */
class ChangedJobsTest {
  private final FakeCluster cluster = new FakeCluster(Runnable::run, new TestTime());
  private final Recorded recorded = Recorded.plain();

  @BeforeEach
  void twoJobsThatHaveEnded() {
    for (String name : List.of("a", "b")) {
      cluster.add(
          JobBuilder.named(name)
              .status("'completionTime':'2026-01-01T00:00:00Z'")
              .condition("Complete", "", "", Instant.parse("2026-01-01T00:00:00Z")));
    }
  }

  private void refuseA(Reason reason) {
    cluster.before(request -> {
      if (request.ref().name().equals("a") && request.isWrite()) {
        throw new ClusterException(reason, "not you");
      }
    });
  }

  private ExitCode gc() throws Exception {
    GcCommand command = new GcCommand(recorded.console());
    return command.run(TestTargets.of(cluster, (_, _) -> () -> {}));
  }

  private List<String> left() {
    return cluster.peekAll(Kind.JOB).stream().map(KubeObject::name).toList();
  }

  @Test
  void gcGoesOnIfAJobIsGone() throws Exception {
    refuseA(Reason.NOT_FOUND);
    assertThat(gc()).isEqualTo(ExitCode.OK);
    assertThat(recorded.out()).containsExactly("a: deleted", "b: deleted");
    assertThat(left()).as("another client has deleted the other one").containsExactly("a");
  }

  @Test
  void gcNamesTheJobsThatItMayNotDelete() {
    refuseA(Reason.FORBIDDEN);
    assertThatThrownBy(this::gc).isInstanceOf(UserException.class).hasMessage("a: not you");
    assertThat(recorded.out()).containsExactly("b: deleted");
    assertThat(left()).containsExactly("a");
  }

  @Test
  void rmNamesTheJobsThatItMayNotDelete() {
    refuseA(Reason.FORBIDDEN);
    RmCommand command = new RmCommand(recorded.console());
    command.jobs = List.of("a", "b");
    assertThatThrownBy(() -> command.run(TestTargets.of(cluster, (_, _) -> () -> {})))
        .isInstanceOf(UserException.class)
        .hasMessage("a: not you");
    assertThat(recorded.out()).containsExactly("b: deleted");
    assertThat(left()).containsExactly("a");
  }
}
