package dev.stint.apiserver.flowcontrol;

import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.Timestamps;
import dev.stint.model.field.FieldPath;
import dev.stint.model.flowcontrol.BuiltInFlowControl;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The writes that bring the built-in objects, and the status of flow schemas, into the state that
 * Kubernetes' documentation describes (API Priority and Fairness, maintenance of the mandatory and
 * suggested configuration objects).
 *
 * <p>The annotation {@code apf.kubernetes.io/autoupdate-spec} says who controls an object: if it is
 * {@code false}, users do, and the specification stays as they want it. Nobody else may change the
 * mandatory objects, and a suggested one that is deleted comes back.
 *
 * @param created new objects
 * @param updated changed objects
 * @param deleted objects that an earlier version had suggested
 * @param statuses merge patches of the status of flow schemas
 */
record FlowControlPlan(
    List<KubeObject> created,
    List<KubeObject> updated,
    List<KubeObject> deleted,
    Map<KubeObject, ObjectNode> statuses) {
  static final String ANNOTATION = "apf.kubernetes.io/autoupdate-spec";
  private static final String DANGLING = "Dangling";

  /** Returns what to write, given all objects of both kinds. */
  static FlowControlPlan of(List<KubeObject> found, Instant now) {
    FlowControlPlan plan = ofBuiltIn(found);
    plan.reportDangling(found, now);
    return plan;
  }

  /** Returns what to write of the built-in objects, without any status. */
  static FlowControlPlan ofBuiltIn(List<KubeObject> found) {
    FlowControlPlan plan =
        new FlowControlPlan(
            new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new HashMap<>());
    BuiltInFlowControl.kinds().forEach(kind -> plan.maintain(kind, found));
    return plan;
  }

  private void maintain(Kind kind, List<KubeObject> found) {
    Map<String, KubeObject> present = new HashMap<>();
    found.stream()
        .filter(object -> object.kind().equals(kind))
        .forEach(object -> present.put(object.name(), object));
    for (String name : BuiltInFlowControl.names(kind)) {
      ObjectNode spec = Objects.requireNonNull(BuiltInFlowControl.spec(kind, name));
      KubeObject object = present.remove(name);
      if (object == null) {
        created.add(document(kind, name, spec));
      } else {
        correct(object, spec);
      }
    }
    present.values().stream()
        .filter(object -> "true".equals(object.annotation(ANNOTATION)))
        .forEach(deleted::add);
  }

  private void correct(KubeObject object, ObjectNode spec) {
    boolean controlled = isControlled(object);
    String word = Boolean.toString(controlled);
    boolean same = !controlled || isSame(object.spec(), spec);
    if (!same || !word.equals(object.annotation(ANNOTATION))) {
      ObjectNode wanted = object.copy();
      wanted.withObjectProperty("metadata").withObjectProperty("annotations").put(ANNOTATION, word);
      if (!same) {
        wanted.set("spec", spec.deepCopy());
      }
      updated.add(KubeObject.of(wanted));
    }
  }

  /** True if the server, and not its users, controls the specification of a built-in object. */
  private static boolean isControlled(KubeObject object) {
    if (BuiltInFlowControl.isFixed(object.kind(), object.name())) {
      return true;
    }
    return switch (object.annotation(ANNOTATION)) {
      case "true" -> true;
      case "false" -> false;
      case null, default -> object.generation() == 1;
    };
  }

  private static boolean isSame(@Nullable ObjectNode one, ObjectNode other) {
    return one != null && FieldPath.root(one).sameAs(FieldPath.root(other));
  }

  private void reportDangling(List<KubeObject> found, Instant now) {
    Set<String> levels = new HashSet<>(BuiltInFlowControl.names(Kind.PRIORITY_LEVEL));
    found.stream()
        .filter(object -> object.kind().equals(Kind.PRIORITY_LEVEL))
        .forEach(level -> levels.add(level.name()));
    deleted.stream()
        .filter(object -> object.kind().equals(Kind.PRIORITY_LEVEL))
        .forEach(level -> levels.remove(level.name()));
    found.stream()
        .filter(object -> object.kind().equals(Kind.FLOW_SCHEMA) && !deleted.contains(object))
        .forEach(schema -> dangling(schema, levels, now));
  }

  private void dangling(KubeObject schema, Set<String> levels, Instant now) {
    FieldPath root = FieldPath.root(schema.tree());
    String level = root.get("spec", "priorityLevelConfiguration", "name").text();
    ObjectNode wanted = condition(level, levels.contains(level));
    ArrayNode conditions = Json.array();
    String since = Timestamps.format(now);
    for (FieldPath condition : root.get("status", "conditions").items()) {
      if (!condition.get("type").text().equals(DANGLING)) {
        conditions.add(condition.node());
      } else if (isSame(withoutTime(condition.node()), wanted)) {
        return;
      } else if (condition.get("status").text().equals(wanted.path("status").asString())) {
        since = condition.get("lastTransitionTime").text();
      }
    }
    conditions.add(wanted.put("lastTransitionTime", since));
    ObjectNode patch = Json.object();
    patch.putObject("metadata").put("uid", schema.uid());
    patch.putObject("status").set("conditions", conditions);
    statuses.put(schema, patch);
  }

  private static ObjectNode withoutTime(JsonNode condition) {
    ObjectNode copy = Json.copyOf((ObjectNode) condition);
    copy.remove("lastTransitionTime");
    return copy;
  }

  private static ObjectNode condition(String level, boolean exists) {
    return Json.object()
        .put("type", DANGLING)
        .put("status", exists ? "False" : "True")
        .put("reason", exists ? "Found" : "NotFound")
        .put(
            "message",
            "This FlowSchema references the PriorityLevelConfiguration object named \"%s\" %s"
                .formatted(level, exists ? "and it exists" : "but there is no such object"));
  }

  private static KubeObject document(Kind kind, String name, ObjectNode spec) {
    ObjectNode document = Json.object();
    document.put("apiVersion", kind.apiVersion()).put("kind", kind.kind());
    document
        .putObject("metadata")
        .put("name", name)
        .putObject("annotations")
        .put(ANNOTATION, "true");
    document.set("spec", spec.deepCopy());
    return KubeObject.of(document);
  }
}
