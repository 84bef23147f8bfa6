package dev.stint.bench.attack;

import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** A Job of 200 KB that asks for two thousand million pods of that size. */
final class HugeParallelism implements Attack {
  @Override
  public String name() {
    return "parallelism";
  }

  @Override
  public String description() {
    return "a Job with parallelism 2,000,000,000 and an annotation of 200 KB";
  }

  /** Its pods take long, so that without a limit another namespace waits for their end. */
  @Override
  public List<String> options() {
    return List.of("--runtime", "process", "--max-pods-per-namespace", "100");
  }

  @Override
  public String run(Scene scene) throws Exception {
    String job =
        """
        {"metadata": {"name": "huge"}, "spec": {"parallelism": 2000000000, "completions": 2000000000, "template": {
         "metadata": {"annotations": {"a": "%s"}}, "spec": {"restartPolicy": "Never", "containers": [
         {"name": "main", "image": "none", "command": ["sleep", "1000"]}]}}}}
        """
            .formatted("x".repeat(200_000));
    int code = scene.attacker().send("POST", Scene.BATCH + "jobs", job).code();
    Thread.sleep(30_000);
    return "%d; %s pods after 30 s".formatted(code, pods(scene));
  }

  /** Suspends the Job, which stays stored: its running pods hold all places of the node. */
  @Override
  public void giveUp(Scene scene) {
    ApiClient.Answer job = scene.admin().get(Scene.BATCH + "jobs/huge");
    ObjectNode suspended = job.tree();
    suspended.withObjectProperty("spec").put("suspend", true);
    scene.admin().send("PUT", Scene.BATCH + "jobs/huge", suspended.toString());
  }

  private static String pods(Scene scene) {
    ApiClient.Answer job = scene.attacker().get(Scene.BATCH + "jobs/huge");
    return job.code() == 200 ? job.tree().at("/status/active").asString("no") : Scene.said(job);
  }
}
