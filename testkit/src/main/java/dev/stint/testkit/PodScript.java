package dev.stint.testkit;

import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import dev.stint.model.index.IndexSet;
import dev.stint.runner.runtime.ContainerRun;
import dev.stint.runner.runtime.SimulatedRuntime.Outcome;
import dev.stint.runner.runtime.SimulatedRuntime.Script;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The behaviour of the pods of a test. By default they all succeed as soon as they start.
 *
 * <pre>{@code
 * pods.everyPod().runsFor(30, SECONDS);
 * pods.onIndex(3).firstAttempt().exits(42);
 * pods.onIndex(5).attempt(2).runsFor(1, HOURS).exits(1);
 * pods.ofJob("watcher").neverEnds();
 * }</pre>
 *
 * <p>A pod's run time and its exit code are looked up separately: for each, the last matching rule
 * that sets it counts. So index 3 above runs for 30 s and exits with 42. A rule affects containers
 * that start after it was set.
 *
 * <p>All main containers of a pod behave alike. Init containers take no time, and sidecars run
 * until they are stopped.
 */
public final class PodScript {
  private final List<Rule> rules = new ArrayList<>();
  private final Map<String, Integer> attempts = new HashMap<>();
  private Script otherwise = (pod, random) -> new Outcome(Duration.ZERO, 0);

  PodScript() {}

  /** A start of a container. */
  private record Start(KubeObject pod, int attempt) {
    @Nullable Integer index() {
      String index = pod.annotation(Names.COMPLETION_INDEX);
      return index == null ? null : Integer.valueOf(index);
    }
  }

  /** Behaviour for the pods that match; fields that it does not set are null. */
  private record Rule(
      PodRule.Match match,
      @Nullable Duration duration,
      @Nullable Integer exitCode,
      @Nullable Duration stopping) {}

  /** Begins a rule for all pods. */
  public PodRule everyPod() {
    return new PodRule(this, new PodRule.Match(null, null, 0));
  }

  /** Begins a rule for the pods of Jobs of this name. */
  public PodRule ofJob(String name) {
    return everyPod().ofJob(name);
  }

  /** Begins a rule for the pods of one index of Indexed Jobs. */
  public PodRule onIndex(int index) {
    return everyPod().onIndex(index);
  }

  /**
   * Begins a rule for the pods of some indexes of Indexed Jobs.
   *
   * @param indexes in the notation of Jobs, such as {@code 0-4,7}
   */
  public PodRule onIndexes(String indexes) {
    return everyPod().onIndexes(indexes);
  }

  /** Sets the behaviour of containers by a function of their pod. Rules take precedence over it. */
  public synchronized void otherwise(Script script) {
    otherwise = script;
  }

  /** Forgets all rules and all attempts. */
  public synchronized void clear() {
    rules.clear();
    attempts.clear();
    otherwise = (pod, random) -> new Outcome(Duration.ZERO, 0);
  }

  synchronized void add(
      PodRule.Match match,
      @Nullable Duration duration,
      @Nullable Integer exitCode,
      @Nullable Duration stopping) {
    rules.add(new Rule(match, duration, exitCode, stopping));
  }

  synchronized Outcome play(ContainerRun run, RandomGenerator random) {
    Start start = new Start(run.pod(), attempts.merge(work(run), 1, Integer::sum));
    Outcome plain = otherwise.play(run.pod(), random);
    return new Outcome(
        valueFor(start, Rule::duration, plain.duration()),
        valueFor(start, Rule::exitCode, plain.exitCode()),
        valueFor(start, Rule::stopping, plain.stopping()));
  }

  /**
   * Returns the key by which attempts are counted: an index of a Job, or a Job without indexes, or
   * a pod.
   */
  private static String work(ContainerRun run) {
    KubeObject pod = run.pod();
    String controller = pod.controllerUid();
    String owner = controller == null ? pod.uid() : controller;
    return owner + "/" + pod.annotation(Names.COMPLETION_INDEX) + "/" + run.name();
  }

  private <T> T valueFor(Start start, Function<Rule, @Nullable T> what, T plain) {
    for (Rule rule : rules.reversed()) {
      T value = what.apply(rule);
      if (value != null && matches(rule.match(), start)) {
        return value;
      }
    }
    return plain;
  }

  private static boolean matches(PodRule.Match match, Start start) {
    String job = match.job();
    IndexSet indexes = match.indexes();
    Integer index = start.index();
    return (job == null || job.equals(start.pod().label(Names.JOB_NAME)))
        && (indexes == null || index != null && indexes.contains(index))
        && (match.attempt() == 0 || match.attempt() == start.attempt());
  }
}
