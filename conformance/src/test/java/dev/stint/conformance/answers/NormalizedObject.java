package dev.stint.conformance.answers;

import dev.stint.model.Json;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/** Objects without the parts that differ from run to run. */
final class NormalizedObject {
  private static final List<String> SERVER_SET =
      List.of(
          "uid",
          "resourceVersion",
          "creationTimestamp",
          "managedFields",
          "generation",
          "deletionTimestamp");
  private static final int GENERATED_PREFIX = 58;
  private static final String NAME_LABEL = "kubernetes.io/metadata.name";
  private static final List<String> OF_A_JOB =
      List.of(
          "controller-uid",
          "job-name",
          "batch.kubernetes.io/controller-uid",
          "batch.kubernetes.io/job-name");

  private NormalizedObject() {}

  /** Returns an object as it was admitted, and may change it. */
  static ObjectNode of(ObjectNode object) {
    String uid = Json.text(Json.objectAt(object, "metadata"), "uid");
    ObjectNode shape = uid == null || uid.isEmpty() ? object : (ObjectNode) withoutUid(object, uid);
    ObjectNode metadata =
        Objects.requireNonNullElse(Json.objectAt(shape, "metadata"), Json.object());
    metadata.remove(SERVER_SET);
    withoutGeneratedName(metadata);
    return shape;
  }

  private static JsonNode withoutUid(JsonNode tree, String uid) {
    return switch (tree) {
      case ObjectNode object -> {
        ObjectNode copy = Json.object();
        object
            .properties()
            .forEach(member ->
                copy.set(member.getKey().replace(uid, "UID"), withoutUid(member.getValue(), uid)));
        yield copy;
      }
      case ArrayNode array -> {
        ArrayNode copy = Json.array();
        array.forEach(item -> copy.add(withoutUid(item, uid)));
        yield copy;
      }
      case StringNode text -> Json.text(text.stringValue().replace(uid, "UID"));
      default -> tree;
    };
  }

  private static void withoutGeneratedName(ObjectNode metadata) {
    String given = Objects.requireNonNullElse(Json.text(metadata, "generateName"), "");
    String prefix = given.substring(0, Math.min(given.length(), GENERATED_PREFIX));
    String name = Objects.requireNonNullElse(Json.text(metadata, "name"), "");
    if (prefix.isEmpty()) {
      return;
    }
    if (name.startsWith(prefix)) {
      metadata.remove("name");
    }
    ObjectNode labels = Json.objectAt(metadata, "labels");
    String label = Json.text(labels, NAME_LABEL);
    if (labels != null && label != null && label.startsWith(prefix)) {
      labels.put(NAME_LABEL, "NAME");
    }
  }

  /** Returns the object that a user would have sent to get a stored one. */
  static ObjectNode bare(ObjectNode stored) {
    ObjectNode bare = stored.deepCopy();
    bare.remove("status");
    ObjectNode metadata = bare.withObjectProperty("metadata");
    metadata.remove(SERVER_SET);
    metadata.remove(List.of("selfLink", "deletionGracePeriodSeconds"));
    ObjectNode spec = Json.objectAt(bare, "spec");
    if (spec != null && "Job".equals(Json.text(bare, "kind")) && !isSelectedByHand(spec)) {
      spec.remove("selector");
      withoutJobLabels(metadata);
      withoutJobLabels(Json.objectAt(Json.objectAt(spec, "template"), "metadata"));
    }
    return bare;
  }

  private static boolean isSelectedByHand(ObjectNode spec) {
    return Boolean.TRUE.equals(Json.bool(spec, "manualSelector"));
  }

  private static void withoutJobLabels(@Nullable ObjectNode metadata) {
    ObjectNode labels = Json.objectAt(metadata, "labels");
    if (labels != null) {
      labels.remove(OF_A_JOB);
    }
  }
}
