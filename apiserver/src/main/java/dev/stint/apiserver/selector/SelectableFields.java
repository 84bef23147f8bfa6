package dev.stint.apiserver.selector;

import dev.stint.model.Json;
import dev.stint.model.Kind;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The fields by which each kind can be selected, with readers of their values. */
final class SelectableFields {
  private static final List<String> REFERENCE =
      List.of("kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath");

  private static final Map<Kind, Map<String, Function<ObjectNode, String>>> BY_KIND =
      Stream.concat(Kind.all().stream(), Stream.of(Kind.EVENTS_EVENT))
          .collect(Collectors.toMap(kind -> kind, SelectableFields::fields));

  private SelectableFields() {}

  /** Returns the reader of a field's value; null if the kind can't be selected by it. */
  static @Nullable Function<ObjectNode, String> reader(Kind kind, String field) {
    return BY_KIND.getOrDefault(kind, Map.of()).get(field);
  }

  static Set<String> names(Kind kind) {
    return BY_KIND.getOrDefault(kind, Map.of()).keySet();
  }

  private static Map<String, Function<ObjectNode, String>> fields(Kind kind) {
    Map<String, Function<ObjectNode, String>> fields = new LinkedHashMap<>();
    texts(fields, "metadata.name", "metadata.namespace");
    switch (kind.group() + "/" + kind.kind()) {
      case "/Pod" -> pod(fields);
      case "batch/Job" -> fields.put("status.successful", at("status.succeeded", "0"));
      case "/Event" -> event(fields);
      case "events.k8s.io/Event" -> shownEvent(fields);
      case "/Namespace" -> {
        texts(fields, "status.phase");
        fields.put("name", at("metadata.name", ""));
      }
      case "/Node" -> fields.put("spec.unschedulable", at("spec.unschedulable", "false"));
      case "/Secret" -> texts(fields, "type");
      default -> {}
    }
    return fields;
  }

  private static void pod(Map<String, Function<ObjectNode, String>> fields) {
    texts(
        fields,
        "spec.nodeName",
        "spec.restartPolicy",
        "spec.schedulerName",
        "spec.serviceAccountName",
        "status.phase",
        "status.podIP",
        "status.nominatedNodeName");
    fields.put("spec.hostNetwork", at("spec.hostNetwork", "false"));
    fields.put("status.podIPs", SelectableFields::podIps);
  }

  private static void event(Map<String, Function<ObjectNode, String>> fields) {
    REFERENCE.forEach(part -> texts(fields, "involvedObject." + part));
    texts(fields, "reason", "reportingComponent", "type");
    fields.put("source", SelectableFields::source);
  }

  /**
   * Adds the fields of events by their names in events.k8s.io; the values are stored under the core
   * group's names.
   */
  private static void shownEvent(Map<String, Function<ObjectNode, String>> fields) {
    REFERENCE.forEach(part -> fields.put("regarding." + part, at("involvedObject." + part, "")));
    fields.put("reportingController", at("reportingComponent", ""));
    texts(fields, "reason", "type");
  }

  private static void texts(Map<String, Function<ObjectNode, String>> fields, String... paths) {
    for (String path : paths) {
      fields.put(path, at(path, ""));
    }
  }

  /** Returns the reporter: newer reporters name themselves in the other field only. */
  private static String source(ObjectNode event) {
    String source = at("source.component", "").apply(event);
    return source.isEmpty() ? at("reportingComponent", "").apply(event) : source;
  }

  private static String podIps(ObjectNode pod) {
    ArrayNode addresses = Json.arrayAt(Json.objectAt(pod, "status"), "podIPs");
    return addresses == null
        ? ""
        : StreamSupport.stream(addresses.spliterator(), false)
            .map(address -> at("ip", "").apply((ObjectNode) address))
            .collect(Collectors.joining(","));
  }

  private static Function<ObjectNode, String> at(String path, String absent) {
    String[] members = path.split("\\.", -1);
    return object -> {
      JsonNode found = object;
      for (String member : members) {
        found = found == null ? null : found.get(member);
      }
      return found == null || found.isNull() ? absent : found.asString();
    };
  }
}
