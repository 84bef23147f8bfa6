package dev.stint.model.flowcontrol;

import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The priority levels and flow schemas of every API server: those of Kubernetes that are of use
 * here. They are data ({@code built-in.json}).
 */
public final class BuiltInFlowControl {
  /** The name of the level, and of the schema, of requests that never wait. */
  public static final String EXEMPT = "exempt";

  /** The name of the level, and of the schema, of requests that no other schema matches. */
  public static final String CATCH_ALL = "catch-all";

  /** The objects whose specifications nobody may change. */
  private static final Set<String> MANDATORY = Set.of(EXEMPT, CATCH_ALL);

  private static final Map<Kind, String> MEMBERS =
      Map.of(Kind.PRIORITY_LEVEL, "priorityLevels", Kind.FLOW_SCHEMA, "flowSchemas");

  private static final ObjectNode DATA = data();

  private BuiltInFlowControl() {}

  /** Returns the kinds, first the one that the other refers to. */
  public static List<Kind> kinds() {
    return List.of(Kind.PRIORITY_LEVEL, Kind.FLOW_SCHEMA);
  }

  /** Returns the names of the built-in objects of a kind. */
  public static List<String> names(Kind kind) {
    return new ArrayList<>(specs(kind).propertyNames());
  }

  /** Returns the specification of a built-in object, not to be changed; null for other names. */
  public static @Nullable ObjectNode spec(Kind kind, String name) {
    return Json.objectAt(specs(kind), name);
  }

  /**
   * True if nobody may change the specification of an object: the mandatory ones, but for the seats
   * of the exempt level.
   */
  public static boolean isFixed(Kind kind, String name) {
    return MANDATORY.contains(name) && !(kind.equals(Kind.PRIORITY_LEVEL) && name.equals(EXEMPT));
  }

  /** Checks that a mandatory object has its specification. */
  static void checkFixed(Kind kind, FieldPath root, FieldErrors faults) {
    String name = root.get("metadata", "name").text();
    ObjectNode fixed = isFixed(kind, name) ? spec(kind, name) : null;
    FieldPath spec = root.get("spec");
    if (fixed != null && !spec.sameAs(FieldPath.root(fixed))) {
      faults.invalid(spec, "spec of '" + name + "' must equal the fixed value");
    }
  }

  private static ObjectNode specs(Kind kind) {
    return DATA.withObjectProperty(Objects.requireNonNull(MEMBERS.get(kind), kind::kind));
  }

  private static ObjectNode data() {
    try (InputStream in = BuiltInFlowControl.class.getResourceAsStream("built-in.json")) {
      return Json.parse(Objects.requireNonNull(in, "built-in.json").readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
