package dev.stint.runner.spec;

import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The config maps and secrets that a pod names, as they were when it began.
 *
 * <p>What the pod names and is not here did not exist; it is either optional, or its absence is a
 * fault of the container that needs it.
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

  /** One of them; null where it is not there. */
  public @Nullable KubeObject find(Kind kind, String name) {
    return (kind.equals(Kind.SECRET) ? secrets : configMaps).get(name);
  }
}
