package dev.stint.runner.device;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.runner.spec.ContainerRole;
import dev.stint.runner.spec.PodRequests;
import dev.stint.runner.spec.PodSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The devices that a pod has, as its annotation {@link #ANNOTATION} says, and how its containers
 * share them: each main container and each sidecar has its own; an init container uses those that
 * its successors get later.
 */
public final class PodDevices {
  /** Annotation: the IDs of the pod's devices by resource, as JSON. Written before it starts. */
  public static final String ANNOTATION = "stint.dev/devices";

  private PodDevices() {}

  /** Reads the devices of a pod; none if the annotation is absent or malformed. */
  public static Devices of(KubeObject pod) {
    String text = pod.annotations().get(ANNOTATION);
    if (text == null) {
      return Devices.NONE;
    }
    try {
      return read(Json.parse(text));
    } catch (JacksonException | ClassCastException malformed) {
      return Devices.NONE;
    }
  }

  private static Devices read(ObjectNode tree) {
    SortedMap<String, List<String>> ids = new TreeMap<>();
    tree.properties()
        .forEach(entry -> {
          List<String> list = new ArrayList<>();
          entry.getValue().forEach(id -> list.add(id.asString("")));
          ids.put(entry.getKey(), list);
        });
    return new Devices(ids);
  }

  /** Returns the annotation's value. */
  public static String text(Devices devices) {
    ObjectNode tree = Json.object();
    devices
        .ids()
        .forEach((name, ids) -> {
          ArrayNode list = tree.putArray(name);
          ids.forEach(list::add);
        });
    return tree.toString();
  }

  /**
   * Returns a pod with an annotation for these devices, in place of one that somebody has changed.
   */
  public static KubeObject assign(KubeObject pod, Devices devices) {
    String text = text(devices);
    if (text.equals(pod.annotations().get(ANNOTATION))) {
      return pod;
    }
    ObjectNode copy = pod.copy();
    copy.withObjectProperty("metadata").withObjectProperty("annotations").put(ANNOTATION, text);
    return KubeObject.of(copy);
  }

  /** Returns the devices of one container of a pod. */
  public static Devices ofContainer(KubeObject pod, JsonNode container) {
    return pod.annotations().containsKey(ANNOTATION)
        ? shares(pod).getOrDefault(String.valueOf(Json.text(container, "name")), Devices.NONE)
        : Devices.NONE;
  }

  private static Map<String, Devices> shares(KubeObject pod) {
    Map<String, Devices> shares = new HashMap<>();
    Devices rest = of(pod);
    for (ObjectNode container : PodSpec.initContainers(pod)) {
      Devices share = first(rest, container);
      shares.put(String.valueOf(Json.text(container, "name")), share);
      if (ContainerRole.ofInitContainer(container) == ContainerRole.SIDECAR) {
        rest = rest.without(share);
      }
    }
    for (ObjectNode container : PodSpec.containers(pod)) {
      Devices share = first(rest, container);
      shares.put(String.valueOf(Json.text(container, "name")), share);
      rest = rest.without(share);
    }
    return shares;
  }

  private static Devices first(Devices rest, ObjectNode container) {
    return new DevicePool<String>(rest)
        .take("", PodRequests.ofContainer(container).amount().devices());
  }
}
