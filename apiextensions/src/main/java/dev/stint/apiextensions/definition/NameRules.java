package dev.stint.apiextensions.definition;

import dev.stint.apiextensions.schema.Keywords;
import dev.stint.model.Json;
import dev.stint.model.field.FieldError;
import dev.stint.model.field.Formats;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.node.ObjectNode;

/** The group, the scope and the names of a custom kind. */
final class NameRules {
  private NameRules() {}

  static void check(ObjectNode definition, Keywords spec, Keywords names) {
    group(spec);
    if (!spec.has("scope")) {
      Reports.required(spec, "scope", "is required");
    } else if (!List.of("Cluster", "Namespaced").contains(spec.text("scope"))) {
      Reports.notOneOf(spec, "scope", List.of("Cluster", "Namespaced"));
    }
    names(names);
    ofObject(definition, spec, names);
    if (spec.isTrue("preserveUnknownFields")) {
      Reports.invalid(
          spec,
          "preserveUnknownFields",
          "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in"
              + " spec.versions[*].schema instead");
    }
  }

  private static void group(Keywords spec) {
    String group = spec.text("group");
    if (group.isEmpty()) {
      Reports.required(spec, "group", "is required");
      return;
    }
    String fault = Formats.dnsSubdomain(group);
    if (fault != null) {
      Reports.invalid(spec, "group", fault);
    }
    if (group.indexOf('.') < 0) {
      Reports.invalid(spec, "group", "should be a domain with at least one dot");
    }
  }

  private static void names(Keywords names) {
    for (String name : List.of("plural", "singular", "kind", "listKind")) {
      String text = names.text(name);
      if (text.isEmpty()) {
        Reports.required(names, name, "is required");
      } else {
        boolean isKind = name.toLowerCase(Locale.ROOT).endsWith("kind");
        Reports.label(names, name, isKind ? text.toLowerCase(Locale.ROOT) : text);
      }
    }
    if (!names.text("kind").isEmpty() && names.text("kind").equals(names.text("listKind"))) {
      Reports.invalid(names, "listKind", "kind and listKind may not be the same");
    }
    labels(names, "shortNames");
    labels(names, "categories");
  }

  private static void labels(Keywords names, String member) {
    List<String> texts = names.texts(member);
    for (int i = 0; i < texts.size(); i++) {
      Reports.label(names, member + "[" + i + "]", texts.get(i));
    }
  }

  private static void ofObject(ObjectNode definition, Keywords spec, Keywords names) {
    ObjectNode tree = Json.objectAt(definition, "metadata");
    Keywords metadata =
        new Keywords(tree == null ? Json.object() : tree, "metadata", spec.faults());
    String wanted = names.text("plural") + "." + spec.text("group");
    if (!metadata.text("name").equals(wanted)) {
      Reports.invalid(metadata, "name", "must be spec.names.plural+\".\"+spec.group");
    }
    ApiApproval approval = ApiApproval.of(definition);
    if (approval != null && approval.isFault()) {
      approval(metadata, approval);
    }
  }

  private static void approval(Keywords metadata, ApiApproval approval) {
    String at = "annotations[" + ApiApproval.ANNOTATION + "]";
    if (approval.text().isEmpty()) {
      Reports.required(metadata, at, approval.message());
    } else {
      Reports.add(
          metadata, at, FieldError.Type.INVALID, approval.message(), Json.text(approval.text()));
    }
  }
}
