package dev.stint.model.access;

import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.field.FieldError;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.field.Formats;
import dev.stint.model.meta.MetadataRules;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The admission of RoleBindings and ClusterRoleBindings: the one path for every writer.
 *
 * <p>Each method fills in missing API groups, and returns the faults that forbid storing the
 * binding. Objects must fit the schema of their kind.
 */
public final class BindingAdmission {
  private static final String GROUP = Kind.ROLE.group();
  private static final String SERVICE_ACCOUNT = Kind.SERVICE_ACCOUNT.kind();
  private static final List<String> SUBJECTS = List.of(SERVICE_ACCOUNT, "User", "Group");

  private BindingAdmission() {}

  /** Prepares and checks a new RoleBinding. */
  public static List<FieldError> createRoleBinding(ObjectNode binding) {
    complete(binding);
    FieldErrors faults = new FieldErrors();
    FieldPath root = FieldPath.root(binding);
    MetadataRules.create(root.get("metadata"), Formats::pathSegment, faults);
    check(root, true, faults);
    return faults.list();
  }

  /** Prepares and checks a new ClusterRoleBinding. */
  public static List<FieldError> createClusterRoleBinding(ObjectNode binding) {
    complete(binding);
    FieldErrors faults = new FieldErrors();
    FieldPath root = FieldPath.root(binding);
    MetadataRules.createWithoutNamespace(root.get("metadata"), Formats::pathSegment, faults);
    check(root, false, faults);
    return faults.list();
  }

  /** Prepares and checks a changed RoleBinding or ClusterRoleBinding. */
  public static List<FieldError> update(ObjectNode before, ObjectNode after) {
    complete(after);
    FieldErrors faults = new FieldErrors();
    FieldPath root = FieldPath.root(after);
    MetadataRules.update(FieldPath.root(before).get("metadata"), root.get("metadata"), faults);
    check(root, !root.get("metadata", "namespace").isEmpty(), faults);
    if (!FieldPath.root(before).get("roleRef").sameAs(root.get("roleRef"))) {
      faults.invalid(
          root.get("roleRef"), "cannot change roleRef; delete the binding and create it again");
    }
    return faults.list();
  }

  /** Fills in defaults in copies: the binding may share its parts with other objects. */
  private static void complete(ObjectNode binding) {
    ObjectNode roleRef = Json.objectAt(binding, "roleRef");
    if (roleRef != null) {
      binding.set("roleRef", grouped(roleRef));
    }
    ArrayNode subjects = Json.arrayAt(binding, "subjects");
    if (subjects != null) {
      ArrayNode complete = binding.putArray("subjects");
      subjects.forEach(subject -> complete.add(grouped(subject)));
    }
  }

  private static JsonNode grouped(JsonNode tree) {
    String given = Json.text(tree, "apiGroup");
    boolean lacking =
        (given == null || given.isEmpty()) && !SERVICE_ACCOUNT.equals(Json.text(tree, "kind"));
    return lacking && tree instanceof ObjectNode object
        ? object.deepCopy().put("apiGroup", GROUP)
        : tree;
  }

  private static void check(FieldPath binding, boolean namespaced, FieldErrors faults) {
    FieldPath ref = binding.get("roleRef");
    faults.notSupportedUnlessIn(ref.get("apiGroup"), List.of(GROUP));
    List<String> kinds = namespaced ? List.of("Role", "ClusterRole") : List.of("ClusterRole");
    if (!kinds.contains(ref.get("kind").text())) {
      faults.notSupported(ref.get("kind"), kinds);
    }
    if (ref.get("name").isEmpty()) {
      faults.required(ref.get("name"), "is required: the name of a role");
    } else {
      faults.invalidUnlessSound(ref.get("name"), Formats.pathSegment(ref.get("name").text()));
    }
    binding.get("subjects").items().forEach(subject -> subject(subject, namespaced, faults));
  }

  private static void subject(FieldPath subject, boolean namespaced, FieldErrors faults) {
    FieldPath name = subject.get("name");
    FieldPath group = subject.get("apiGroup");
    if (name.isEmpty()) {
      faults.required(name, "is required");
    }
    if (!SUBJECTS.contains(subject.get("kind").text())) {
      faults.notSupported(subject.get("kind"), SUBJECTS);
    } else if (!subject.get("kind").text().equals(SERVICE_ACCOUNT)) {
      faults.notSupportedUnlessIn(group, List.of(GROUP));
    } else {
      if (!name.isEmpty()) {
        faults.invalidUnlessSound(name, Formats.dnsSubdomain(name.text()));
      }
      faults.notSupportedUnlessIn(group, List.of(""));
      if (!namespaced && subject.get("namespace").isEmpty()) {
        faults.required(subject.get("namespace"), "is required: the service account's namespace");
      }
    }
  }
}
