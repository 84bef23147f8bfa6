package dev.stint.cli.simulate.outcome;

import java.util.Map;

/**
 * The outcomes of the attempts of each Job.
 *
 * @param named the models of some Jobs, by their names
 * @param others the model of all others
 */
public record OutcomeModels(Map<String, OutcomeModel> named, OutcomeModel others) {
  /** Returns the model of a Job. */
  public OutcomeModel of(String job) {
    return named.getOrDefault(job, others);
  }
}
