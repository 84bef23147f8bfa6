package dev.stint.controllers.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.WatchEvent;
import dev.stint.controllers.metrics.Metrics;
import dev.stint.harness.FakeCluster;
import dev.stint.harness.JobBuilder;
import dev.stint.harness.TestLoop;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.job.JobStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * The requests of the controller, beside an API that can do 500 requests a second and a node that
 * starts and ends pods as fast as that API can store it.
 */
class RequestsTest {
  private static final Duration SERVICE = Duration.ofMillis(4);
  private static final int SERVED_AT_ONCE = 2;
  private static final int NODE_WORKERS = 48;

  private final TestLoop loop = new TestLoop();
  private final FakeCluster api = new FakeCluster(this::serve, loop.time);
  private final Queue<Runnable> waiting = new ArrayDeque<>();
  private int served;

  private final Queue<KubeObject> toRun = new ArrayDeque<>();
  private int nodeBusy;
  private final Map<String, Instant> lastEnd = new HashMap<>();
  private final Map<String, Instant> completed = new HashMap<>();

  private void serve(Runnable request) {
    waiting.add(request);
    serveNext();
  }

  private void serveNext() {
    if (served < SERVED_AT_ONCE && !waiting.isEmpty()) {
      served++;
      Runnable next = waiting.remove();
      loop.eventLoop()
          .after(
              SERVICE,
              () -> {
                served--;
                next.run();
                serveNext();
              });
    }
  }

  private void observe(WatchEvent event) {
    KubeObject object = event.object();
    if (object.kindName().equals("Pod") && event.type() == WatchEvent.Type.ADDED) {
      toRun.add(object);
      loop.execute(this::runPods);
    }
    if (object.kindName().equals("Job") && JobStatus.read(object.status()).isFinished()) {
      completed.putIfAbsent(object.name(), loop.now());
    }
  }

  private void runPods() {
    while (nodeBusy < NODE_WORKERS && !toRun.isEmpty()) {
      nodeBusy++;
      KubeObject pod = toRun.remove();
      patch(pod, "Running")
          .thenCompose(_ -> patch(pod, "Succeeded"))
          .thenAcceptAsync(ended -> onEnd(ended), loop);
    }
  }

  private CompletableFuture<KubeObject> patch(KubeObject pod, String phase) {
    return api.patchStatus(pod.ref(), Json.parse("{\"status\":{\"phase\":\"" + phase + "\"}}"));
  }

  private void onEnd(KubeObject pod) {
    nodeBusy--;
    lastEnd.put(String.valueOf(pod.label("job-name")), loop.now());
    runPods();
  }

  private void run(int jobs, int completions, int parallelism) {
    api.onChange(this::observe);
    JobControllerOptions options =
        JobControllerOptions.DEFAULT.withLongestStatusDelay(Duration.ofSeconds(15));
    new JobController(api, loop.eventLoop(), Metrics.NONE, options).start();
    loop.pass(Duration.ofSeconds(1));
    for (int i = 0; i < jobs; i++) {
      api.add(
          JobBuilder.named("j" + i)
              .metadata("'generation':1")
              .parallelism(parallelism)
              .completions(completions)
              .backoffLimit(6)
              .spec("'completionMode':'Indexed','podReplacementPolicy':'TerminatingOrFailed'")
              .selecting("job-name", "j" + i));
    }
    loop.pass(Duration.ofMinutes(3));
    assertThat(completed).hasSize(jobs);
  }

  private long sent(String request) {
    return api.requests.stream().filter(line -> line.startsWith(request + " ")).count();
  }

  /** Counts all writes of the controller: a node only patches the status of pods. */
  private long sent() {
    return api.requests.stream().filter(line -> !line.startsWith("patchStatus pods ")).count();
  }

  private Duration median() {
    return completed.keySet().stream()
        .map(job -> Duration.between(lastEnd.get(job), completed.get(job)))
        .sorted()
        .toList()
        .get(completed.size() / 2);
  }

  @Test
  void aLargeJobTakesTwoRequestsAPod() {
    run(1, 2_000, 500);
    assertThat(sent("create pods")).isEqualTo(2_000);
    assertThat(sent("patch pods")).isEqualTo(2_000);
    assertThat(sent("updateStatus jobs")).isLessThanOrEqualTo(14);
    assertThat(sent()).isLessThanOrEqualTo(4_020); // 2.01 for each
    assertThat(median()).isLessThan(Duration.ofMillis(230));
  }

  @Test
  void manySmallJobsTakeThreeStatusesEach() {
    run(100, 10, 10);
    assertThat(sent("create pods")).isEqualTo(1_000);
    assertThat(sent("patch pods")).isEqualTo(1_000);
    assertThat(sent("create events")).isEqualTo(200);
    assertThat(sent("updateStatus jobs")).isLessThanOrEqualTo(300);
    assertThat(sent()).isLessThanOrEqualTo(2_500);
    assertThat(median()).isLessThan(Duration.ofSeconds(1));
  }
}
