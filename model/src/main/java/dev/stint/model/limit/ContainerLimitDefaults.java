package dev.stint.model.limit;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The requests and limits that limit ranges give to containers without their own. An annotation of
 * the pod lists them.
 */
public final class ContainerLimitDefaults {
  private static final String ANNOTATION = "kubernetes.io/limit-ranger";

  private ContainerLimitDefaults() {}

  /**
   * Returns a new pod with these defaults; the same object if nothing is missing.
   *
   * @param limitRanges the limit ranges of its namespace
   */
  public static KubeObject apply(KubeObject pod, List<ObjectNode> limitRanges) {
    NavigableMap<String, Quantity> requests = new TreeMap<>();
    NavigableMap<String, Quantity> limits = new TreeMap<>();
    for (ObjectNode limitRange : limitRanges) {
      for (LimitRangeItem item : LimitRangeItem.of(limitRange)) {
        if (item.type().equals("Container")) {
          item.requests().forEach(requests::putIfAbsent);
          item.limits().forEach(limits::putIfAbsent);
        }
      }
    }
    ObjectNode spec = pod.spec();
    return spec == null || requests.isEmpty() && limits.isEmpty()
        ? pod
        : apply(pod, spec, requests, limits);
  }

  private static KubeObject apply(
      KubeObject pod,
      ObjectNode spec,
      NavigableMap<String, Quantity> requests,
      NavigableMap<String, Quantity> limits) {
    List<String> additions = new ArrayList<>();
    ObjectNode changed = Json.copyOf(spec);
    for (String list : List.of("containers", "initContainers")) {
      String kind = list.equals("containers") ? "container" : "init container";
      ArrayNode containers = Json.arrayAt(spec, list);
      if (containers != null) {
        ArrayNode filled = changed.putArray(list);
        containers.forEach(each ->
            filled.add(
                each instanceof ObjectNode container
                    ? filled(container, kind, requests, limits, additions)
                    : each));
      }
    }
    if (additions.isEmpty()) {
      return pod;
    }
    ObjectNode tree = Json.copyOf(pod.tree());
    tree.set("spec", changed);
    annotate(tree, "LimitRanger plugin set: " + String.join("; ", additions));
    return KubeObject.of(tree);
  }

  private static ObjectNode filled(
      ObjectNode container,
      String kind,
      NavigableMap<String, Quantity> requests,
      NavigableMap<String, Quantity> limits,
      List<String> additions) {
    ObjectNode resources = Json.objectAt(container, "resources");
    ObjectNode given = Json.objectAt(resources, "limits");
    Predicate<String> isLimited = resource -> given != null && given.hasNonNull(resource);
    ObjectNode filled = Json.copyOf(resources);
    // A resource with a limit and no request requests its limit.
    String requested = fillIn(filled, "requests", requests, isLimited);
    String limited = fillIn(filled, "limits", limits, isLimited);
    String name = kind + " " + container.path("name").asString("");
    if (!requested.isEmpty()) {
      additions.add(requested + " request for " + name);
    }
    if (!limited.isEmpty()) {
      additions.add(limited + " limit for " + name);
    }
    return Json.copyOf(container).set("resources", filled);
  }

  /** Adds missing amounts; returns the names of their resources. */
  private static String fillIn(
      ObjectNode resources,
      String member,
      NavigableMap<String, Quantity> defaults,
      Predicate<String> isGiven) {
    ObjectNode amounts = Json.copyOf(Json.objectAt(resources, member));
    List<String> added = new ArrayList<>();
    defaults.forEach((resource, amount) -> {
      if (!isGiven.test(resource) && !amounts.hasNonNull(resource)) {
        amounts.put(resource, amount.canonical());
        added.add(resource);
      }
    });
    if (!added.isEmpty()) {
      resources.set(member, amounts);
    }
    return String.join(", ", added);
  }

  private static void annotate(ObjectNode pod, String text) {
    ObjectNode metadata = Json.copyOf(Json.objectAt(pod, "metadata"));
    ObjectNode annotations = Json.copyOf(Json.objectAt(metadata, "annotations"));
    metadata.set("annotations", annotations.put(ANNOTATION, text));
    pod.set("metadata", metadata);
  }
}
