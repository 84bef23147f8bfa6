package dev.stint.controllers.job;

import dev.stint.model.FeatureGates;
import dev.stint.model.FeatureGates.Gate;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;

/**
 * The Jobs that a controller manages (KEP-4368, API). It leaves all others alone, whatever their
 * state.
 *
 * @param controller the name that {@code spec.managedBy} has to have; {@link
 *     Names#BUILT_IN_CONTROLLER} also takes Jobs that name no controller
 */
public record Claim(String controller) {
  public static final Claim BUILT_IN = new Claim(Names.BUILT_IN_CONTROLLER);

  /**
   * True if this controller manages the Job. With the gate off, the built-in controller takes every
   * Job (KEP-4368, Downgrade).
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
