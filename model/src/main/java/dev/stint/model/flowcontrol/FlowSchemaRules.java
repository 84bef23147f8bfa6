package dev.stint.model.flowcontrol;

import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.field.Formats;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Rules of a FlowSchema. */
public final class FlowSchemaRules {
  static final String ANY = "*";

  private static final int DEFAULT_PRECEDENCE = 1000;
  private static final int LAST_PRECEDENCE = 10_000;
  private static final List<String> DISTINGUISHERS = List.of("ByNamespace", "ByUser");
  private static final Map<String, String> SUBJECTS =
      Map.of("Group", "group", "ServiceAccount", "serviceAccount", "User", "user");
  private static final List<String> VERBS =
      List.of(
          "create",
          "delete",
          "deletecollection",
          "get",
          "list",
          "patch",
          "proxy",
          "update",
          "watch");
  private static final List<String> METHODS =
      List.of("connect", "delete", "get", "head", "options", "patch", "post", "put", "trace");
  private static final Pattern SPACE = Pattern.compile("\\s");

  private FlowSchemaRules() {}

  /** Sets the defaults. */
  public static void complete(ObjectNode schema) {
    ObjectNode spec = Json.objectAt(schema, "spec");
    if (spec != null && FieldPath.root(spec).get("matchingPrecedence").count() == 0) {
      spec.put("matchingPrecedence", DEFAULT_PRECEDENCE);
    }
  }

  /** Checks a new or changed schema with its defaults from {@link #complete}. */
  public static void check(FieldPath root, FieldErrors faults) {
    FieldPath spec = root.get("spec");
    BuiltInFlowControl.checkFixed(Kind.FLOW_SCHEMA, root, faults);
    precedence(root.get("metadata", "name").text(), spec.get("matchingPrecedence"), faults);
    FieldPath method = spec.get("distinguisherMethod");
    if (method.exists() && !DISTINGUISHERS.contains(method.get("type").text())) {
      faults.notSupported(method.get("type"), DISTINGUISHERS);
    }
    reference(spec.get("priorityLevelConfiguration", "name"), faults);
    spec.get("rules").items().forEach(rule -> rule(rule, faults));
  }

  /** Checks a written status. */
  public static void status(FieldPath status, FieldErrors faults) {
    FlowControlConditions.check(status.get("conditions"), faults);
  }

  private static void precedence(String name, FieldPath precedence, FieldErrors faults) {
    if (precedence.count() == 1 && !name.equals(BuiltInFlowControl.EXEMPT)) {
      faults.invalid(precedence, "only the schema named 'exempt' may have matchingPrecedence 1");
    }
    if (precedence.count() < 1) {
      faults.invalid(precedence, "must be a positive value");
    } else if (precedence.count() > LAST_PRECEDENCE) {
      faults.invalid(precedence, "must not be greater than " + LAST_PRECEDENCE);
    }
  }

  private static void reference(FieldPath name, FieldErrors faults) {
    if (name.isEmpty()) {
      faults.required(name, "must reference a priority level");
    } else {
      faults.invalidUnlessSound(name, Formats.dnsSubdomain(name.text()));
    }
  }

  private static void rule(FieldPath rule, FieldErrors faults) {
    FieldPath subjects = rule.get("subjects");
    if (subjects.isEmpty()) {
      faults.required(subjects, "subjects must contain at least one value");
    }
    subjects.items().forEach(subject -> subject(subject, faults));
    if (rule.get("resourceRules").isEmpty() && rule.get("nonResourceRules").isEmpty()) {
      faults.required(
          rule, "at least one of resourceRules and nonResourceRules has to be non-empty");
    }
    rule.get("resourceRules").items().forEach(each -> resources(each, faults));
    rule.get("nonResourceRules").items().forEach(each -> paths(each, faults));
  }

