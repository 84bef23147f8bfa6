package dev.stint.runner.volume;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.Quantity;
import dev.stint.model.pod.TokenVolume;
import dev.stint.runner.env.ResourceRef;
import dev.stint.runner.spec.PodInputs;
import dev.stint.runner.spec.ResourceAmount;
import dev.stint.runner.token.IssuedToken;
import dev.stint.runner.token.TokenSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Builds the content of a volume from the pod and the objects that it names. Source: "Volumes",
 * "Projected volumes" and "Downward API" of the Kubernetes documentation.
 */
final class VolumeContents {
  private static final int DEFAULT_MODE = 0644;

  private final KubeObject pod;
  private final PodInputs inputs;
  private final ResourceAmount machine;
  private final VolumeBudget budget;

  /** The values of fields of the pod, which many files may share. */
  private final Map<ObjectNode, String> fields = new HashMap<>();

  private VolumeContents(
      KubeObject pod, PodInputs inputs, ResourceAmount machine, VolumeBudget budget) {
    this.pod = pod;
    this.inputs = inputs;
    this.machine = machine;
    this.budget = budget;
  }

  /**
   * Returns the content of a volume.
   *
   * @param volume an entry of {@code spec.volumes}, of a kind that {@link VolumeRefusals} lets
   *     pass, other than a {@code hostPath}
   * @param machine the machine's resources, which stand in for limits that are not set
   * @throws VolumeFault a required input is missing, or there are too many files
   */
  static VolumeContent of(
      KubeObject pod, ObjectNode volume, PodInputs inputs, ResourceAmount machine)
      throws VolumeFault {
    return new VolumeContents(pod, inputs, machine, new VolumeBudget()).of(volume);
  }

  /**
   * Checks that the volumes of a pod are not too large together.
   *
   * @throws VolumeFault they are
   */
  static void check(KubeObject pod, PodInputs inputs, ResourceAmount machine) throws VolumeFault {
    VolumeBudget budget = new VolumeBudget();
    VolumeContents contents = new VolumeContents(pod, inputs, machine, budget);
    ArrayNode volumes = Json.arrayAt(pod.spec(), "volumes");
    for (int i = 0; volumes != null && i < volumes.size(); i++) {
      if (volumes.get(i) instanceof ObjectNode volume && isOfFiles(volume)) {
        try {
          contents.of(volume);
        } catch (VolumeFault fault) {
          // The containers that mount the volume report what it misses.
          if (budget.isExceeded()) {
            throw fault;
          }
        }
      }
    }
  }

  /** True if a volume holds files from other objects or from the pod. */
  static boolean isOfFiles(ObjectNode volume) {
    return !volume.has("emptyDir")
        && !volume.has("hostPath")
        && !volume.has("persistentVolumeClaim");
  }

  private VolumeContent of(ObjectNode volume) throws VolumeFault {
    ObjectNode source = Json.objectAt(volume, "emptyDir");
    if (source != null) {
      return scratch(source);
    }
    source = Json.objectAt(volume, "projected");
    if (source != null) {
      return new VolumeContent.Files(projected(String.valueOf(Json.text(volume, "name")), source));
    }
    return new VolumeContent.Files(files(volume, defaultMode(volume)));
  }

  /** Reads an {@code emptyDir}. */
  static VolumeContent.Scratch scratch(ObjectNode source) {
    JsonNode given = source.get("sizeLimit");
    Quantity limit = given == null || given.isNull() ? null : Quantity.parse(given.asString());
    return new VolumeContent.Scratch(
        "Memory".equals(Json.text(source, "medium")),
        limit == null || limit.value().signum() <= 0 ? null : limit.value().longValue());
  }

  /** Returns the files of a volume that hold tokens, or the certificate of the API's authority. */
  static List<VolumeFile> credentials(KubeObject pod, ObjectNode volume, PodInputs inputs)
      throws VolumeFault {
    ObjectNode source = Json.objectAt(volume, "projected");
    String name = String.valueOf(Json.text(volume, "name"));
    ResourceAmount none = ResourceAmount.UNLIMITED;
    return source == null
        ? List.of()
        : new VolumeContents(pod, inputs, none, new VolumeBudget()).credentials(name, source);
  }

  private List<VolumeFile> credentials(String name, ObjectNode volume) throws VolumeFault {
    List<VolumeFile> found = new ArrayList<>();
    ArrayNode sources = Json.arrayAt(volume, "sources");
    int mode = mode(volume, "defaultMode", DEFAULT_MODE);
    for (int i = 0; sources != null && i < sources.size(); i++) {
      JsonNode source = sources.get(i);
      TokenSource token = source instanceof ObjectNode one ? TokenSource.of(name, one) : null;
      ObjectNode map = Json.objectAt(source, "configMap");
      if (token != null) {
        found.add(token(token, mode));
      } else if (TokenVolume.AUTHORITY.equals(Json.text(map, "name"))) {
        found.addAll(files(source, mode));
      }
    }
    return found;
  }

