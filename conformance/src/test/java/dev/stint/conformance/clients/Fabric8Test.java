package dev.stint.conformance.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.cluster.DeleteOptions;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.store.StoreOptions;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfig;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfigBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The client that most Java programs use. */
class Fabric8Test {
  private static final String NAMESPACE = "fabric8";

  /** So few that a client which was away for a while cannot resume its watch. */
  private static final int EVENTS_HELD = 500;

  @TempDir Path directory;
  private ServedApi served;
  private KubernetesClient client;

  @BeforeEach
  void serve() throws Exception {
    served =
        ServedApi.simulated(
            directory, new StoreOptions(EVENTS_HELD, 64 << 20, StoreOptions.Durability.RELAXED));
    client =
        new KubernetesClientBuilder()
            .withConfig(Config.fromKubeconfig(served.kubeconfig().toFile()))
            .build();
    client
        .resource(
            new NamespaceBuilder().withNewMetadata().withName(NAMESPACE).endMetadata().build())
        .create();
  }

  @AfterEach
  void stop() {
    client.close();
    served.close();
  }

  private static Job job(String name) {
    return new JobBuilder()
        .withNewMetadata()
        .withName(name)
        .withNamespace(NAMESPACE)
        .endMetadata()
        .withNewSpec()
        .withCompletions(2)
        .withCompletionMode("Indexed")
        .withNewTemplate()
        .withNewSpec()
        .withRestartPolicy("Never")
        .addNewContainer()
        .withName("main")
        .withImage("none")
        .endContainer()
        .endSpec()
        .endTemplate()
        .endSpec()
        .build();
  }

  private static Job labelled(String name, String value) {
    return new JobBuilder(job(name))
        .editMetadata()
        .addToLabels("team", value)
        .endMetadata()
        .build();
  }

  private static boolean complete(Job job) {
    return job != null
        && job.getStatus() != null
        && job.getStatus().getConditions().stream()
            .anyMatch(c -> c.getType().equals("Complete") && c.getStatus().equals("True"));
  }

  @Test
  void aJobRunsAndIsWaitedFor() {
    client.resource(job("pi")).create();
    Job done =
        client.resource(job("pi")).waitUntilCondition(Fabric8Test::complete, 1, TimeUnit.MINUTES);
    assertThat(done.getStatus().getCompletedIndexes()).isEqualTo("0,1");
    assertThat(client.pods().inNamespace(NAMESPACE).withLabel("job-name", "pi").list().getItems())
        .hasSize(2)
        .allMatch(pod -> pod.getStatus().getPhase().equals("Succeeded"));
  }

  @Test
  void informersContinueAfterTheirRevisionHasExpired() throws Exception {
    Seen<Job> jobs = new Seen<>();
    Seen<Pod> pods = new Seen<>();
    try (SharedIndexInformer<Job> jobInformer =
            client.batch().v1().jobs().inNamespace(NAMESPACE).inform(jobs, 0);
        SharedIndexInformer<Pod> podInformer =
            client.pods().inNamespace(NAMESPACE).inform(pods, 0)) {
      client.resource(job("before")).create();
      jobs.until(seen -> seen.what().equals("updated") && complete(seen.object()));
      pods.until(seen -> seen.object().getStatus().getPhase().equals("Succeeded"));
      served.unreachable(() -> {
        served
            .plane()
            .cluster()
            .delete(
                ref("before"), new DeleteOptions(null, null, DeleteOptions.Propagation.BACKGROUND))
            .get();
        for (int i = 0; i < 2 * EVENTS_HELD; i++) {
          served.plane().cluster().create(configMap("filler-" + i)).get();
        }
      });
      client.resource(job("after")).create();
      jobs.until(
          List.of(
              seen -> seen.what().equals("deleted") && named(seen.object(), "before"),
              seen -> named(seen.object(), "after") && complete(seen.object())));
      assertThat(jobInformer.getStore().list())
          .extracting(j -> j.getMetadata().getName())
          .containsExactly("after");
      assertThat(podInformer.isRunning()).isTrue();
    }
  }

  private static boolean named(HasMetadata object, String name) {
    return object.getMetadata().getName().equals(name);
  }

  private static ObjectRef ref(String job) {
    return new ObjectRef(Kind.JOB, NAMESPACE, job);
  }

  private static KubeObject configMap(String name) {
    return KubeObject.of(
        Json.parse(
            """
            {"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"%s","namespace":"%s"}}
            """
                .formatted(name, NAMESPACE)));
  }

