package dev.stint.apiserver.selector;

import dev.stint.model.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The fields that objects of a kind can be selected by, with readers of their values. */
public final class SelectableFields {
  private static final List<String> REFERENCE =
      List.of("kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath");

  /** The fields of every kind. */
  public static final SelectableFields METADATA = with(_ -> {});

  public static final SelectableFields PODS = with(SelectableFields::pod);
  public static final SelectableFields JOBS =
      with(fields -> fields.put("status.successful", at("status.succeeded", "0")));
  public static final SelectableFields EVENTS = with(SelectableFields::event);
  public static final SelectableFields SHOWN_EVENTS = with(SelectableFields::shownEvent);
  public static final SelectableFields NAMESPACES =
      with(fields -> {
        texts(fields, "status.phase");
        fields.put("name", at("metadata.name", ""));
      });
  public static final SelectableFields NODES =
      with(fields -> fields.put("spec.unschedulable", at("spec.unschedulable", "false")));
  public static final SelectableFields SERVICES =
      with(fields -> texts(fields, "spec.clusterIP", "spec.type"));
  public static final SelectableFields REPLICA_SETS =
      with(fields -> fields.put("status.replicas", at("status.replicas", "0")));
  public static final SelectableFields CERTIFICATE_REQUESTS =
      with(fields -> texts(fields, "spec.signerName"));
  public static final SelectableFields SECRETS = with(fields -> texts(fields, "type"));

  private final Map<String, Function<ObjectNode, String>> readers;

  private SelectableFields(Map<String, Function<ObjectNode, String>> readers) {
    this.readers = readers;
  }

  /** Returns the fields of every kind, and others. */
  private static SelectableFields with(Consumer<Map<String, Function<ObjectNode, String>>> others) {
    Map<String, Function<ObjectNode, String>> readers = new LinkedHashMap<>();
    texts(readers, "metadata.name", "metadata.namespace");
    others.accept(readers);
    return new SelectableFields(readers);
  }

  /**
   * Returns the fields of a custom kind.
   *
   * @param paths such as {@code .spec.color}
   */
  public static SelectableFields ofCustomKind(List<String> paths) {
    return with(fields -> paths.forEach(path -> texts(fields, path.substring(1))));
  }

  /** Returns the reader of a field's value; null if objects cannot be selected by it. */
  @Nullable Function<ObjectNode, String> reader(String field) {
    return readers.get(field);
  }

  Set<String> names() {
    return readers.keySet();
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
      // A custom resource may hold an object in a field that became selectable later.
      return found == null || found.isNull() || !found.isValueNode() ? absent : found.asString();
    };
  }
}
