package dev.stint.testkit;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.testkit.document.FilePattern;
import dev.stint.testkit.document.FoundFile;
import dev.stint.testkit.time.SimulatedTimeScheduler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * One test of another JVM. It carries out what the test asks for as texts.
 *
 * @param session closed with this
 * @param classPath of the test, where files are looked for
 */
record RemoteSession(TestSession session, ClassLoader classPath) implements AutoCloseable {
  /**
   * Does what a verb says, and returns the answer. Requests that change something run one after
   * another; those that only read do not wait for them, so that a test sees time pass.
   */
  String done(String verb, List<String> given) {
    return switch (verb) {
      case "namespace" -> session.namespace().name();
      case "kubeconfig" -> session.kubeconfig();
      case "instant" -> session.controlPlane().clock().instant().toString();
      default -> {
        act(verb, given);
        yield "";
      }
    };
  }

  private synchronized void act(String verb, List<String> given) {
    switch (verb) {
      case "apply" -> session.jobs().applyAll(given.getFirst());
      case "applyFiles" -> given.forEach(this::applyFiles);
      case "crd" -> crds().apply(given.getFirst());
      case "advance" -> clock().advance(Duration.parse(given.getFirst()));
      case "advanceTo" -> clock().advanceTo(Instant.parse(given.getFirst()));
      case "settle" -> clock().settle();
      case "pods" -> behave(rule(given), given.get(3), given.get(4));
      case "clearPods" -> session.script().clear();
      case "fault" -> fail(request(given), given.get(4), given.get(5));
      case "dropWatches" -> faults(given.getFirst()).dropWatches();
      case "clearFaults" -> session.faults().clear();
      default -> throw new IllegalArgumentException("unknown verb " + verb);
    }
    session.controlPlane().throwScriptFault();
  }

  private Crds crds() {
    return new Crds(session.controlPlane(), classPath);
  }

  private void applyFiles(String pattern) {
    try {
      new FilePattern(pattern).find(classPath).forEach(this::apply);
    } catch (IOException fault) {
      throw new UncheckedIOException("cannot read " + pattern, fault);
    }
  }

  private void apply(FoundFile file) {
    try {
      session.jobs().applyAll(file.text());
    } catch (IllegalArgumentException | ClusterException refusal) {
      throw new IllegalArgumentException(file.name() + ": " + refusal.getMessage(), refusal);
    }
  }

  private TestClock clock() {
    SimulatedTimeScheduler driver = session.controlPlane().driver();
    if (driver == null) {
      throw new IllegalStateException("real time cannot be advanced; use simulated time");
    }
    return new TestClock(driver);
  }

  /** Selects pods by Job, indexes and attempt; an empty text selects all. */
  private PodRule rule(List<String> given) {
    PodRule rule = session.script().everyPod();
    rule = given.get(0).isEmpty() ? rule : rule.ofJob(given.get(0));
    rule = given.get(1).isEmpty() ? rule : rule.onIndexes(given.get(1));
    return given.get(2).isEmpty() ? rule : rule.attempt(Integer.parseInt(given.get(2)));
  }

  private static void behave(PodRule rule, String behaviour, String value) {
    switch (behaviour) {
      case "exits" -> rule.exits(Integer.parseInt(value));
      case "runsFor" -> rule.runsFor(Duration.parse(value));
      case "neverEnds" -> rule.neverEnds();
      case "takesToStop" ->
          rule.takesToStop(Duration.parse(value).toMillis(), TimeUnit.MILLISECONDS);
      default -> throw new IllegalArgumentException("unknown behaviour " + behaviour);
    }
  }

  private ApiFaults faults(String whose) {
    return whose.equals("controllers") ? session.faults().ofControllers() : session.faults();
  }

  /** Selects requests by sender, number, resource and verbs; an empty text selects all. */
  private FaultRule request(List<String> given) {
    FaultRule rule = faults(given.get(0)).next(Integer.parseInt(given.get(1)));
    rule = given.get(2).isEmpty() ? rule : rule.of(given.get(2));
    return given.get(3).isEmpty() ? rule : rule.verbs(given.get(3).split(","));
  }

  private static void fail(FaultRule rule, String outcome, String value) {
    switch (outcome) {
      case "conflict" -> rule.conflict();
      case "fail" -> rule.fail(Reason.valueOf(value.toUpperCase(Locale.ROOT)));
      case "tooManyRequests" -> rule.tooManyRequests(Duration.parse(value));
      case "loseAnswer" -> rule.loseAnswer();
      case "takes" -> rule.takes(Duration.parse(value).toMillis(), TimeUnit.MILLISECONDS);
      default -> throw new IllegalArgumentException("unknown outcome " + outcome);
    }
  }

  @Override
  public synchronized void close() {
    try {
      session.close();
    } finally {
      session.controlPlane().close();
    }
  }
}