  private VolumeFile token(TokenSource token, int mode) throws VolumeFault {
    IssuedToken issued = inputs.tokens().find(token);
    if (issued == null) {
      throw VolumeFault.ofVolume("failed to fetch token: it was not issued");
    }
    VolumeFile file = new VolumeFile(token.path(), mode, issued.text(), false);
    budget.count(file);
    return file;
  }

  private List<VolumeFile> projected(String name, ObjectNode volume) throws VolumeFault {
    Map<String, VolumeFile> byPath = new LinkedHashMap<>();
    ArrayNode sources = Json.arrayAt(volume, "sources");
    if (sources != null) {
      int mode = mode(volume, "defaultMode", DEFAULT_MODE);
      for (JsonNode source : sources) {
        TokenSource token = source instanceof ObjectNode one ? TokenSource.of(name, one) : null;
        List<VolumeFile> files = token == null ? files(source, mode) : List.of(token(token, mode));
        files.forEach(file -> byPath.put(file.path(), file));
      }
    }
    return List.copyOf(byPath.values());
  }

  /** Returns the files of a volume, or of one source of a projected volume. */
  private List<VolumeFile> files(JsonNode parent, int mode) throws VolumeFault {
    ObjectNode source = Json.objectAt(parent, "configMap");
    if (source != null) {
      return picked(source, "config map", Json.text(source, "name"), inputs.configMaps(), mode);
    }
    source = Json.objectAt(parent, "secret");
    if (source != null) {
      String name = Json.text(source, parent.has("name") ? "secretName" : "name");
      return picked(source, "secret", name, inputs.secrets(), mode);
    }
    source = Json.objectAt(parent, "downwardAPI");
    return source == null ? List.of() : downward(source, mode);
  }

  private static int defaultMode(ObjectNode volume) {
    for (String kind : List.of("configMap", "secret", "downwardAPI")) {
      ObjectNode source = Json.objectAt(volume, kind);
      if (source != null) {
        return mode(source, "defaultMode", DEFAULT_MODE);
      }
    }
    return DEFAULT_MODE;
  }

  private List<VolumeFile> picked(
      ObjectNode source,
      String kind,
      @Nullable String name,
      Map<String, KubeObject> objects,
      int mode)
      throws VolumeFault {
    boolean optional = Boolean.TRUE.equals(Json.bool(source, "optional"));
    KubeObject object = objects.get(orEmpty(name));
    if (object == null) {
      if (optional) {
        return List.of();
      }
      throw VolumeFault.ofVolume(kind + " \"" + name + "\" not found");
    }
    Map<String, Value> values = values(object, kind.equals("secret"));
    ArrayNode items = Json.arrayAt(source, "items");
    List<VolumeFile> files = new ArrayList<>();
    if (items == null || items.isEmpty()) {
      for (Map.Entry<String, Value> entry : values.entrySet()) {
        add(files, entry.getValue().file(entry.getKey(), mode));
      }
      return files;
    }
    for (JsonNode item : items) {
      String key = orEmpty(Json.text(item, "key"));
      Value value = values.get(key);
      if (value != null) {
        add(files, value.file(path(item), mode(item, "mode", mode)));
      } else if (!optional) {
        throw VolumeFault.ofVolume(kind + " \"" + name + "\" has no key \"" + key + "\"");
      }
    }
    return files;
  }

  /** A value of a ConfigMap or Secret. */
  private record Value(String text, boolean base64) {
    VolumeFile file(String path, int mode) {
      return new VolumeFile(path, mode, text, base64);
    }
  }

  private static Map<String, Value> values(KubeObject object, boolean secret) {
    Map<String, Value> values = new LinkedHashMap<>();
    for (boolean binary : new boolean[] {false, true}) {
      ObjectNode data = Json.objectAt(object.tree(), binary ? "binaryData" : "data");
      if (data != null) {
        data.properties()
            .forEach(entry ->
                values.put(
                    entry.getKey(), new Value(entry.getValue().stringValue(""), secret || binary)));
      }
    }
    return values;
  }

  private void add(List<VolumeFile> files, VolumeFile file) throws VolumeFault {
    budget.count(file);
    files.add(file);
  }

  private List<VolumeFile> downward(ObjectNode source, int mode) throws VolumeFault {
    List<VolumeFile> files = new ArrayList<>();
    ArrayNode items = Json.arrayAt(source, "items");
    if (items != null) {
      for (JsonNode item : items) {
        add(files, new VolumeFile(path(item), mode(item, "mode", mode), downward(item), false));
      }
    }
    return files;
  }

  private String downward(JsonNode item) {
    ObjectNode field = Json.objectAt(item, "fieldRef");
    if (field != null) {
      return fields.computeIfAbsent(field, _ -> PodField.value(pod, field));
    }
    ObjectNode resource = Json.objectAt(item, "resourceFieldRef");
    return resource == null ? "" : ResourceRef.value(pod, null, resource, machine);
  }

  private static String path(JsonNode item) {
    return orEmpty(Json.text(item, "path"));
  }

  private static int mode(JsonNode parent, String member, int otherwise) {
    Integer mode = Json.integer(parent, member);
    return mode == null ? otherwise : mode;
  }

  private static String orEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }
}