  private static void subject(FieldPath subject, FieldErrors faults) {
    String kind = subject.get("kind").text();
    SUBJECTS.forEach((name, member) -> {
      boolean present = subject.get(member).exists();
      if (name.equals(kind) && !present) {
        faults.required(
            subject.get(member), member + " is required when subject kind is '" + name + "'");
      } else if (!name.equals(kind) && present) {
        faults.forbidden(
            subject.get(member), member + " is forbidden when subject kind is not '" + name + "'");
      }
    });
    switch (kind) {
      case "User" -> named(subject.get("user"), faults);
      case "Group" -> named(subject.get("group"), faults);
      case "ServiceAccount" -> account(subject.get("serviceAccount"), faults);
      default ->
          faults.notSupported(subject.get("kind"), SUBJECTS.keySet().stream().sorted().toList());
    }
  }

  private static void named(FieldPath subject, FieldErrors faults) {
    if (subject.exists() && subject.get("name").isEmpty()) {
      faults.required(subject.get("name"), "");
    }
  }

  private static void account(FieldPath account, FieldErrors faults) {
    if (!account.exists()) {
      return;
    }
    FieldPath name = account.get("name");
    FieldPath namespace = account.get("namespace");
    if (name.isEmpty()) {
      faults.required(name, "");
    } else if (!name.text().equals(ANY)) {
      faults.invalidUnlessSound(name, Formats.dnsSubdomain(name.text()));
    }
    if (namespace.isEmpty()) {
      faults.required(namespace, "must specify namespace for service account");
    } else {
      faults.invalidUnlessSound(namespace, Formats.dnsLabel(namespace.text()));
    }
  }

  private static void resources(FieldPath rule, FieldErrors faults) {
    verbs(rule.get("verbs"), VERBS, faults);
    filled(rule.get("apiGroups"), "resource rules must supply at least one api group", faults);
    aloneIfAny(rule.get("apiGroups"), "api groups", faults);
    filled(rule.get("resources"), "resource rules must supply at least one resource", faults);
    aloneIfAny(rule.get("resources"), "resources", faults);
    FieldPath namespaces = rule.get("namespaces");
    if (!rule.get("clusterScope").isTrue()) {
      filled(
          namespaces,
          "resource rules that are not cluster scoped must supply at least one namespace",
          faults);
    }
    aloneIfAny(namespaces, "namespaces", faults);
    namespaces.items().stream()
        .filter(namespace -> !namespace.text().equals(ANY))
        .forEach(each -> faults.invalidUnlessSound(each, Formats.dnsLabel(each.text())));
  }

  private static void paths(FieldPath rule, FieldErrors faults) {
    verbs(rule.get("verbs"), METHODS, faults);
    FieldPath paths = rule.get("nonResourceURLs");
    filled(paths, "nonResourceURLs must contain at least one value", faults);
    aloneIfAny(paths, "non-resource URLs", faults);
    paths.items().stream()
        .filter(path -> !path.text().equals(ANY))
        .forEach(path -> faults.invalidUnlessSound(path, faultOfPath(path.text())));
  }

  private static @Nullable String faultOfPath(String path) {
    if (path.isEmpty() || path.charAt(0) != '/') {
      return "must start with slash";
    }
    if (SPACE.matcher(path).find()) {
      return "must not contain white-space";
    }
    int star = path.indexOf('*');
    return star < 0 || path.endsWith("/*") && star == path.length() - 1
        ? null
        : "wildcard can only do suffix matching";
  }

  private static void verbs(FieldPath verbs, List<String> known, FieldErrors faults) {
    filled(verbs, "verbs must contain at least one value", faults);
    aloneIfAny(verbs, "verbs", faults);
    verbs.items().stream()
        .filter(verb -> !verb.text().equals(ANY))
        .forEach(verb -> faults.notSupportedUnlessIn(verb, known));
  }

  private static void filled(FieldPath list, String why, FieldErrors faults) {
    if (list.isEmpty()) {
      faults.required(list, why);
    }
  }

  private static void aloneIfAny(FieldPath list, String others, FieldErrors faults) {
    if (list.items().size() > 1 && list.items().stream().anyMatch(i -> i.text().equals(ANY))) {
      faults.invalid(list, "if '*' is present, must not specify other " + others);
    }
  }
}
