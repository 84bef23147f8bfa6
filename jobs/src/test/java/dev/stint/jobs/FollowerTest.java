package dev.stint.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.harness.FakeCluster;
import dev.stint.harness.JobBuilder;
import dev.stint.harness.TestTime;
import dev.stint.harness.TestWorld;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class FollowerTest implements Follower.Listener<KubeObject> {
  private final FakeCluster cluster = new FakeCluster(Runnable::run, InstantSource.system());
  private final TestTime time = new TestTime();
  private final List<String> heard = new ArrayList<>();

  private Follower<KubeObject> follower() {
    return Follower.of(cluster, Kind.JOB, null, time, new SplittableRandom(1), this);
  }

  @Override
  public void onUpdate(KubeObject job) {
    heard.add(job.name());
  }

  @Override
  public void onDelete(KubeObject last) {
    heard.add(last.name() + " is gone");
  }

  private KubeObject create(String name) {
    cluster.add(JobBuilder.named(name));
    return Objects.requireNonNull(cluster.peek(TestWorld.job(name)));
  }

  @Test
  void theDeletionOfAnExpectedObjectBeforeTheFirstListIsReported() {
    Follower<KubeObject> follower = follower();
    follower.expect(create("a"));
    cluster.erase(TestWorld.job("a"));
    follower.start();
    assertThat(heard).containsExactly("a is gone");
  }

  @Test
  void anExpectedObjectThatIsAsKnownIsNotReported() {
    Follower<KubeObject> follower = follower();
    follower.expect(create("a"));
    create("b");
    follower.start();
    assertThat(heard).containsExactly("b");
  }

  private void failLists(Reason reason) {
    cluster.before(request -> {
      if (request.line().startsWith("list ")) {
        throw new ClusterException(reason, "not now");
      }
    });
  }

  @Test
  void aListThatFailsForAMomentIsRepeatedOnceTheFirstOneHasWorked() {
    Follower<KubeObject> follower = follower();
    follower.start();
    failLists(Reason.UNAVAILABLE);
    cluster.endWatches(new ClusterException(Reason.GONE, "too old"));
    cluster.heal();
    create("a");
    time.advance(Duration.ofMinutes(1));
    assertThat(heard).containsExactly("a");
    assertThat(follower.failure()).isNotDone();
  }

  @Test
  void anApiThatHasGoneEndsTheFollower() {
    Follower<KubeObject> follower = follower();
    follower.start();
    failLists(Reason.UNAVAILABLE);
    cluster.endWatches(null);
    time.advance(Duration.ofMinutes(1));
    assertThat(follower.failure()).isNotDone();
    time.advance(Duration.ofMinutes(5));
    assertThat(follower.failure().join()).hasMessage("not now");
  }

  @Test
  void aListThatIsRefusedEndsTheFollower() {
    Follower<KubeObject> follower = follower();
    follower.start();
    failLists(Reason.FORBIDDEN);
    cluster.endWatches(new ClusterException(Reason.GONE, "too old"));
    assertThat(follower.failure().join()).hasMessage("not now");
  }

  @Test
  void aFirstListThatFailsForAMomentEndsTheFollower() {
    failLists(Reason.UNAVAILABLE);
    Follower<KubeObject> follower = follower();
    assertThatThrownBy(follower::start).hasMessage("not now");
    cluster.heal();
    time.advance(Duration.ofMinutes(1));
    assertThat(heard).isEmpty();
  }
}
