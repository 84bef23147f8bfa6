package dev.stint.controllers.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.controllers.metrics.JobMetrics;
import dev.stint.harness.JobBuilder;
import dev.stint.harness.TestWorld;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.job.JobStatus;
import dev.stint.reconcile.ClusterRequests;
import dev.stint.reconcile.EventAggregator;
import dev.stint.reconcile.EventRecorder;
import dev.stint.reconcile.Informer;
import dev.stint.reconcile.QueueMetrics;
import dev.stint.reconcile.WorkQueue;
import org.junit.jupiter.api.Test;

/** A pod without a controller is compared with few Jobs: there may be 100,000 of other users. */
class OwnJobsTest {
  private final TestWorld world = new TestWorld();
  private final OwnJobs own = own();

  private OwnJobs own() {
    HeldShards shards = HeldShards.all(world.api);
    Informer pods = new Informer(world.api, Kind.POD, world.eventLoop, new Listener());
    return new OwnJobs(
        JobControllerOptions.DEFAULT,
        shards,
        new Relist(pods, world.eventLoop),
        new OrphanPods(world.api, shards, world.eventLoop, QueueMetrics.NONE),
        new EventAggregator(
            new EventRecorder(world.api, world.eventLoop.clock(), "test"), world.eventLoop),
        new WorkQueue<>("test", world.eventLoop, QueueMetrics.NONE, _ -> ClusterRequests.NOTHING),
        JobMetrics.NONE,
        world.eventLoop);
  }

  private static final class Listener implements Informer.Listener {
    @Override
    public void onUpdate(KubeObject object) {}

    @Override
    public void onDelete(String uid, String controller) {}

    @Override
    public void onSynced() {}
  }

  private KubeObject job(String namespace, String name) {
    return world.api.add(
        JobBuilder.named(name).metadata("'namespace':'" + namespace + "'").selecting("a", "b"));
  }

  @Test
  void jobsOfOtherNamespacesAreNotLookedAt() {
    for (int i = 0; i < 1_000; i++) {
      own.take(job("other", "j" + i));
    }
    JobWork work = own.take(job("default", "j"));
    assertThat(own.unfinishedIn("default")).containsExactly(work);
    assertThat(own.unfinishedIn("none")).isEmpty();
    own.drop(work);
    assertThat(own.unfinishedIn("default")).isEmpty();
  }

  @Test
  void finishedJobsAreNotLookedAt() {
    JobWork work = own.take(job("default", "j"));
    ObjectRef ref = work.object().ref();
    own.update(work, world.api.change(ref, condition("True")));
    assertThat(own.unfinishedIn("default")).isEmpty();
    own.update(work, world.api.change(ref, condition("False")));
    assertThat(own.unfinishedIn("default")).containsExactly(work);
    KubeObject ended = world.api.change(ref, condition("True"));
    work.updateStatus(ended, JobStatus.read(ended.status()));
    own.rest(work);
    assertThat(own.unfinishedIn("default")).isEmpty();
    own.drop(work);
    own.take(ended);
    assertThat(own.unfinishedIn("default")).isEmpty();
  }

  /** As when the answer to a question about its status comes after its shard was lost. */
  @Test
  void aJobThatWasLeftIsNotLookedAtThoughAnAnswerAboutItComesLater() {
    JobWork work = own.take(job("default", "j"));
    own.drop(work);
    own.update(work, work.object());
    own.rest(work);
    assertThat(own.unfinishedIn("default")).isEmpty();
  }

  private static String condition(String status) {
    return "{'status':{'conditions':[{'type':'Complete','status':'" + status + "'}]}}";
  }
}
