package dev.stint.runner.volume;

import dev.stint.model.Json;
import dev.stint.model.field.FieldError;
import dev.stint.model.field.Formats;
import dev.stint.runner.env.ResourceRef;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Finds the volumes that no runtime of one machine supports, or that are not allowed. */
public final class VolumeRefusals {
  private static final Set<String> KINDS =
      Set.of(
          "emptyDir",
          "configMap",
          "secret",
          "downwardAPI",
          "projected",
          "hostPath",
          "persistentVolumeClaim");
  private static final Set<String> PROJECTED =
      Set.of("configMap", "secret", "downwardAPI", "serviceAccountToken");

  private final HostPaths hostPaths;
  private final List<FieldError> found = new ArrayList<>();

  private VolumeRefusals(HostPaths hostPaths) {
    this.hostPaths = hostPaths;
  }

  /**
   * Returns the refused fields of a pod's volumes.
   *
   * @param path the path of the pod's spec
   * @param hostPaths the directories of this machine that pods may see, with all that is in them
   */
  public static List<FieldError> of(ObjectNode spec, String path, List<Path> hostPaths) {
    VolumeRefusals refusals = new VolumeRefusals(new HostPaths(hostPaths));
    ArrayNode volumes = Json.arrayAt(spec, "volumes");
    for (int i = 0; volumes != null && i < volumes.size(); i++) {
      refusals.volume(volumes.get(i), path + ".volumes[" + i + "]");
    }
    return List.copyOf(refusals.found);
  }

  private void volume(JsonNode volume, String path) {
    others(volume, KINDS, path);
    amounts(volume, path);
    ArrayNode sources = Json.arrayAt(Json.objectAt(volume, "projected"), "sources");
    for (int i = 0; sources != null && i < sources.size(); i++) {
      String at = path + ".projected.sources[" + i + "]";
      others(sources.get(i), PROJECTED, at);
      amounts(sources.get(i), at);
    }
    String medium = Json.text(Json.objectAt(volume, "emptyDir"), "medium");
    if (medium != null && medium.startsWith("HugePages")) {
      refuse(path + ".emptyDir.medium", "huge pages are not supported here; remove it");
    }
    claim(volume, path);
    ObjectNode host = Json.objectAt(volume, "hostPath");
    if (host != null) {
      hostPath(Json.text(host, "path"), path + ".hostPath.path");
    }
  }

  /** Refuses a claim whose name cannot be the one of a directory. */
  private void claim(JsonNode volume, String path) {
    ObjectNode claim = Json.objectAt(volume, "persistentVolumeClaim");
    String name = Json.text(claim, "claimName");
    String complaint = Formats.dnsSubdomain(name == null ? "" : name);
    if (claim != null && complaint != null) {
      refuse(path + ".persistentVolumeClaim.claimName", complaint);
    }
  }

  /** Refuses every other non-empty member: it is an unknown volume source. */
  private void others(JsonNode parent, Set<String> known, String path) {
    parent.properties().stream()
        .filter(each -> each.getValue().isObject() && !known.contains(each.getKey()))
        .forEach(each ->
            refuse(
                path + "." + each.getKey(),
                "nothing on this machine provides it; use one of "
                    + String.join(", ", known.stream().sorted().toList())));
  }

  private void amounts(JsonNode parent, String path) {
    ArrayNode items = Json.arrayAt(Json.objectAt(parent, "downwardAPI"), "items");
    for (int i = 0; items != null && i < items.size(); i++) {
      ObjectNode reference = Json.objectAt(items.get(i), "resourceFieldRef");
      if (reference != null && !ResourceRef.isKnown(reference)) {
        refuse(
            path + ".downwardAPI.items[" + i + "].resourceFieldRef.resource",
            "must be limits.cpu, limits.memory, requests.cpu or requests.memory");
      }
    }
  }

  private void hostPath(@Nullable String given, String path) {
    try {
      if (!hostPaths.contains(Path.of(given == null ? "" : given).toAbsolutePath().normalize())) {
        refuse(path, notAllowed());
      }
    } catch (InvalidPathException fault) {
      refuse(path, "is not a valid path: " + fault.getReason());
    }
  }

  private String notAllowed() {
    return hostPaths.allowed().isEmpty()
        ? "pods may use no paths of this machine; allow this one with --host-path, or use emptyDir"
        : "is not below a path that pods may use (--host-path): " + hostPaths.allowed();
  }

  private void refuse(String path, String detail) {
    found.add(new FieldError(path, FieldError.Type.NOT_SUPPORTED, detail));
  }
}
