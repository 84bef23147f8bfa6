package dev.stint.runner;

import dev.stint.runner.env.ExpansionLimitException;
import dev.stint.runner.env.ProbeCommand;
import dev.stint.runner.policy.ProbeTally;
import dev.stint.runner.policy.ProbeTally.ProbeResult;
import dev.stint.runner.runtime.ContainerRun;
import dev.stint.runner.spec.Handler;
import dev.stint.runner.spec.ProbeSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The probes of one run of a container. The other probes wait until the startup probe has passed.
 * On the loop only.
 */
final class ContainerProbes {
  /** Receives the results of the probes. */
  interface Listener {
    /** Called when the startup probe passed, or there is none. */
    void onStarted();

    /** Reports the readiness; without a readiness probe, a started container is ready. */
    void onReady(boolean ready);

    /**
     * Called when a probe failed once, which alone has no consequence.
     *
     * @param which {@code startup}, {@code readiness} or {@code liveness}
     */
    void onFailure(String which, String why);

    /** Called when a probe could not be carried out: it counts neither for nor against anything. */
    void onError(String which, String why);

    /** Called when a probe failed so often that the container must end. */
    void onUnhealthy(ProbeSpec probe, String which, String why);
  }

  private static final String READINESS = "readiness";
  private static final String TOO_LONG =
      "the command, with all references expanded, exceeds the limit of 2 MiB";

  private final NodePorts node;
  private final ContainerRun run;
  private final Instant since;
  private final Listener listener;
  private final List<Repeated> repeated = new ArrayList<>();
  private boolean podEnding;

  /**
   * Creates probes that are not started yet.
   *
   * @param since the start of the container, from which initial delays count
   */
  ContainerProbes(NodePorts node, ContainerRun run, Instant since, Listener listener) {
    this.node = node;
    this.run = run;
    this.since = since;
    this.listener = listener;
  }

  /**
   * Starts to probe.
   *
   * @param startedBefore true if the startup probe passed in an earlier life of the runner
   */
  void start(boolean startedBefore) {
    ProbeSpec startup = ProbeSpec.of(run.container(), "startupProbe");
    if (startup == null || startedBefore) {
      startOthers();
      return;
    }
    if (podEnding) {
      return;
    }
    repeat(
        startup,
        "startup",
        (probe, result) -> {
          switch (probe.verdict()) {
            case PASSED -> {
              probe.cancel();
              startOthers();
            }
            case FAILED -> reportUnhealthy(startup, "startup", result);
            case UNDECIDED -> {}
          }
        });
  }

  /** Called when the pod ends: from now on only readiness matters, no longer liveness. */
  void onPodEnd() {
    podEnding = true;
    repeated.stream().filter(probe -> !probe.which.equals(READINESS)).forEach(Repeated::cancel);
  }

  void cancel() {
    repeated.forEach(Repeated::cancel);
    repeated.clear();
  }

  private void startOthers() {
    listener.onStarted();
    startReadiness();
    startLiveness();
  }

  private void startReadiness() {
    ProbeSpec readiness = ProbeSpec.of(run.container(), "readinessProbe");
    if (readiness == null) {
      listener.onReady(true);
      return;
    }
    repeat(
        readiness,
        READINESS,
        (probe, _) -> {
          if (probe.verdict() != ProbeResult.UNDECIDED) {
            listener.onReady(probe.verdict() == ProbeResult.PASSED);
          }
        });
  }

  private void startLiveness() {
    ProbeSpec liveness = ProbeSpec.of(run.container(), "livenessProbe");
    if (liveness == null || podEnding) {
      return;
    }
    repeat(
        liveness,
        "liveness",
        (probe, result) -> {
          if (probe.verdict() == ProbeResult.FAILED) {
            reportUnhealthy(liveness, "liveness", result);
          }
        });
  }

  private void reportUnhealthy(ProbeSpec spec, String which, Handler.Result result) {
    cancel();
    listener.onUnhealthy(spec, which, result.message());
  }

  private void repeat(ProbeSpec spec, String which, BiConsumer<Repeated, Handler.Result> then) {
    Repeated probe = new Repeated(spec, which, then);
    repeated.add(probe);
    Duration passed = Duration.between(since, node.now());
    probe.again(spec.initialDelay().minus(passed));
  }

  /** One probe, repeated. */
  private final class Repeated {
    private final ProbeSpec spec;
    private final String which;
    private final BiConsumer<Repeated, Handler.Result> then;
    private ProbeTally tally = ProbeTally.EMPTY;
    private boolean over;
    private Runnable cancelNext = () -> {};
    private @Nullable Runnable cancelCall;

    Repeated(ProbeSpec spec, String which, BiConsumer<Repeated, Handler.Result> then) {
      this.spec = spec;
      this.which = which;
      this.then = then;
    }

    ProbeResult verdict() {
      return tally.verdict(spec);
    }

    void again(Duration delay) {
      if (delay.isPositive()) {
        cancelNext = node.after(delay, this::call);
      } else {
        call();
      }
    }

    void cancel() {
      over = true;
      cancelNext.run();
      if (cancelCall != null) {
        cancelCall.run();
      }
    }

    private void call() {
      if (over) {
        return;
      }
      Instant began = node.now();
      Consumer<Handler.Result> done = result -> onResult(began, result);
      try {
        cancelCall = HandlerCall.start(node, run, handler(), spec.timeout(), done);
      } catch (ExpansionLimitException fault) {
        done.accept(Handler.Result.bad(TOO_LONG));
      }
    }

    private Handler handler() throws ExpansionLimitException {
      return spec.handler() instanceof Handler.Exec(List<String> command)
          ? new Handler.Exec(ProbeCommand.expanded(command, run.container()))
          : spec.handler();
    }

    private void onResult(Instant began, Handler.Result result) {
      if (result.known()) {
        tally = tally.after(result.good());
        if (!result.good()) {
          listener.onFailure(which, result.message());
        }
        then.accept(this, result);
      } else {
        listener.onError(which, result.message());
      }
      if (!over) {
        Duration next = spec.period().minus(Duration.between(began, node.now()));
        cancelNext = node.after(next.isPositive() ? next : Duration.ofMillis(1), this::call);
      }
    }
  }
}
