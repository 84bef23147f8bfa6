package dev.stint.runner.container;

import dev.stint.model.Json;
import dev.stint.model.field.FieldError;
import dev.stint.runner.process.isolation.MachineCapabilities;
import dev.stint.runner.volume.HostPaths;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Finds the mounts that a container can redirect by a link while a daemon opens them. Only root can
 * prevent that, see {@link PinnedMounts}; without root such mounts are refused.
 */
final class ReplaceablePaths {
  private static final String LINK =
      "a container can put a link in its place, and only root can prevent that; ";

  /** A mount of an {@code emptyDir}. */
  private record Mount(JsonNode mount, String path) {
    boolean isWritable() {
      return !Boolean.TRUE.equals(Json.bool(mount, "readOnly"));
    }

    Path part() {
      return Path.of(Objects.requireNonNullElse(Json.text(mount, "subPath"), "")).normalize();
    }

    boolean isExpression() {
      return !Objects.requireNonNullElse(Json.text(mount, "subPathExpr"), "").isEmpty();
    }

    boolean isPart() {
      return isExpression() || !part().toString().isEmpty();
    }

    /** True if a container with this mount may be able to replace the start of another one. */
    boolean mayReplace(Mount other) {
      if (!isWritable() || path.equals(other.path)) {
        return false;
      }
      boolean isAbove = part().toString().isEmpty() || other.part().startsWith(part());
      return isExpression() || other.isExpression() || (isAbove && !part().equals(other.part()));
    }
  }

  private final BiConsumer<String, String> refuse;

  private ReplaceablePaths(BiConsumer<String, String> refuse) {
    this.refuse = refuse;
  }

  /** True if this program can mount what it has opened. */
  static boolean canPin() {
    return MachineCapabilities.here().identity().isRoot();
  }

  /** Returns the refused fields of the spec of a namespace's pod. */
  static List<FieldError> of(ObjectNode spec, String namespace, String path, HostPaths allowed) {
    List<FieldError> found = new ArrayList<>();
    ReplaceablePaths paths =
        new ReplaceablePaths(
            (at, why) -> found.add(new FieldError(at, FieldError.Type.NOT_SUPPORTED, why)));
    ArrayNode volumes = Json.arrayAt(spec, "volumes");
    Map<String, List<Mount>> mounts = mounts(spec, path);
    for (int i = 0; volumes != null && i < volumes.size(); i++) {
      List<Mount> of = mounts.getOrDefault(Json.text(volumes.get(i), "name"), List.of());
      ObjectNode host = Json.objectAt(volumes.get(i), "hostPath");
      if (host != null) {
        paths.hostPath(host, path + ".volumes[" + i + "].hostPath.path", allowed);
        of.stream().filter(Mount::isPart).forEach(paths::refuse);
      } else if (volumes.get(i).has("persistentVolumeClaim")) {
        String claim = Json.text(volumes.get(i).get("persistentVolumeClaim"), "claimName");
        paths.claim(
            allowed.claims().named(namespace, String.valueOf(claim)).filter(allowed::mayBeReplaced),
            path + ".volumes[" + i + "].persistentVolumeClaim.claimName");
        of.stream().filter(Mount::isPart).forEach(paths::refuse);
      } else if (volumes.get(i).has("emptyDir")) {
        of.stream()
            .filter(Mount::isPart)
            .filter(part -> of.stream().anyMatch(other -> other.mayReplace(part)))
            .forEach(paths::refuse);
      }
    }
    return found;
  }

  private void hostPath(ObjectNode host, String at, HostPaths allowed) {
    Path path =
        Path.of(Objects.requireNonNullElse(Json.text(host, "path"), ""))
            .toAbsolutePath()
            .normalize();
    if (allowed.mayBeReplaced(path) || allowed.mayBeReplaced(HostPaths.real(path))) {
      refuse.accept(at, LINK + "name this path itself with --host-path, or run Stint as root");
    }
  }

  private void claim(Optional<Path> replaceable, String at) {
    replaceable.ifPresent(dir ->
        refuse.accept(
            at, LINK + "move " + dir + " out of the other volumes, or run Stint as root"));
  }

  private void refuse(Mount part) {
    refuse.accept(
        part.path() + (part.isExpression() ? ".subPathExpr" : ".subPath"),
        LINK + "mount the whole volume, or run Stint as root");
  }

  private static Map<String, List<Mount>> mounts(ObjectNode spec, String path) {
    Map<String, List<Mount>> mounts = new HashMap<>();
    for (String list : List.of("initContainers", "containers")) {
      ArrayNode containers = Json.arrayAt(spec, list);
      for (int i = 0; containers != null && i < containers.size(); i++) {
        String container = path + "." + list + "[" + i + "]";
        ArrayNode all = Json.arrayAt(containers.get(i), "volumeMounts");
        for (int j = 0; all != null && j < all.size(); j++) {
          mounts
              .computeIfAbsent(
                  String.valueOf(Json.text(all.get(j), "name")), _ -> new ArrayList<>())
              .add(new Mount(all.get(j), container + ".volumeMounts[" + j + "]"));
        }
      }
    }
    return mounts;
  }
}
