package dev.stint.model.item;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The list that the containers of a pod take their line from, as {@code stint run --each} writes
 * it: they run {@code /bin/sh /stint/items/each COMMAND…}, and a volume of config maps at {@code
 * /stint/items} holds that script and the list. The script works on any cluster. Stint does what it
 * would do, without the volume and without a shell.
 *
 * @param volume the name of the volume
 * @param list the name of its config maps, without {@code -0}, {@code -1}, …
 */
public record ItemSource(String volume, String list) {
  /** The directory of the volume. */
  public static final String DIRECTORY = "/stint/items";

  /** The key of the script. */
  public static final String SCRIPT = "each";

  /** The words before the command of a container. */
  public static final List<String> PREFIX = List.of("/bin/sh", DIRECTORY + "/" + SCRIPT);

  private static final String FIRST = "-0";

  /** Returns the list of a pod that has an index. */
  public static Optional<ItemSource> of(KubeObject pod) {
    return pod.annotation(Names.COMPLETION_INDEX) == null ? Optional.empty() : ofSpec(pod.spec());
  }

  /**
   * Returns the list of a pod, or of a Job's template.
   *
   * @return empty if a container uses the volume in any other way
   */
  public static Optional<ItemSource> ofSpec(@Nullable ObjectNode spec) {
    List<JsonNode> containers = containers(spec);
    String volume = null;
    for (JsonNode container : containers) {
      volume = volume == null && isItemCommand(container) ? volumeOf(container) : volume;
    }
    if (volume == null) {
      return Optional.empty();
    }
    for (JsonNode container : containers) {
      if (isUsedOtherwise(container, volume)) {
        return Optional.empty();
      }
    }
    return ofVolume(volume, Json.arrayAt(spec, "volumes"));
  }

  private static Optional<ItemSource> ofVolume(String name, @Nullable ArrayNode volumes) {
    for (int i = 0; volumes != null && i < volumes.size(); i++) {
      if (name.equals(Json.text(volumes.get(i), "name"))) {
        ArrayNode sources = Json.arrayAt(Json.objectAt(volumes.get(i), "projected"), "sources");
        JsonNode source = sources == null ? null : sources.get(0);
        String first = Json.text(Json.objectAt(source, "configMap"), "name");
        return first == null || !first.endsWith(FIRST)
            ? Optional.empty()
            : Optional.of(
                new ItemSource(name, first.substring(0, first.length() - FIRST.length())));
      }
    }
    return Optional.empty();
  }

  /** Returns the name of the config map of a part. */
  public String map(int part) {
    return list + "-" + part;
  }

  /** True if a container runs a command for a line of a list. */
  public static boolean isItemCommand(JsonNode container) {
    ArrayNode command = Json.arrayAt(container, "command");
    return command != null
        && command.size() >= PREFIX.size()
        && PREFIX.get(1).equals(command.get(1).stringValue(""))
        && PREFIX.get(0).equals(command.get(0).stringValue(""));
  }

  /**
   * Returns a container without the mount of its list, if it runs a command for a line; itself
   * otherwise.
   */
  public static ObjectNode withoutMount(ObjectNode container) {
    ArrayNode mounts = Json.arrayAt(container, "volumeMounts");
    if (mounts == null || !isItemCommand(container)) {
      return container;
    }
    ObjectNode copy = Json.copyOf(container);
    ArrayNode others = Json.array();
    mounts.valueStream().filter(mount -> !isMount(mount)).forEach(others::add);
    if (others.isEmpty()) {
      copy.remove("volumeMounts");
    } else {
      copy.set("volumeMounts", others);
    }
    return copy;
  }

  /** Returns the command that the script would become, for all words of the container. */
  public static List<String> command(List<String> words, Item item) {
    List<String> command = new ArrayList<>(words.size());
    for (int i = PREFIX.size(); i < words.size(); i++) {
      command.add(item.fill(words.get(i)));
    }
    return command;
  }

  private static List<JsonNode> containers(@Nullable ObjectNode spec) {
    List<JsonNode> all = new ArrayList<>();
    for (String member : List.of("initContainers", "containers")) {
      ArrayNode found = Json.arrayAt(spec, member);
      if (found != null) {
        found.forEach(all::add);
      }
    }
    return all;
  }

  private static @Nullable String volumeOf(JsonNode container) {
    ArrayNode mounts = Json.arrayAt(container, "volumeMounts");
    for (int i = 0; mounts != null && i < mounts.size(); i++) {
      if (isMount(mounts.get(i))) {
        return Json.text(mounts.get(i), "name");
      }
    }
    return null;
  }

  /** True if a mount of a container shows the list. */
  public static boolean isMount(JsonNode mount) {
    return DIRECTORY.equals(Json.text(mount, "mountPath"))
        && !mount.has("subPath")
        && !mount.has("subPathExpr");
  }

  private static boolean isUsedOtherwise(JsonNode container, String volume) {
    ArrayNode mounts = Json.arrayAt(container, "volumeMounts");
    for (int i = 0; mounts != null && i < mounts.size(); i++) {
      if (volume.equals(Json.text(mounts.get(i), "name"))
          && !(isItemCommand(container) && isMount(mounts.get(i)))) {
        return true;
      }
    }
    return false;
  }
}
