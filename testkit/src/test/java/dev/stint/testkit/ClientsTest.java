package dev.stint.testkit;

import static dev.stint.testkit.JobAssert.assertThat;
import static dev.stint.testkit.JobsTest.job;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.stint.cluster.ClusterException.Reason;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.BatchV1Api;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The clients that a test may use, and their faults. */
@StintTest
class ClientsTest {
  private static final String HELD = "  suspend: true\n";

  @Test
  void clientsSeeTheConsequencesOfTheirRequests(
      KubernetesClient fabric8, ApiClient java, Jobs jobs, PodScript pods, TestClock clock)
      throws Exception {
    pods.everyPod().runsFor(30, SECONDS);
    fabric8.load(yaml(job("hello", "  parallelism: 2\n  completions: 2\n"))).create();
    List<Pod> running = fabric8.pods().withLabel("job-name", "hello").list().getItems();
    assertThat(running).hasSize(2).allMatch(pod -> pod.getStatus().getPhase().equals("Running"));
    clock.advance(30, SECONDS);
    Job done = fabric8.batch().v1().jobs().withName("hello").get();
    assertThat(done.getStatus().getSucceeded()).isEqualTo(2);
    assertThat(new BatchV1Api(java).readNamespacedJob("hello", jobs.namespace()).execute())
        .satisfies(job -> assertThat(job.getStatus().getSucceeded()).isEqualTo(2));
    assertThat(jobs.job("hello")).isComplete();
  }

  @Test
  void anyClientCanUseTheKubeconfig(@Kubeconfig Path file, @Kubeconfig String text)
      throws Exception {
    assertThat(Files.readString(file))
        .isEqualTo(text)
        .contains("server: \"https://127.0.0.1:")
        .contains("namespace: test-1");
  }

  @Test
  void theNextUpdatesConflict(KubernetesClient fabric8, ApiFaults faults, Jobs jobs) {
    jobs.apply(job("held", HELD));
    faults.next(2).updates().of("jobs").conflict();
    Job held = fabric8.batch().v1().jobs().withName("held").get();
    for (int i = 0; i < 2; i++) {
      assertThatExceptionOfType(KubernetesClientException.class)
          .isThrownBy(() -> fabric8.resource(labelled(held)).update())
          .withMessageContaining("the object has been modified")
          .satisfies(refusal -> assertThat(refusal.getCode()).isEqualTo(409));
    }
    assertThat(fabric8.resource(labelled(held)).update().getMetadata().getLabels())
        .containsEntry("a", "b");
  }

  private static Job labelled(Job job) {
    return job.edit().editMetadata().addToLabels("a", "b").endMetadata().build();
  }

  @Test
  void requestsFailAndClientsRetry(KubernetesClient fabric8, ApiFaults faults, Jobs jobs) {
    faults.next(1).lists().fail(Reason.INTERNAL);
    faults.next(1).lists().tooManyRequests(Duration.ofSeconds(0));
    assertThat(fabric8.batch().v1().jobs().list().getItems()).isEmpty();
    faults.next(1).gets().fail(Reason.FORBIDDEN);
    assertThatExceptionOfType(KubernetesClientException.class)
        .isThrownBy(() -> fabric8.batch().v1().jobs().withName("x").get())
        .withMessageContaining("failed by the test: get jobs x");
    faults.every().fail(Reason.FORBIDDEN);
    assertThat(jobs.all()).isEmpty();
    faults.clear();
    assertThat(fabric8.batch().v1().jobs().withName("x").get()).isNull();
  }

  @Test
  void answersAreLostOrLate(ApiClient java, ApiFaults faults, Jobs jobs) throws Exception {
    jobs.apply(job("held", HELD));
    faults.next(1).deletes().loseAnswer();
    BatchV1Api api = new BatchV1Api(java);
    assertThatExceptionOfType(ApiException.class)
        .isThrownBy(() -> api.deleteNamespacedJob("held", jobs.namespace()).execute())
        .satisfies(lost -> assertThat(lost.getCode()).isEqualTo(504));
    assertThat(jobs.all()).isEmpty();
    faults.next(1).lists().takes(50, MILLISECONDS);
    long before = System.nanoTime();
    assertThat(api.listNamespacedJob(jobs.namespace()).execute().getItems()).isEmpty();
    assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThan(Duration.ofMillis(50));
  }

  @Test
  void watchesBreakOff(KubernetesClient fabric8, ApiFaults faults, Jobs jobs) throws Exception {
    CompletableFuture<String> seen = new CompletableFuture<>();
    try (SharedIndexInformer<Job> informer = fabric8.batch().v1().jobs().inform()) {
      faults.next(1).watches().of("jobs").fail(Reason.GONE);
      faults.dropWatches();
      informer.addEventHandler(new Seeing(seen));
      jobs.apply(job("held", HELD));
      assertThat(seen.get(60, SECONDS)).isEqualTo("held");
    }
  }

  @Test
  void controllersAreAffectedOnlyOnRequest(ApiFaults faults, Jobs jobs, TestClock clock) {
    faults.ofControllers().next(3).creates().of("pods").fail(Reason.INTERNAL);
    TestJob unlucky = jobs.apply(job("unlucky", ""));
    assertThat(unlucky).isNotFinished();
    assertThat(unlucky.awaitFinished()).isComplete();
    faults.ofControllers().dropWatches();
    TestJob unseen = jobs.apply(job("unseen", ""));
    assertThat(unseen).hasActive(0).isNotFinished();
    clock.advance(10, SECONDS);
    assertThat(unseen).isComplete();
    faults.ofControllers().every().of("pods").creates().takes(1, SECONDS);
    TestJob slow = jobs.apply(job("slow", ""));
    assertThat(slow.pods()).isEmpty();
    clock.advance(2, SECONDS);
    assertThat(slow).isComplete();
  }

  @Test
  void theExtensionWorksWithoutTheLibrariesOfClients() throws Exception {
    URL[] others =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(path -> !path.matches(".*/(io/fabric8|io/kubernetes|org/assertj)/.*"))
            .map(ClientsTest::url)
            .toArray(URL[]::new);
    try (URLClassLoader loader = new URLClassLoader(others, ClassLoader.getPlatformClassLoader())) {
      Class<?> extension = loader.loadClass(StintExtension.class.getName());
      assertThat(extension.getMethod("create").invoke(null)).isNotNull();
      assertThat(extension.getDeclaredMethods()).isNotEmpty();
      assertThatExceptionOfType(ClassNotFoundException.class)
          .isThrownBy(() -> loader.loadClass(KubernetesClient.class.getName()));
    }
  }

  private static InputStream yaml(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }

  private static URL url(String path) {
    try {
      return Path.of(path).toUri().toURL();
    } catch (MalformedURLException fault) {
      throw new IllegalStateException(fault);
    }
  }

  /** Completes with the name of the first Job. */
  private record Seeing(CompletableFuture<String> seen) implements ResourceEventHandler<Job> {
    @Override
    public void onAdd(Job job) {
      seen.complete(job.getMetadata().getName());
    }

    @Override
    public void onUpdate(Job before, Job job) {}

    @Override
    public void onDelete(Job job, boolean unknown) {}
  }
}
