package dev.stint.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.ForwardingCluster;
import dev.stint.cluster.ObjectList;
import dev.stint.harness.FakeCluster;
import dev.stint.harness.JobBuilder;
import dev.stint.harness.PodBuilder;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class JobPodRemovalTest {
  private final FakeCluster cluster = new FakeCluster(Runnable::run, InstantSource.system());
  private final List<String> lists = new ArrayList<>();
  private final JobPodRemoval removal = new JobPodRemoval(new Counting());

  /** Counts lists, which come in parts only. */
  private final class Counting extends ForwardingCluster {
    Counting() {
      super(cluster);
    }

    @Override
    public CompletableFuture<ObjectList> list(Kind kind, @Nullable String namespace) {
      throw new IllegalStateException("a whole list");
    }

    @Override
    public CompletableFuture<String> list(
        Kind kind, @Nullable String namespace, Function<ObjectList, CompletableFuture<?>> each) {
      lists.add(kind.plural() + " of " + namespace);
      return super.list(kind, namespace, each);
    }
  }

  private KubeObject job(String name, String status) {
    KubeObject job = cluster.add(JobBuilder.named(name).status(status));
    for (int i = 0; i < 3; i++) {
      cluster.add(PodBuilder.of(job, name + "-" + i).running());
    }
    return job;
  }

  private KubeObject finished(String name) {
    return job(name, "'conditions':[{'type':'Complete','status':'True'}]");
  }

  private List<String> pods() {
    return cluster.peekAll(Kind.POD).stream().map(KubeObject::name).toList();
  }

  @Test
  void thePodsOfManyFinishedJobsAreListedOnce() {
    List<KubeObject> jobs = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      jobs.add(finished("j" + i));
    }
    cluster.add(PodBuilder.named("other").running());
    jobs.forEach(removal::removePodsOf);
    assertThat(pods()).containsExactly("other");
    assertThat(lists).containsExactly("pods of default");
  }

  @Test
  void podsOfAJobThatFinishedAfterTheListAreListedAnew() {
    KubeObject first = finished("first");
    KubeObject running = job("late", "'active':1");
    removal.removePodsOf(first);
    cluster.add(PodBuilder.of(running, "new").running());
    removal.removePodsOf(
        cluster.change(
            running.ref(), "{'status':{'conditions':[{'type':'Complete','status':'True'}]}}"));
    assertThat(pods()).isEmpty();
    assertThat(lists).hasSize(2);
  }

  @Test
  void podsOfAnUnfinishedJobAreListedAnew() {
    KubeObject job = job("j", "'active':1");
    removal.removePodsOf(job);
    cluster.add(PodBuilder.of(job, "new").running());
    removal.removePodsOf(job);
    assertThat(pods()).isEmpty();
  }

  @Test
  void podsThatAreGoneAlreadyDoNotMatter() {
    KubeObject one = finished("one");
    KubeObject two = finished("two");
    removal.removePodsOf(one);
    cluster.peekAll(Kind.POD).forEach(pod -> cluster.erase(pod.ref()));
    removal.removePodsOf(two);
    assertThat(lists).hasSize(1);
  }
}
