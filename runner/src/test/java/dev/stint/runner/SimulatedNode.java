package dev.stint.runner;

import dev.stint.harness.TestLoop;
import dev.stint.harness.TestTime;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.runner.runtime.AttemptListener;
import dev.stint.runner.runtime.ContainerRun;
import dev.stint.runner.runtime.Runtime;
import dev.stint.runner.runtime.SimulatedRuntime;
import dev.stint.runner.runtime.SimulatedRuntime.Outcome;
import dev.stint.runner.spec.ContainerRole;
import dev.stint.runner.spec.Handler;
import dev.stint.runner.spec.ResourceAmount;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A runner on a simulated runtime with scripted containers: no real time, one thread. */
final class SimulatedNode {
  private static final Duration STEP = Duration.ofMillis(250);
  static final Outcome FOR_EVER = new Outcome(Duration.ofDays(1000), 0);

  final PodCluster cluster = new PodCluster();
  final TestLoop loop = new TestLoop();
  final TestTime time = loop.time;

  /** The names of containers, in the order of their starts. */
  final List<String> played = new ArrayList<>();

  /** The handler calls on running containers, in order: the container and the handler. */
  final List<String> handled = new ArrayList<>();

  /** The listeners of the attempts, in the order of their starts. */
  final List<AttemptListener> listeners = new ArrayList<>();

  /** Sets the pods' volume that is too large from now on. */
  Optional<String> overuse = Optional.empty();

  private final Map<String, Queue<Outcome>> outcomes = new HashMap<>();
  private BiFunction<String, Handler, CompletableFuture<Handler.Result>> answers =
      (_, _) -> CompletableFuture.completedFuture(Handler.Result.GOOD);
  final SimulatedRuntime runtime = new SimulatedRuntime(new Script(), new Random(1), time, time);

  /** Plays the script of each container. */
  private final class Script implements SimulatedRuntime.Script {
    @Override
    public Outcome play(KubeObject pod, RandomGenerator random) {
      throw new IllegalStateException("asked of a pod as a whole");
    }

    @Override
    public Outcome play(ContainerRun run, ContainerRole role, RandomGenerator random) {
      played.add(run.name());
      Queue<Outcome> told = Objects.requireNonNull(outcomes.get(run.name()), run.name());
      return told.size() > 1 ? told.remove() : told.element();
    }

    @Override
    public Optional<String> overuse(KubeObject pod) {
      return overuse;
    }

    @Override
    public CompletableFuture<Handler.Result> handle(ContainerRun run, Handler handler) {
      handled.add(run.name() + " " + handler);
      return answers.apply(run.name(), handler);
    }
  }

  /** Sets the outcomes of the next runs of a container; the last one is repeated. */
  void tell(String container, Outcome... runs) {
    outcomes.put(container, new ArrayDeque<>(List.of(runs)));
  }

  void answer(BiFunction<String, Handler, CompletableFuture<Handler.Result>> how) {
    answers = how;
  }

  void answerWith(boolean good) {
    Handler.Result result = good ? Handler.Result.GOOD : Handler.Result.bad("as told");
    answer((_, _) -> CompletableFuture.completedFuture(result));
  }

  static Outcome outcome(int seconds, int exitCode) {
    return new Outcome(Duration.ofSeconds(seconds), exitCode);
  }

  /** Starts a new life of the runner. */
  Runner live() {
    return live(ResourceAmount.UNLIMITED);
  }

  Runner live(ResourceAmount machine) {
    return live(options -> options.withMachine(machine));
  }

  Runner live(UnaryOperator<RunnerOptions> how) {
    RunnerOptions options =
        how.apply(new RunnerOptions("here", 9, _ -> true).withMachine(ResourceAmount.UNLIMITED));
    Runner runner = new Runner(cluster, overheard(), loop.eventLoop(), options);
    runner.start();
    run();
    return runner;
  }

  /** Returns the runtime, of which the listeners become known. */
  private Runtime overheard() {
    InvocationHandler handler =
        (_, method, arguments) -> {
          if (method.getName().equals("start")) {
            listeners.add((AttemptListener) arguments[1]);
          }
          try {
            return method.invoke(runtime, arguments);
          } catch (InvocationTargetException thrown) {
            throw thrown.getTargetException();
          }
        };
    Class<?>[] types = {Runtime.class};
    return (Runtime) Proxy.newProxyInstance(Runtime.class.getClassLoader(), types, handler);
  }

  /** Adds a pod with this spec, in JSON with single quotes. */
  void add(String name, String spec) {
    ObjectNode pod = PodCluster.newPod(name);
    ObjectNode own = pod.withObjectProperty("spec");
    own.setAll(Json.parse(spec.replace('\'', '"')));
    cluster.put(pod);
    run();
  }

  void run() {
    loop.settle();
  }

  void advance(int seconds) {
    run();
    for (int i = 0; i < seconds * 20; i++) {
      time.advance(Duration.ofMillis(50));
      run();
    }
  }

  /** Lets approximately this time pass. */
  void pass(Duration by) {
    run();
    for (Duration left = by; left.isPositive(); left = left.minus(STEP)) {
      time.advance(STEP);
      run();
    }
  }

  JsonNode status(String pod) {
    return Objects.requireNonNull(cluster.pod(pod).status());
  }

  /** Returns the status of a container or init container. */
  JsonNode container(String pod, String name) {
    for (String list : List.of("initContainerStatuses", "containerStatuses")) {
      for (JsonNode each : status(pod).path(list)) {
        if (name.equals(Json.text(each, "name"))) {
          return each;
        }
      }
    }
    throw new IllegalArgumentException("no container " + name + " in " + status(pod));
  }

  /** Returns the text of a condition: status, reason and message. */
  String condition(String pod, String type) {
    for (JsonNode condition : status(pod).path("conditions")) {
      if (type.equals(Json.text(condition, "type"))) {
        return String.join(
                " ",
                condition.path("status").asString(""),
                condition.path("reason").asString(""),
                condition.path("message").asString(""))
            .strip();
      }
    }
    return "";
  }

  String waitingReason(String pod, String container) {
    return container(pod, container).at("/state/waiting/reason").asString("");
  }

  int exitCode(String pod, String container) {
    return container(pod, container).at("/state/terminated/exitCode").asInt(-1);
  }

  String finishedAt(String pod, String container) {
    return container(pod, container).at("/state/terminated/finishedAt").asString("");
  }
}
