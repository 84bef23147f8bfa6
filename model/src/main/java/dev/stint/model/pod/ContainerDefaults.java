package dev.stint.model.pod;

import dev.stint.model.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Defaults of one container. */
final class ContainerDefaults {
  private ContainerDefaults() {}

  static void apply(ObjectNode container) {
    Defaults.text(container, "terminationMessagePath", "/dev/termination-log");
    Defaults.text(container, "terminationMessagePolicy", "File");
    Defaults.text(
        container, "imagePullPolicy", DefaultPullPolicy.of(Json.text(container, "image")));
    Defaults.object(container, "resources");
    PodDefaults.each(container, "ports", port -> Defaults.text(port, "protocol", "TCP"));
    PodDefaults.each(container, "env", ContainerDefaults::variable);
    probe(Json.objectAt(container, "livenessProbe"));
    probe(Json.objectAt(container, "readinessProbe"));
    probe(Json.objectAt(container, "startupProbe"));
    ObjectNode lifecycle = Json.objectAt(container, "lifecycle");
    httpGet(Json.objectAt(lifecycle, "postStart"));
    httpGet(Json.objectAt(lifecycle, "preStop"));
    ResourceDefaults.roundUp(Json.objectAt(container, "resources"));
  }

  static void fieldRef(ObjectNode holder) {
    ObjectNode reference = Json.objectAt(holder, "fieldRef");
    if (reference != null) {
      Defaults.text(reference, "apiVersion", "v1");
    }
  }

  private static void variable(ObjectNode variable) {
    ObjectNode source = Json.objectAt(variable, "valueFrom");
    if (source != null) {
      fieldRef(source);
      ObjectNode file = Json.objectAt(source, "fileKeyRef");
      if (file != null) {
        Defaults.bool(file, "optional", false);
      }
    }
  }

  private static void probe(@Nullable ObjectNode probe) {
    if (probe == null) {
      return;
    }
    positive(probe, "timeoutSeconds", 1);
    positive(probe, "periodSeconds", 10);
    positive(probe, "successThreshold", 1);
    positive(probe, "failureThreshold", 3);
    httpGet(probe);
    ObjectNode grpc = Json.objectAt(probe, "grpc");
    if (grpc != null) {
      Defaults.optionalText(grpc, "service", "");
    }
  }

  private static void positive(ObjectNode probe, String member, int value) {
    Integer found = Json.integer(probe, member);
    if (found == null || found == 0) {
      probe.put(member, value);
    }
  }

  private static void httpGet(@Nullable ObjectNode holder) {
    ObjectNode request = Json.objectAt(holder, "httpGet");
    if (request != null) {
      Defaults.text(request, "path", "/");
      Defaults.text(request, "scheme", "HTTP");
    }
  }
}
