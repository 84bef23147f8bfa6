package dev.stint.runner.device;

import dev.stint.model.KubeObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** The environment variables by which a container learns which devices it has. */
public final class DeviceVariables {
  private static final Map<String, List<String>> WELL_KNOWN =
      Map.of(
          LocalDevices.NVIDIA, List.of("NVIDIA_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES"),
          LocalDevices.AMD, List.of("ROCR_VISIBLE_DEVICES"));

  private DeviceVariables() {}

  /**
   * Returns the variables of a container; their values are IDs with commas between them. Names that
   * the makers of GPUs have not defined follow from the resource: {@code
   * STINT_DEVICES_EXAMPLE_COM_LICENSE} for {@code example.com/license}.
   */
  public static Map<String, String> of(KubeObject pod, JsonNode container) {
    Map<String, String> variables = new LinkedHashMap<>();
    PodDevices.ofContainer(pod, container)
        .ids()
        .forEach((name, ids) ->
            names(name).forEach(variable -> variables.put(variable, String.join(",", ids))));
    return variables;
  }

  private static List<String> names(String resource) {
    return WELL_KNOWN.getOrDefault(
        resource,
        List.of("STINT_DEVICES_" + resource.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_")));
  }
}
