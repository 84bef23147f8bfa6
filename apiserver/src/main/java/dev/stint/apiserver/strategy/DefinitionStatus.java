package dev.stint.apiserver.strategy;

import dev.stint.apiextensions.definition.ApiApproval;
import dev.stint.apiextensions.definition.CompiledDefinition.CustomKind;
import dev.stint.apiextensions.definition.DefinitionNames;
import dev.stint.apiextensions.definition.NameAcceptance;
import dev.stint.apiextensions.definition.NameAcceptance.Conflict;
import dev.stint.model.Json;
import dev.stint.model.Timestamps;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The status of CustomResourceDefinitions. */
final class DefinitionStatus {
  private static final String CLEANUP = "customresourcecleanup.apiextensions.k8s.io";

  private final ObjectNode status;
  private final ArrayNode conditions;
  private final String now;

  private DefinitionStatus(ObjectNode definition, Instant now) {
    this.status = Json.copyOf(Json.objectAt(definition, "status"));
    ArrayNode before = Json.arrayAt(status, "conditions");
    this.conditions = before == null ? Json.array() : before.deepCopy();
    this.now = Timestamps.format(now);
    status.set("conditions", conditions);
  }

  /**
   * Accepts the names of a valid definition that no other one has, establishes it once all of them
   * are accepted, and adds the version in which objects are stored.
   *
   * @param definition its status is replaced
   * @param others the accepted names of the other definitions of its group
   */
  static void establish(
      ObjectNode definition, CustomKind kind, Collection<DefinitionNames> others, Instant now) {
    DefinitionStatus status = new DefinitionStatus(definition, now);
    status.accept(NameAcceptance.of(kind.names(), acceptedNames(definition), others));
    String stored = kind.stored().name();
    status.status.set("storedVersions", versions(status.status.get("storedVersions"), stored));
    ApiApproval approval = ApiApproval.of(definition);
    if (approval != null) {
      status.set(
          "KubernetesAPIApproved", approval.isGiven(), approval.reason(), approval.message());
    }
    definition.set("status", status.status);
  }

  /**
   * Says that a definition is being deleted.
   *
   * @param definition its status is replaced
   */
  static void terminate(ObjectNode definition, Instant now) {
    DefinitionStatus status = new DefinitionStatus(definition, now);
    status.set(
        "Terminating",
        true,
        "InstanceDeletionInProgress",
        "CustomResource deletion is in progress");
    definition.set("status", status.status);
  }

  private void accept(NameAcceptance names) {
    status.set("acceptedNames", tree(names.accepted()));
    Conflict conflict = names.conflict();
    if (conflict != null) {
      set("NamesAccepted", false, conflict.reason(), conflict.message());
    } else {
      set("NamesAccepted", true, "NoConflicts", "no conflicts found");
    }
    if (!isTrue(status, "Established")) {
      if (conflict != null) {
        set("Established", false, "NotAccepted", "not all names are accepted");
      } else {
        set("Established", true, "InitialNamesAccepted", "the initial names have been accepted");
      }
    }
  }

  /** Adds the finalizer that holds a definition as long as there are objects of its kind. */
  static void holdUntilCleanedUp(ObjectNode definition) {
    ArrayNode finalizers =
        MetadataDefaults.of(definition).withArrayProperty("finalizers").deepCopy();
    if (finalizers.valueStream().noneMatch(each -> each.asString("").equals(CLEANUP))) {
      finalizers.add(CLEANUP);
    }
    MetadataDefaults.of(definition).set("finalizers", finalizers);
  }

  /** True if a condition of a definition is true. */
  static boolean has(ObjectNode definition, String condition) {
    return isTrue(Json.objectAt(definition, "status"), condition);
  }

  private static boolean isTrue(@Nullable ObjectNode status, String type) {
    ObjectNode condition = find(Json.arrayAt(status, "conditions"), type);
    return condition != null && "True".equals(Json.text(condition, "status"));
  }

  private static @Nullable ObjectNode find(@Nullable ArrayNode conditions, String type) {
    if (conditions != null) {
      for (JsonNode condition : conditions) {
        if (condition instanceof ObjectNode tree && type.equals(Json.text(tree, "type"))) {
          return tree;
        }
      }
    }
    return null;
  }

  /** Sets a condition; its time is that of the last change between true and false. */
  private void set(String type, boolean value, String reason, String message) {
    ObjectNode condition = find(conditions, type);
    if (condition == null) {
      condition = conditions.addObject();
    }
    String word = value ? "True" : "False";
    String before = Json.text(condition, "status");
    String since = Json.text(condition, "lastTransitionTime");
    condition.put(
        "lastTransitionTime", word.equals(before) ? Objects.requireNonNullElse(since, now) : now);
    condition.put("message", message).put("reason", reason).put("status", word).put("type", type);
  }

  /** Returns the names that a stored definition was given. */
  static DefinitionNames acceptedNames(ObjectNode definition) {
    ObjectNode names = Json.objectAt(Json.objectAt(definition, "status"), "acceptedNames");
    return new DefinitionNames(
        text(names, "plural"),
        text(names, "singular"),
        text(names, "kind"),
        text(names, "listKind"),
        texts(names, "shortNames"),
        texts(names, "categories"));
  }

  private static String text(@Nullable ObjectNode names, String member) {
    return Objects.requireNonNullElse(Json.text(names, member), "");
  }

  private static List<String> texts(@Nullable ObjectNode names, String member) {
    ArrayNode found = Json.arrayAt(names, member);
    return found == null ? List.of() : found.valueStream().map(each -> each.asString("")).toList();
  }

  private static ObjectNode tree(DefinitionNames names) {
    ObjectNode tree = Json.object();
    tree.put("kind", names.kind()).put("plural", names.plural());
    put(tree, "listKind", names.listKind());
    put(tree, "singular", names.singular());
    put(tree, "shortNames", names.shortNames());
    put(tree, "categories", names.categories());
    return tree;
  }

  private static void put(ObjectNode names, String member, String value) {
    if (!value.isEmpty()) {
      names.put(member, value);
    }
  }

  private static void put(ObjectNode names, String member, List<String> values) {
    if (!values.isEmpty()) {
      values.forEach(names.putArray(member)::add);
    }
  }

  private static ArrayNode versions(@Nullable JsonNode before, String stored) {
    ArrayNode versions = Json.array();
    if (before != null) {
      before.forEach(versions::add);
    }
    if (versions.valueStream().noneMatch(each -> each.asString("").equals(stored))) {
      versions.add(stored);
    }
    return versions;
  }
}
