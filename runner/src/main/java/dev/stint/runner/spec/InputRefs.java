package dev.stint.runner.spec;

import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import dev.stint.model.ObjectRef;
import dev.stint.model.item.ItemSource;
import dev.stint.runner.token.TokenSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Finds the config maps and secrets that a pod references: in variables, in volumes, to pull
 * images.
 */
public final class InputRefs {
  private final String namespace;

  /** The volume of a list: only the pod's own line of it is an input. */
  private final String items;

  private final List<InputRef> found = new ArrayList<>();

  private InputRefs(KubeObject pod, Optional<ItemSource> list) {
    this.namespace = pod.namespace();
    this.items = list.map(ItemSource::volume).orElse("");
  }

  private InputRefs(KubeObject pod) {
    this(pod, ItemSource.of(pod));
  }

  /** Returns all references of the pod, required or optional. */
  public static Set<ObjectRef> of(KubeObject pod) {
    return of(pod, ItemSource.of(pod));
  }

  /**
   * Returns all references of the pod, required or optional.
   *
   * @param list the list that the pod takes its line from
   */
  public static Set<ObjectRef> of(KubeObject pod, Optional<ItemSource> list) {
    InputRefs refs = new InputRefs(pod, list);
    PodSpec.initContainers(pod).forEach(refs::variables);
    PodSpec.containers(pod).forEach(refs::variables);
    each(pod.spec(), "volumes", refs::volume);
    each(pod.spec(), "imagePullSecrets", secret -> refs.add(Kind.SECRET, secret, "name"));
    Set<ObjectRef> objects = new LinkedHashSet<>();
    refs.found.stream()
        .map(InputRef::object)
        .filter(object -> !object.name().isEmpty())
        .forEach(objects::add);
    return objects;
  }

  /**
   * A missing input.
   *
   * @param volume the volume that needs it; empty if a variable does
   */
  public record Missing(String what, String volume) {}

  /** Returns the first missing input of the pod's volumes; null if there is none. */
  public static @Nullable Missing missingForVolumes(KubeObject pod, PodInputs inputs) {
    List<Missing> missing = new ArrayList<>();
    if (inputs.item() == null) {
      ItemSource.of(pod)
          .ifPresent(source -> missing.add(new Missing(missingItem(pod, source), source.volume())));
    }
    each(
        pod.spec(),
        "volumes",
        volume -> {
          InputRefs refs = new InputRefs(pod);
          refs.volume(volume);
          refs.addMissing(inputs, String.valueOf(Json.text(volume, "name")), missing);
        });
    for (TokenSource token : TokenSource.of(pod.spec())) {
      String why = inputs.tokens().whyMissing(token);
      if (why != null) {
        missing.add(new Missing("failed to fetch token: " + why, token.volume()));
      }
    }
    return missing.isEmpty() ? null : missing.getFirst();
  }

  private static String missingItem(KubeObject pod, ItemSource source) {
    return "configmap \"%s\" has no line for index %s"
        .formatted(source.map(0), pod.annotation(Names.COMPLETION_INDEX));
  }

  /** Returns the first missing input of a container's variables; null if there is none. */
  public static @Nullable Missing missing(KubeObject pod, ObjectNode container, PodInputs inputs) {
    List<Missing> missing = new ArrayList<>();
    InputRefs refs = new InputRefs(pod);
    refs.variables(container);
    refs.addMissing(inputs, "", missing);
    return missing.isEmpty() ? null : missing.getFirst();
  }

  private void addMissing(PodInputs inputs, String volume, List<Missing> missing) {
    found.stream()
        .map(ref -> ref.missing(inputs))
        .filter(Objects::nonNull)
        .forEach(what -> missing.add(new Missing(what, volume)));
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

  private void volume(JsonNode volume) {
    if (items.equals(Json.text(volume, "name"))) {
      return;
    }
    addFiles(Kind.CONFIG_MAP, Json.objectAt(volume, "configMap"), "name");
    addFiles(Kind.SECRET, Json.objectAt(volume, "secret"), "secretName");
    each(
        Json.objectAt(volume, "projected"),
        "sources",
        source -> {
          addFiles(Kind.CONFIG_MAP, Json.objectAt(source, "configMap"), "name");
          addFiles(Kind.SECRET, Json.objectAt(source, "secret"), "name");
        });
  }

  /** Adds the object, and each key of it that is to be a file. */
  private void addFiles(Kind kind, @Nullable JsonNode reference, String nameMember) {
    if (reference != null) {
      InputRef whole = InputRef.of(kind, reference, nameMember, namespace);
      found.add(whole);
      each(reference, "items", item -> found.add(whole.file(Json.text(item, "key"))));
    }
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
