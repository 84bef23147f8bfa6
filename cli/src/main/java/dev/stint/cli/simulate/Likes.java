package dev.stint.cli.simulate;

import dev.stint.cli.simulate.outcome.ModelCalibration;
import dev.stint.cli.simulate.outcome.OutcomeModel;
import dev.stint.cli.simulate.outcome.OutcomeModels;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** The attempts that outcomes are drawn from, by the names of Jobs; empty for all others. */
final class Likes {
  private final Map<String, ModelCalibration> calibrations = new LinkedHashMap<>();

  void add(String name, ModelCalibration calibration) {
    calibrations.put(name, calibration);
  }

  boolean knows(String name) {
    return calibrations.containsKey(name);
  }

  Collection<ModelCalibration> all() {
    return calibrations.values();
  }

  /** True if no Job is left to other models. */
  boolean coverAll(Set<String> names) {
    return knows("") || calibrations.keySet().containsAll(names);
  }

  /**
   * Returns the models of all Jobs.
   *
   * @param assumed that of Jobs without a calibration
   */
  OutcomeModels models(OutcomeModel assumed) {
    Map<String, OutcomeModel> named = new HashMap<>();
    calibrations.forEach((name, each) -> named.put(name, each.model()));
    OutcomeModel others = named.remove("");
    return new OutcomeModels(named, others == null ? assumed : others);
  }
}
