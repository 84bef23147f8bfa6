package dev.stint.runner.spec;

import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The config maps and secrets that a pod names, as they were when it began.
 *
 * <p>An object that the pod names and that is not here did not exist. Either it is optional, or its
 * absence is a fault of the container that needs it.
 *
 * @param configMaps by name, of the pod's namespace
 * @param secrets by name, of the pod's namespace
 */
public record PodInputs(Map<String, KubeObject> configMaps, Map<String, KubeObject> secrets) {
  public static final PodInputs NONE = new PodInputs(Map.of(), Map.of());

  public PodInputs {
    configMaps = Map.copyOf(configMaps);
    secrets = Map.copyOf(secrets);
  }

  /** Returns the object; null if it does not exist. */
  public @Nullable KubeObject find(Kind kind, String name) {
    return (kind.equals(Kind.SECRET) ? secrets : configMaps).get(name);
  }
}
