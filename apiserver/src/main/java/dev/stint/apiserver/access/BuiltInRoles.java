package dev.stint.apiserver.access;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The default roles and bindings of every API: those of Kubernetes that are of use here. They are
 * data ({@code roles.json}).
 *
 * <p>The role that edits Jobs may not write their status: only controllers may (KEP-2307, where
 * uncounted pods are kept).
 */
public final class BuiltInRoles {
  private static final String LABEL = "rbac.authorization.k8s.io/aggregate-to-";
  private static final String AUTO_UPDATE = "rbac.authorization.kubernetes.io/autoupdate";
  private static final String SYSTEM_NAMESPACE = "kube-system";

  private BuiltInRoles() {}

  /**
   * Creates the missing objects, and adds the missing rules to existing roles, as Kubernetes does
   * at each start: a newer version may serve more kinds. Nothing else is changed, and nothing at
   * all where the annotation {@value #AUTO_UPDATE} is "false": it may have been changed on purpose.
   */
  public static CompletableFuture<@Nullable Void> into(Cluster cluster) {
    return CompletableFuture.allOf(
        objects().stream()
            .map(object -> put(cluster, object))
            .toArray(CompletableFuture<?>[]::new));
  }

  private static CompletableFuture<KubeObject> put(Cluster cluster, KubeObject wanted) {
    return cluster
        .create(wanted)
        .exceptionallyCompose(failure ->
            isThere(failure)
                ? cluster.get(wanted.ref()).thenCompose(found -> update(cluster, found, wanted))
                : CompletableFuture.failedFuture(failure));
  }

  private static boolean isThere(Throwable failure) {
    return ClusterException.causeOf(failure) instanceof ClusterException known
        && known.reason() == Reason.ALREADY_EXISTS;
  }

  private static CompletableFuture<KubeObject> update(
      Cluster cluster, KubeObject found, KubeObject wanted) {
    KubeObject updated = withMissingRules(found, wanted);
    return updated == found ? CompletableFuture.completedFuture(found) : cluster.update(updated);
  }

  /** Returns the role with the rules of the wanted one that it lacks; itself if it has them all. */
  static KubeObject withMissingRules(KubeObject found, KubeObject wanted) {
    boolean aggregates = wanted.tree().has("aggregationRule");
    if (aggregates || "false".equals(found.annotation(AUTO_UPDATE))) {
      return found;
    }
    Set<JsonNode> present = new HashSet<>(rules(found));
    List<JsonNode> missing =
        rules(wanted).stream().filter(rule -> !present.contains(rule)).toList();
    if (missing.isEmpty()) {
      return found;
    }
    ObjectNode updated = found.copy();
    updated.withArrayProperty("rules").addAll(missing);
    return KubeObject.of(updated);
  }

  private static List<JsonNode> rules(KubeObject role) {
    return role.tree().path("rules").valueStream().toList();
  }

  /** Returns all roles and then all bindings. */
  static List<KubeObject> objects() {
    ObjectNode data = data();
    List<KubeObject> objects = new ArrayList<>();
    data.withObjectProperty("roles")
        .properties()
        .forEach(role -> objects.add(role(role.getKey(), role.getValue())));
    data.withObjectProperty("bindings")
        .properties()
        .forEach(binding -> objects.add(binding(binding.getKey(), binding.getValue())));
    return objects;
  }

  private static ObjectNode data() {
    try (InputStream in = BuiltInRoles.class.getResourceAsStream("roles.json")) {
      return Json.parse(Objects.requireNonNull(in, "roles.json").readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static KubeObject role(String name, JsonNode given) {
    ObjectNode role = object(Kind.CLUSTER_ROLE, name);
    String into = Json.text(given, "into");
    if (into != null) {
      role.withObjectProperty("metadata").withObjectProperty("labels").put(LABEL + into, "true");
    }
    String aggregates = Json.text(given, "aggregates");
    if (aggregates != null) {
      role.putObject("aggregationRule")
          .putArray("clusterRoleSelectors")
          .addObject()
          .putObject("matchLabels")
          .put(LABEL + aggregates, "true");
    }
    JsonNode rules = given.get("rules");
    role.set("rules", rules == null ? Json.array() : rules);
    return KubeObject.of(role);
  }

  private static KubeObject binding(String role, JsonNode subjects) {
    ObjectNode binding = object(Kind.CLUSTER_ROLE_BINDING, role);
    binding
        .putObject("roleRef")
        .put("apiGroup", Kind.CLUSTER_ROLE.group())
        .put("kind", "ClusterRole")
        .put("name", role);
    for (String group : RbacDocuments.texts(subjects, "Group")) {
      binding
          .withArrayProperty("subjects")
          .addObject()
          .put("apiGroup", Kind.CLUSTER_ROLE.group())
          .put("kind", "Group")
          .put("name", group);
    }
    for (String account : RbacDocuments.texts(subjects, "ServiceAccount")) {
      binding
          .withArrayProperty("subjects")
          .addObject()
          .put("kind", "ServiceAccount")
          .put("name", account)
          .put("namespace", SYSTEM_NAMESPACE);
    }
    return KubeObject.of(binding);
  }

  private static ObjectNode object(Kind kind, String name) {
    ObjectNode object = Json.object();
    object.put("apiVersion", kind.apiVersion()).put("kind", kind.kind());
    object
        .putObject("metadata")
        .put("name", name)
        .putObject("labels")
        .put("kubernetes.io/bootstrapping", "rbac-defaults");
    return object;
  }
}
