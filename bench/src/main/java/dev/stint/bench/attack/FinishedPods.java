package dev.stint.bench.attack;

import java.util.SplittableRandom;
import tools.jackson.databind.node.ObjectNode;

/** A Job without an end, whose pods of 200 KB end at once and stay. */
final class FinishedPods implements Attack {
  @Override
  public String name() {
    return "finished";
  }

  @Override
  public String description() {
    return "a Job without an end whose pods of 200 KB end at once, for 60 s";
  }

  @Override
  public String run(Scene scene) throws Exception {
    String job =
        """
        {"metadata": {"name": "endless"}, "spec": {"parallelism": 100, "completions": 2000000000, "template": {
         "metadata": {"annotations": {"a": "%s"}}, "spec": {"restartPolicy": "Never", "containers": [
         {"name": "main", "image": "none", "command": ["true"]}]}}}}
        """
            .formatted(ManyObjects.text(new SplittableRandom(1), 150_000));
    int code = scene.attacker().send("POST", Scene.BATCH + "jobs", job).code();
    Thread.sleep(60_000);
    ApiClient.Answer found = scene.attacker().get(Scene.BATCH + "jobs/endless");
    return "%d; %s pods have ended"
        .formatted(
            code,
            found.code() == 200
                ? found.tree().at("/status/succeeded").asString("no")
                : Scene.said(found));
  }

  /** Suspends the Job, which stays stored with its pods. */
  @Override
  public void giveUp(Scene scene) {
    ApiClient.Answer job = scene.admin().get(Scene.BATCH + "jobs/endless");
    if (job.code() == 200) {
      ObjectNode suspended = job.tree();
      suspended.withObjectProperty("spec").put("suspend", true);
      scene.admin().send("PUT", Scene.BATCH + "jobs/endless", suspended.toString());
    }
  }
}