  @Test
  void applyConflictsAreReportedAndMayBeForced() {
    client.resource(labelled("pi", "a")).fieldManager("one").serverSideApply();
    assertThatThrownBy(
            () -> client.resource(labelled("pi", "b")).fieldManager("two").serverSideApply())
        .isInstanceOfSatisfying(
            KubernetesClientException.class,
            refusal -> assertThat(refusal.getCode()).isEqualTo(409));
    Job forced =
        client.resource(labelled("pi", "b")).fieldManager("two").forceConflicts().serverSideApply();
    assertThat(forced.getMetadata().getLabels()).containsEntry("team", "b");
    assertThat(forced.getMetadata().getManagedFields())
        .extracting(ManagedFieldsEntry::getManager)
        .contains("one", "two");
  }

  @Test
  void objectsAreEditedAndStaleOnesRefused() {
    ConfigMap created = client.resource(map()).create();
    ConfigMap edited =
        client
            .resource(created)
            .edit(found -> new ConfigMapBuilder(found).addToData("x", "y").build());
    assertThat(edited.getData()).containsEntry("x", "y");
    assertThatThrownBy(() -> client.resource(created).lockResourceVersion("1").update())
        .isInstanceOfSatisfying(
            KubernetesClientException.class,
            refusal -> assertThat(refusal.getCode()).isEqualTo(409));
  }

  @Test
  void watchesReportEachChange() throws Exception {
    BlockingQueue<String> actions = new LinkedBlockingQueue<>();
    try (Watch watch =
        client
            .configMaps()
            .inNamespace(NAMESPACE)
            .withName("c")
            .watch(
                new Watcher<>() {
                  @Override
                  public void eventReceived(Action action, ConfigMap object) {
                    actions.add(action.name());
                  }

                  @Override
                  public void onClose(WatcherException cause) {
                    actions.add("closed: " + cause);
                  }
                })) {
      assertThat(watch).isNotNull();
      client.resource(map()).create();
      client
          .configMaps()
          .inNamespace(NAMESPACE)
          .withName("c")
          .edit(map -> {
            map.setData(Map.of("a", "b"));
            return map;
          });
      client.resource(map()).delete();
      for (String expected : new String[] {"ADDED", "MODIFIED", "DELETED"}) {
        assertThat(actions.poll(1, TimeUnit.MINUTES)).isEqualTo(expected);
      }
    }
  }

  private static ConfigMap map() {
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withName("c")
        .withNamespace(NAMESPACE)
        .endMetadata()
        .build();
  }

  @Test
  void theSecondCandidateLeadsAfterTheFirst() throws Exception {
    CompletableFuture<String> first = new CompletableFuture<>();
    CompletableFuture<String> second = new CompletableFuture<>();
    CompletableFuture<?> leading = candidate("one", first);
    assertThat(first.get(1, TimeUnit.MINUTES)).isEqualTo("one");
    CompletableFuture<?> waiting = candidate("two", second);
    assertThat(second).isNotDone();
    leading.cancel(true);
    assertThat(second.get(1, TimeUnit.MINUTES)).isEqualTo("two");
    waiting.cancel(true);
  }

  private CompletableFuture<?> candidate(String name, CompletableFuture<String> leads) {
    LeaderElectionConfig config =
        new LeaderElectionConfigBuilder()
            .withName("candidate " + name)
            .withLock(new LeaseLock(NAMESPACE, "leader", name))
            .withLeaseDuration(Duration.ofSeconds(30))
            .withRenewDeadline(Duration.ofSeconds(20))
            .withRetryPeriod(Duration.ofMillis(200))
            .withReleaseOnCancel(true)
            .withLeaderCallbacks(
                new LeaderCallbacks(() -> leads.complete(name), () -> {}, leader -> {}))
            .build();
    return client.leaderElector().withConfig(config).build().start();
  }

  /** The events of an informer, in order. */
  private static final class Seen<T> implements ResourceEventHandler<T> {
    private final BlockingQueue<Event<T>> events = new LinkedBlockingQueue<>();

    private record Event<T>(String what, T object) {}

    void until(Predicate<Event<T>> wanted) throws InterruptedException {
      until(List.of(wanted));
    }

    /** Waits until each event was seen, in any order; drops other events before that. */
    void until(List<Predicate<Event<T>>> wanted) throws InterruptedException {
      List<Predicate<Event<T>>> missing = new ArrayList<>(wanted);
      while (!missing.isEmpty()) {
        Event<T> event = events.poll(1, TimeUnit.MINUTES);
        assertThat(event).as("an event").isNotNull();
        missing.removeIf(one -> one.test(event));
      }
    }

    @Override
    public void onAdd(T object) {
      events.add(new Event<>("added", object));
    }

    @Override
    public void onUpdate(T before, T after) {
      events.add(new Event<>("updated", after));
    }

    @Override
    public void onDelete(T object, boolean finalStateUnknown) {
      events.add(new Event<>("deleted", object));
    }
  }
}
