package dev.stint.runner;

import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The config maps and secrets that a pod names: in variables, in volumes, to pull images with. */
final class InputRefs {
  private final String namespace;
  private final List<InputRef> found = new ArrayList<>();

  private InputRefs(KubeObject pod) {
    this.namespace = pod.namespace();
  }

  /** All that the pod names, required or not. */
  static Set<ObjectRef> of(KubeObject pod) {
    InputRefs refs = new InputRefs(pod);
    PodSpec.initContainers(pod).forEach(refs::variables);
    PodSpec.containers(pod).forEach(refs::variables);
    refs.volumes(pod);
    each(pod.spec(), "imagePullSecrets", secret -> refs.add(Kind.SECRET, secret, "name"));
    Set<ObjectRef> objects = new LinkedHashSet<>();
    refs.found.stream()
        .map(InputRef::object)
        .filter(object -> !object.name().isEmpty())
        .forEach(objects::add);
    return objects;
  }

  /** What a container needs and is not there; null where it may start. */
  static @Nullable String missing(KubeObject pod, ObjectNode container, PodInputs inputs) {
    InputRefs refs = new InputRefs(pod);
    refs.volumes(pod);
    refs.variables(container);
    for (InputRef ref : refs.found) {
      String missing = ref.missing(inputs);
      if (missing != null) {
        return missing;
      }
    }
    return null;
  }

  private void variables(ObjectNode container) {
    each(
        container,
        "envFrom",
        source -> {
          add(Kind.CONFIG_MAP, Json.objectAt(source, "configMapRef"), "name");
          add(Kind.SECRET, Json.objectAt(source, "secretRef"), "name");
        });
    each(
        container,
        "env",
        variable -> {
          ObjectNode source = Json.objectAt(variable, "valueFrom");
          add(Kind.CONFIG_MAP, Json.objectAt(source, "configMapKeyRef"), "name");
          add(Kind.SECRET, Json.objectAt(source, "secretKeyRef"), "name");
        });
  }

  private void volumes(KubeObject pod) {
    each(
        pod.spec(),
        "volumes",
        volume -> {
          add(Kind.CONFIG_MAP, Json.objectAt(volume, "configMap"), "name");
          add(Kind.SECRET, Json.objectAt(volume, "secret"), "secretName");
          each(
              Json.objectAt(volume, "projected"),
              "sources",
              source -> {
                add(Kind.CONFIG_MAP, Json.objectAt(source, "configMap"), "name");
                add(Kind.SECRET, Json.objectAt(source, "secret"), "name");
              });
        });
  }

  private void add(Kind kind, @Nullable JsonNode reference, String nameMember) {
    if (reference != null) {
      found.add(InputRef.of(kind, reference, nameMember, namespace));
    }
  }

  private static void each(@Nullable JsonNode parent, String member, Consumer<JsonNode> then) {
    ArrayNode items = Json.arrayAt(parent, member);
    if (items != null) {
      items.forEach(then);
    }
  }
}
