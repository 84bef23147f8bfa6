package dev.stint.apiserver.flowcontrol;

import dev.stint.apiserver.access.RequestAttributes;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.flowcontrol.BuiltInFlowControl;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Selects the flow schema of each request: of those that match, the first by precedence and name. A
 * schema whose priority level does not exist matches nothing. The mandatory objects are always
 * there, stored or not.
 */
public final class Classifier {
  private static final List<String> MANDATORY =
      List.of(BuiltInFlowControl.EXEMPT, BuiltInFlowControl.CATCH_ALL);

  private final Map<String, PriorityLevel> levels = new LinkedHashMap<>();
  private final List<FlowSchema> schemas;
  private final FlowSchema last;

  /** Creates a classifier of all stored objects. */
  public Classifier(FlowControlSource source) {
    all(source, Kind.PRIORITY_LEVEL)
        .forEach((name, object) -> levels.put(name, PriorityLevel.of(object)));
    Map<String, KubeObject> stored = all(source, Kind.FLOW_SCHEMA);
    schemas =
        stored.values().stream()
            .map(FlowSchema::of)
            .filter(schema -> levels.containsKey(schema.level()))
            .sorted(FlowSchema.ORDER)
            .toList();
    last = FlowSchema.of(Objects.requireNonNull(stored.get(BuiltInFlowControl.CATCH_ALL)));
  }

  private static Map<String, KubeObject> all(FlowControlSource source, Kind kind) {
    Map<String, KubeObject> all = new LinkedHashMap<>();
    MANDATORY.forEach(name -> all.put(name, mandatory(kind, name)));
    source.list(kind).forEach(object -> all.put(object.name(), object));
    return all;
  }

  private static KubeObject mandatory(Kind kind, String name) {
    ObjectNode object = Json.object();
    object.putObject("metadata").put("name", name).put("uid", "");
    @Nullable ObjectNode spec = BuiltInFlowControl.spec(kind, name);
    object.set("spec", Objects.requireNonNull(spec));
    return KubeObject.of(object);
  }

  /** Returns the schema of a request. */
  public FlowSchema schemaOf(RequestAttributes request) {
    for (FlowSchema schema : schemas) {
      if (schema.matches(request)) {
        return schema;
      }
    }
    return last;
  }

  /** Returns the priority level of a schema that it selects. */
  public PriorityLevel levelOf(FlowSchema schema) {
    return Objects.requireNonNull(levels.get(schema.level()));
  }

  /** Returns all schemas that may be selected. */
  public List<FlowSchema> schemas() {
    return schemas;
  }

  /** Returns all priority levels. */
  public Collection<PriorityLevel> levels() {
    return levels.values();
  }
}
