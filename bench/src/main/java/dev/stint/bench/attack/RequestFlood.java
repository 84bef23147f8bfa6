package dev.stint.bench.attack;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/** Lists without a pause from 200 threads, while somebody else works. */
final class RequestFlood implements Attack {
  private static final int THREADS = 200;
  private static final int SECONDS = 30;

  @Override
  public String name() {
    return "flood";
  }

  @Override
  public String description() {
    return "30 s of lists and creations without a pause, 200 at once, while another user reads";
  }

  @Override
  public String run(Scene scene) throws Exception {
    fill(scene);
    AtomicBoolean ended = new AtomicBoolean();
    Answers answers = new Answers();
    List<CompletableFuture<?>> all = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      int thread = i;
      all.add(
          CompletableFuture.runAsync(
              () -> {
                for (int n = 0; !ended.get(); n++) {
                  answers.add(Scene.said(request(scene, thread, n)));
                }
              },
              Thread::startVirtualThread));
    }
    ProbeLatencies reads = readMeanwhile(scene);
    ended.set(true);
    CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).join();
    return "%s; another user's reads %s".formatted(answers, reads);
  }

  private static void fill(Scene scene) {
    String value = "x".repeat(10_000);
    scene.sendAll(
        200,
        i ->
            scene
                .attacker()
                .sendAsync(
                    "POST",
                    Scene.CORE + "configmaps",
                    "{\"metadata\":{\"name\":\"f%d\"},\"data\":{\"k\":\"%s\"}}"
                        .formatted(i, value)));
  }

  private static ApiClient.Answer request(Scene scene, int thread, int n) {
    return n % 10 == 0
        ? scene
            .attacker()
            .send(
                "POST",
                Scene.CORE + "configmaps",
                "{\"metadata\":{\"name\":\"n%d-%d\"}}".formatted(thread, n))
        : scene.attacker().get(Scene.CORE + "configmaps?limit=50");
  }

  private static ProbeLatencies readMeanwhile(Scene scene) throws InterruptedException {
    ProbeLatencies reads = new ProbeLatencies();
    long end = System.nanoTime() + SECONDS * 1_000_000_000L;
    while (System.nanoTime() < end) {
      long start = System.nanoTime();
      int code = scene.admin().get("/api/v1/namespaces/default").code();
      double taken = (System.nanoTime() - start) / 1e6;
      if (code == 200) {
        reads.add(taken);
      } else {
        reads.addFailure(taken);
      }
      Thread.sleep(50);
    }
    return reads;
  }
}
