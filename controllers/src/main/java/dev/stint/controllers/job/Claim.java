package dev.stint.controllers.job;

import dev.stint.model.FeatureGates;
import dev.stint.model.FeatureGates.Gate;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;

/**
 * Which Jobs a controller takes (KEP-4368, API). All others are left alone, whatever their state.
 *
 * @param controller the name that {@code spec.managedBy} has to have; {@link
 *     Names#BUILT_IN_CONTROLLER} also takes Jobs that name nobody
 */
public record Claim(String controller) {
  public static final Claim BUILT_IN = new Claim(Names.BUILT_IN_CONTROLLER);

  /**
   * Whether the Job is ours. With the gate off, the built-in controller takes every Job (KEP-4368,
   * Downgrade).
   */
  public boolean covers(KubeObject job, FeatureGates gates) {
    String managedBy = Json.text(job.spec(), "managedBy");
    boolean builtIn = controller.equals(Names.BUILT_IN_CONTROLLER);
    if (managedBy == null || !gates.has(Gate.JobManagedBy)) {
      return builtIn;
    }
    return managedBy.equals(controller);
  }
}
