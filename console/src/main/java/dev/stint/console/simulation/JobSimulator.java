package dev.stint.console.simulation;

import dev.stint.jobs.attempts.ContainerAttemptView;
import dev.stint.model.KubeObject;
import java.util.List;

/** Predicts by simulation how a Job would end if it ran again. Its work is bounded. */
public interface JobSimulator {
  /**
   * Returns why a Job cannot be simulated here; empty if it can.
   *
   * @return one sentence for people, without a full stop
   */
  String obstacle(KubeObject job);

  /**
   * Runs a Job several times, in the calling thread. The same Job and attempts give the same
   * result.
   *
   * @param job one without an {@link #obstacle}
   * @param attempts what the attempts of the simulated pods are drawn from
   * @param goesOn runs before each step; what it throws ends the simulation
   */
  Prediction simulate(KubeObject job, List<ContainerAttemptView> attempts, Runnable goesOn);

  /** Returns the command that simulates the Job at a shell; FILE stands for the Job's document. */
  String command(KubeObject job);
}
