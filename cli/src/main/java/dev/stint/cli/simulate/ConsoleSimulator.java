package dev.stint.cli.simulate;

import dev.stint.cli.output.ShellQuoting;
import dev.stint.cli.simulate.outcome.KeptAttempts;
import dev.stint.cli.simulate.outcome.ModelCalibration;
import dev.stint.cli.simulate.outcome.ObservedAttempts;
import dev.stint.cli.simulate.outcome.OutcomeModels;
import dev.stint.cluster.ClusterException;
import dev.stint.console.simulation.JobSimulator;
import dev.stint.console.simulation.Prediction;
import dev.stint.console.simulation.Prediction.WallTime;
import dev.stint.jobs.RerunOrigin;
import dev.stint.jobs.attempts.ContainerAttemptView;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.runner.spec.ResourceAmount;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Simulates a Job for the console as {@code stint simulate --like} does, with bounds: on the size
 * of the Job, the number of runs and their steps.
 */
public final class ConsoleSimulator implements JobSimulator {
  private static final long SEED = 1;
  private static final int MOST_PODS = 500;
  private static final int MOST_BYTES = 8 << 10;
  private static final int PODS_OF_ALL_RUNS = 5_000;
  private static final int LEAST_RUNS = 10;
  private static final int MOST_RUNS = 100;

  /** More than three times what Jobs without retries take: some 36 for each pod. */
  private static final int MOST_STEPS = 600_000;

  private final Path data;
  private final Capacity room;
  private final int mostSteps;

  /**
   * @param data the directory of the Jobs, for the command
   * @param maxPods the number of pods that run at once
   * @param machine what running pods may request in total
   */
  public ConsoleSimulator(Path data, int maxPods, ResourceAmount machine) {
    this(data, maxPods, machine, MOST_STEPS);
  }

  ConsoleSimulator(Path data, int maxPods, ResourceAmount machine, int mostSteps) {
    this.data = data;
    this.room =
        new Capacity(maxPods, limit(machine.milliCpu()), limit(machine.memoryBytes()), null);
    this.mostSteps = mostSteps;
  }

  private static @Nullable Long limit(long amount) {
    return amount == Long.MAX_VALUE ? null : Long.valueOf(amount);
  }

  @Override
  public String obstacle(KubeObject job) {
    int pods = RepeatedJob.pods(job);
    if (pods > MOST_PODS) {
      return "a Job of %d pods is too large to simulate here, where the limit is %d; use the command"
          .formatted(pods, MOST_PODS);
    }
    if (Integer.valueOf(0).equals(Json.integer(job.spec(), "parallelism"))) {
      return "its parallelism is 0, so no pod would ever run";
    }
    if (RerunOrigin.of(job).isPresent()) {
      return "it runs a part of another Job again, which is not simulated";
    }
    if (RepeatedJob.hasDevices(job)) {
      return "it asks for devices, which are not simulated";
    }
    Workload again = workload(job);
    if (Json.bytes(again.jobs().getFirst().tree()).length > MOST_BYTES) {
      return "its document is too large to simulate here; use the command";
    }
    String obstacle = Workload.obstacle(again.jobs().getFirst(), room.machine());
    return obstacle == null ? "" : "no pod would ever run: " + obstacle;
  }

  private static Workload workload(KubeObject job) {
    return new Workload(List.of(RepeatedJob.of(job)), List.of());
  }

  @Override
  public Prediction simulate(KubeObject job, List<ContainerAttemptView> attempts, Runnable goesOn) {
    ObservedAttempts observed = KeptAttempts.of(job, attempts);
    if (observed.attempts().isEmpty()) {
      return new Prediction.None(
          "no attempt has ended by itself yet, so there is nothing to draw from");
    }
    Workload workload = workload(job);
    ModelCalibration like = new ModelCalibration(observed);
    Simulation simulation =
        new Simulation(workload, new OutcomeModels(Map.of(), like.model()), room);
    try {
      List<RunResult> runs = runs(simulation, runCount(job), new StepLimit(mostSteps, goesOn));
      return prediction(new Policy("", workload, room), runs, like);
    } catch (StepLimit.Exceeded tooLong) {
      return new Prediction.None("the simulation takes too long here; use the command");
    } catch (CompletionException refused) {
      if (refused.getCause() instanceof ClusterException why) {
        return new Prediction.None("the Job cannot be created again: " + why.getMessage());
      }
      throw refused;
    }
  }

  /** Runs one after the other: the server keeps its other processors. */
  private static List<RunResult> runs(Simulation simulation, int count, StepLimit limit) {
    List<RunResult> runs = new ArrayList<>();
    Arrays.stream(Simulation.seeds(SEED, count))
        .forEach(seed -> runs.add(simulation.run(seed, limit)));
    return runs;
  }

  private static Prediction prediction(Policy policy, List<RunResult> runs, ModelCalibration like) {
    SimulationOutput output = new SimulationOutput(policy, runs, null, List.of(), SEED);
    Distribution all = Distribution.of(runs.stream().map(RunResult::all).toList());
    Distribution.Quantiles wall = all.makespanMillis();
    return new Prediction.Runs(
        runs.size(),
        all.completeShare(),
        new WallTime(wall.p50(), wall.p90(), wall.p99()),
        like.line(),
        like.warning().orElse(""),
        output.picture().svg());
  }

  private static int runCount(KubeObject job) {
    return Math.clamp(PODS_OF_ALL_RUNS / Math.max(1, RepeatedJob.pods(job)), LEAST_RUNS, MOST_RUNS);
  }

  @Override
  public String command(KubeObject job) {
    Integer maxPods = room.maxPods();
    Long milliCpu = room.milliCpu();
    @Nullable String cores =
        milliCpu == null
            ? null
            : BigDecimal.valueOf(milliCpu, 3).stripTrailingZeros().toPlainString();
    return "stint simulate FILE --like "
        + ShellQuoting.quoted(job.name())
        + ShellQuoting.flag("--namespace", job.namespace())
        + ShellQuoting.flag("--data", data)
        + ShellQuoting.flag("--runs", runCount(job))
        + ShellQuoting.flag(
            "--max-pods", maxPods == null || maxPods == Integer.MAX_VALUE ? null : maxPods)
        + ShellQuoting.flag("--machine-cpu", cores)
        + ShellQuoting.flag("--machine-memory", room.memoryBytes());
  }
}
