package dev.stint.runner.env;

import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.runner.PodInputs;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The config maps and secrets that a pod names, in variables, volumes and pull secrets. */
public final class InputRefs {
  private final KubeObject pod;
  private final Set<ObjectRef> all = new LinkedHashSet<>();
  private final Set<ObjectRef> neededByVolumes = new LinkedHashSet<>();

  private InputRefs(KubeObject pod) {
    this.pod = pod;
  }

  /** What the pod names, required or not, in the order of the document. */
  public static Set<ObjectRef> of(KubeObject pod) {
    return read(pod).all;
  }

  /**
   * Sees whether the pod's volumes have what they need. What containers need for themselves, {@link
   * Environment#declared} says.
   */
  public static void checkVolumes(KubeObject pod, PodInputs inputs) throws MissingInputException {
    for (ObjectRef ref : read(pod).neededByVolumes) {
      boolean secret = ref.kind().equals(Kind.SECRET);
      Map<String, KubeObject> known = secret ? inputs.secrets() : inputs.configMaps();
      if (!known.containsKey(ref.name())) {
        throw notFound(ref);
      }
    }
  }

  static MissingInputException notFound(ObjectRef ref) {
    String kind = ref.kind().kind().toLowerCase(Locale.ROOT);
    return new MissingInputException(kind + " \"" + ref.name() + "\" not found");
  }

  private static InputRefs read(KubeObject pod) {
    InputRefs refs = new InputRefs(pod);
    ObjectNode spec = pod.spec();
    for (String list : List.of("initContainers", "containers")) {
      each(spec, list, refs::container);
    }
    each(spec, "volumes", refs::volume);
    each(spec, "imagePullSecrets", secret -> refs.add(Kind.SECRET, secret, "name", null));
    return refs;
  }

  private void container(JsonNode container) {
    each(
        container,
        "env",
        variable -> {
          ObjectNode source = Json.objectAt(variable, "valueFrom");
          add(Kind.CONFIG_MAP, Json.objectAt(source, "configMapKeyRef"), "name", null);
          add(Kind.SECRET, Json.objectAt(source, "secretKeyRef"), "name", null);
        });
    each(
        container,
        "envFrom",
        source -> {
          add(Kind.CONFIG_MAP, Json.objectAt(source, "configMapRef"), "name", null);
          add(Kind.SECRET, Json.objectAt(source, "secretRef"), "name", null);
        });
  }

  private void volume(JsonNode volume) {
    add(Kind.CONFIG_MAP, Json.objectAt(volume, "configMap"), "name", neededByVolumes);
    add(Kind.SECRET, Json.objectAt(volume, "secret"), "secretName", neededByVolumes);
    each(
        Json.objectAt(volume, "projected"),
        "sources",
        source -> {
          add(Kind.CONFIG_MAP, Json.objectAt(source, "configMap"), "name", neededByVolumes);
          add(Kind.SECRET, Json.objectAt(source, "secret"), "name", neededByVolumes);
        });
  }

  private void add(
      Kind kind, @Nullable JsonNode source, String member, @Nullable Set<ObjectRef> needed) {
    String name = Json.text(source, member);
    if (name == null || name.isEmpty()) {
      return;
    }
    ObjectRef ref = new ObjectRef(kind, pod.namespace(), name);
    all.add(ref);
    if (needed != null && !Boolean.TRUE.equals(Json.bool(source, "optional"))) {
      needed.add(ref);
    }
  }

  private static void each(@Nullable JsonNode parent, String member, Consumer<JsonNode> then) {
    ArrayNode items = Json.arrayAt(parent, member);
    if (items != null) {
      items.forEach(then);
    }
  }
}
