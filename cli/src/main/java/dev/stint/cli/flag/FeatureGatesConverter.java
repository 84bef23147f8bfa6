package dev.stint.cli.flag;

import dev.stint.model.FeatureGates;
import dev.stint.model.FeatureGates.Gate;
import java.util.Arrays;
import java.util.stream.Collectors;

/** Parses feature gates as in {@code --feature-gates}: {@code A=true,B=false}. */
final class FeatureGatesConverter {
  private FeatureGatesConverter() {}

  /**
   * Returns the default gates, changed by {@code text}. The last value of a gate wins.
   *
   * @throws IllegalArgumentException with a message for the user
   */
  static FeatureGates parse(String text) {
    FeatureGates gates = FeatureGates.DEFAULT;
    for (String setting : text.split(",", -1)) {
      String[] parts = setting.strip().split("=", 2);
      if (parts.length < 2) {
        throw new IllegalArgumentException(
            "\"" + setting.strip() + "\" is not of the form NAME=true or NAME=false");
      }
      gates = gates.with(gate(parts[0]), value(parts[0], parts[1]));
    }
    return gates;
  }

  private static Gate gate(String name) {
    return Arrays.stream(Gate.values())
        .filter(gate -> gate.name().equals(name))
        .findFirst()
        .orElseThrow(() ->
            new IllegalArgumentException(
                "unknown feature gate \"" + name + "\"; the feature gates are " + knownGates()));
  }

  private static boolean value(String name, String text) {
    return switch (text) {
      case "true" -> true;
      case "false" -> false;
      default ->
          throw new IllegalArgumentException(
              "feature gate " + name + " must be true or false, not \"" + text + "\"");
    };
  }

  private static String knownGates() {
    return Arrays.stream(Gate.values()).map(Gate::name).sorted().collect(Collectors.joining(", "));
  }
}
