package dev.stint.runner.spec;

import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.item.Item;
import dev.stint.model.item.ItemSource;
import dev.stint.runner.token.PodTokens;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The config maps and secrets that a pod names, as they were when it began.
 *
 * <p>An object that the pod names and that is not here did not exist. Either it is optional, or its
 * absence is a fault of the container that needs it.
 *
 * @param configMaps by name, of the pod's namespace
 * @param secrets by name, of the pod's namespace
 * @param item the pod's line of a list; null if it works on none, or there is no such line
 * @param tokens the tokens of the pod's service account
 */
public record PodInputs(
    Map<String, KubeObject> configMaps,
    Map<String, KubeObject> secrets,
    @Nullable Item item,
    PodTokens tokens) {
  public static final PodInputs NONE = new PodInputs(Map.of(), Map.of());

  public PodInputs {
    configMaps = Map.copyOf(configMaps);
    secrets = Map.copyOf(secrets);
  }

  /** The inputs of a pod that works on no line of a list. */
  public PodInputs(Map<String, KubeObject> configMaps, Map<String, KubeObject> secrets) {
    this(configMaps, secrets, null);
  }

  /** The inputs of a pod without tokens. */
  public PodInputs(
      Map<String, KubeObject> configMaps, Map<String, KubeObject> secrets, @Nullable Item item) {
    this(configMaps, secrets, item, PodTokens.NONE);
  }

  /**
   * Returns the command of a container.
   *
   * @param words its words, with all references expanded
   */
  public List<String> command(JsonNode container, List<String> words) {
    return item != null && ItemSource.isItemCommand(container)
        ? ItemSource.command(words, item)
        : words;
  }

  /** Returns the line that a container works on; null if there is none. */
  public @Nullable String line(JsonNode container) {
    return item != null && ItemSource.isItemCommand(container) ? item.line() : null;
  }

  /** Returns the object; null if it does not exist. */
  public @Nullable KubeObject find(Kind kind, String name) {
    return (kind.equals(Kind.SECRET) ? secrets : configMaps).get(name);
  }
}
