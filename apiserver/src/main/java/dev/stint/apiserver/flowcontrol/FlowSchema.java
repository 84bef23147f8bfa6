package dev.stint.apiserver.flowcontrol;

import dev.stint.apiserver.access.RequestAttributes;
import dev.stint.model.KubeObject;
import dev.stint.model.field.FieldPath;
import java.util.Comparator;
import java.util.List;

/**
 * A flow schema, as its object configures it.
 *
 * @param uid "" for a built-in schema that is not stored
 * @param precedence the place in the order in which schemas are tried; lowest first
 * @param level the name of the priority level
 * @param rules the rules, one of which must match
 */
public record FlowSchema(
    String name,
    String uid,
    long precedence,
    String level,
    Distinguisher distinguisher,
    List<FlowRule> rules) {
  /** The order in which schemas are tried. */
  static final Comparator<FlowSchema> ORDER =
      Comparator.comparingLong(FlowSchema::precedence).thenComparing(FlowSchema::name);

  /** The property of requests that separates the flows of a schema. */
  public enum Distinguisher {
    NONE,
    BY_USER,
    BY_NAMESPACE
  }

  /** Returns the schema that a valid object configures. */
  static FlowSchema of(KubeObject object) {
    FieldPath spec = FieldPath.root(object.tree()).get("spec");
    return new FlowSchema(
        object.name(),
        object.uid(),
        spec.get("matchingPrecedence").count(),
        spec.get("priorityLevelConfiguration", "name").text(),
        switch (spec.get("distinguisherMethod", "type").text()) {
          case "ByUser" -> Distinguisher.BY_USER;
          case "ByNamespace" -> Distinguisher.BY_NAMESPACE;
          default -> Distinguisher.NONE;
        },
        spec.get("rules").items().stream().map(FlowRule::of).toList());
  }

  /** True if some rule matches a request. */
  boolean matches(RequestAttributes request) {
    for (FlowRule rule : rules) {
      if (rule.matches(request)) {
        return true;
      }
    }
    return false;
  }

  /** Returns what distinguishes the flow of a request from the other flows of the schema. */
  public String flowOf(RequestAttributes request) {
    return switch (distinguisher) {
      case NONE -> "";
      case BY_USER -> request.user().name();
      case BY_NAMESPACE -> request.namespace();
    };
  }
}
