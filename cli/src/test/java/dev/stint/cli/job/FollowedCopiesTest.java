package dev.stint.cli.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cli.Recorded;
import dev.stint.cli.location.CopyOptions;
import dev.stint.cli.location.JobsTarget;
import dev.stint.cli.location.TestTargets;
import dev.stint.harness.FakeCluster;
import dev.stint.harness.JobBuilder;
import dev.stint.model.KubeObject;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FollowedCopiesTest {
  private static final class NoReader implements FollowedCopies.Reader {
    @Override
    public FollowedLogs prepare(JobsTarget worker, @Nullable Instant since) {
      throw new AssertionError("there is no copy");
    }

    @Override
    public void follow(JobsTarget worker, FollowedLogs logs) {
      throw new AssertionError("there is no copy");
    }
  }

  @Test
  void aJobThatIsDeletedBeforeTheFirstListHasNoCopies() throws Exception {
    FakeCluster cluster = new FakeCluster(Runnable::run, InstantSource.system());
    KubeObject job = cluster.add(JobBuilder.named("short").managedBy("example.com/mirror"));
    cluster.erase(job.ref());
    Recorded recorded = Recorded.plain();
    FollowedCopies copies =
        new FollowedCopies(
            recorded.console(), InstantSource.system(), new CopyOptions(), job, new NoReader());
    CompletableFuture<Boolean> mirrored =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return copies.follow(TestTargets.of(cluster, (_, _) -> () -> {}));
              } catch (IOException | InterruptedException fault) {
                throw new CompletionException(fault);
              }
            },
            Thread::startVirtualThread);
    assertThat(mirrored.get(1, TimeUnit.MINUTES)).isTrue();
    assertThat(recorded.err()).containsExactly("stint: short was deleted");
  }
}
