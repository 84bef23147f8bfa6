package dev.stint.bench.attack;

/** Pods with an empty label where a Job's name is expected. */
final class EmptyJobNames implements Attack {
  private static final int PODS = 110;

  @Override
  public String name() {
    return "job-names";
  }

  @Override
  public String description() {
    return "110 pods with an empty job-name";
  }

  @Override
  public String run(Scene scene) throws Exception {
    Answers answers =
        scene.sendAll(PODS, i -> scene.attacker().sendAsync("POST", Scene.CORE + "pods", pod(i)));
    Thread.sleep(10_000);
    String pods = scene.attacker().get(Scene.CORE + "pods").body();
    return "%s; %d pods succeeded"
        .formatted(answers, pods.split("\"phase\":\"Succeeded\"", -1).length - 1);
  }

  private static String pod(int index) {
    return """
    {"metadata": {"name": "empty-%d", "labels": {"batch.kubernetes.io/job-name": "", "job-name": ""}},
     "spec": {"restartPolicy": "Never", "containers": [{"name": "main", "image": "none", "command": ["true"]}]}}
    """
        .formatted(index);
  }
}
