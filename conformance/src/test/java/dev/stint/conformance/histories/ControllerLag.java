package dev.stint.conformance.histories;

import dev.stint.conformance.histories.HistoryAction.Verb;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import tools.jackson.databind.node.ObjectNode;

/**
 * How long it takes until one sees what the controller does, measured all the time: with a Job
 * without pods that is suspended and resumed, and with a pod of nobody that is changed.
 */
final class ControllerLag implements Runnable {
  private static final String NAME = "lag";
  private static final ObjectRef POD = new ObjectRef(Kind.POD, ControllerWorld.NAMESPACE, NAME);
  private static final Duration PAUSE = Duration.ofMillis(500);
  private static final long FORGETTING = 10_000;

  private final RealWorld world;
  private final JobObserver observer;
  private final JobPlayer player;
  private long since;
  private long worst;
  private long worstAt;

  ControllerLag(RealWorld world) {
    this.world = world;
    this.observer = world.observe(NAME);
    this.player = new JobPlayer(world, observer, NAME);
  }

  /** Measures until the thread is interrupted. */
  @Override
  public void run() {
    player.create(job());
    world.send(List.of(() -> world.api().create(KubeObject.of(pod()))));
    for (boolean suspend = true; !Thread.currentThread().isInterrupted(); suspend = !suspend) {
      ObjectNode patch = Json.object();
      patch.putObject("spec").put("suspend", suspend);
      begin();
      player.play(new HistoryAction(Verb.PATCH, List.of(), patch));
      String expected = "Suspended=" + (suspend ? "True" : "False");
      await(() -> status().contains(expected));
      String phase = suspend ? "Running" : "Unknown";
      world.send(List.of(() -> world.api().patchStatus(POD, phase(phase))));
      await(() -> observer.podsText().startsWith("-" + phase.charAt(0)));
      end();
      RealWorld.sleep(PAUSE);
    }
  }

  private static void await(BooleanSupplier seen) {
    while (!seen.getAsBoolean()) {
      RealWorld.sleep(Duration.ofMillis(20));
    }
  }

  private String status() {
    var job = observer.job();
    return job == null ? "" : StatusText.of(job);
  }

  private static ObjectNode job() {
    return Json.parse(
        """
        {"apiVersion":"batch/v1","kind":"Job","spec":{"parallelism":0,"template":{"spec":{
        "restartPolicy":"Never","containers":[{"name":"main","image":"none"}]}}}}\
        """);
  }

  private static ObjectNode pod() {
    return Json.parse(
        """
        {"apiVersion":"v1","kind":"Pod","metadata":{"name":"lag","namespace":"default","labels":{
        "batch.kubernetes.io/job-name":"lag"}},"spec":{"nodeName":"node-1","containers":[
        {"name":"main","image":"none"}]}}\
        """);
  }

  private static ObjectNode phase(String phase) {
    ObjectNode patch = Json.object();
    patch.putObject("status").put("phase", phase);
    return patch;
  }

  private synchronized void begin() {
    since = System.currentTimeMillis();
  }

  private synchronized void end() {
    long now = System.currentTimeMillis();
    long lag = now - since;
    since = 0;
    if (lag >= worst || now - worstAt > FORGETTING) {
      worst = lag;
      worstAt = now;
    }
  }

  /** Returns the longest lag of the last seconds, in milliseconds. */
  synchronized long millis() {
    return since == 0 ? worst : Math.max(worst, System.currentTimeMillis() - since);
  }
}
