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
          LocalDevices.NVIDIA, List.of("NVIDIA_VISIBLE_DEVICES"),
          LocalDevices.AMD, List.of("ROCR_VISIBLE_DEVICES"));

  /** CUDA counts the devices that a program can open, and shows it those that this names. */
  private static final String CUDA = "CUDA_VISIBLE_DEVICES";

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

  /**
   * Returns the variables of a container that can open all devices of the machine, as processes
   * can: CUDA then needs to be told. A container that sees only its own devices must not be told:
   * CUDA counts these from 0, whatever their numbers are on the machine.
   */
  public static Map<String, String> ofProcess(KubeObject pod, JsonNode container) {
    Map<String, String> variables = of(pod, container);
    List<String> gpus = PodDevices.ofContainer(pod, container).ids().get(LocalDevices.NVIDIA);
    if (gpus != null) {
      variables.put(CUDA, String.join(",", gpus));
    }
    return variables;
  }

  private static List<String> names(String resource) {
    return WELL_KNOWN.getOrDefault(
        resource,
        List.of("STINT_DEVICES_" + resource.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_")));
  }
}
