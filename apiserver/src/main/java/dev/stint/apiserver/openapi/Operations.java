package dev.stint.apiserver.openapi;

import dev.stint.apiserver.catalogue.ApiResource;
import dev.stint.apiserver.catalogue.ApiResource.Subresource;
import dev.stint.apiserver.catalogue.GroupVersion;
import dev.stint.model.Json;
import dev.stint.model.schema.Schema;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import tools.jackson.databind.node.ObjectNode;

/** Builds the paths of one document: the requests of each resource. */
final class Operations {
  private static final String JSON = "application/json";
  private static final String STRATEGIC = "application/strategic-merge-patch+json";

  /** Clients, such as {@code kubectl apply}, choose by this list how they patch. */
  private static final List<String> CUSTOM_PATCHES =
      List.of(
          "application/apply-patch+yaml",
          "application/json-patch+json",
          "application/merge-patch+json");

  private static final List<String> PATCHES =
      Stream.concat(CUSTOM_PATCHES.stream(), Stream.of(STRATEGIC)).toList();

  /** The HTTP method and Kubernetes' action of each verb. */
  private static final Map<String, Act> ACTS =
      Map.of(
          "get", new Act("get", "get", "read", Parameters.NONE),
          "list", new Act("get", "list", "list", Parameters.LIST),
          "create", new Act("post", "post", "create", Parameters.WRITE),
          "update", new Act("put", "put", "replace", Parameters.WRITE),
          "patch", new Act("patch", "patch", "patch", Parameters.PATCH),
          "delete", new Act("delete", "delete", "delete", Parameters.DELETE),
          "deletecollection",
              new Act("delete", "deletecollection", "deleteCollection", Parameters.SWEEP));

  private static final List<String> ON_ONE = List.of("get", "update", "patch", "delete");
  private static final List<String> ON_ALL = List.of("list", "create", "deletecollection");

  private final Schemas schemas;
  private final ObjectNode paths = Json.object();

  Operations(Schemas schemas) {
    this.schemas = schemas;
  }

  /** Returns all of them, by path. */
  ObjectNode tree() {
    return paths;
  }

  void add(ApiResource resource) {
    GroupVersion groupVersion = resource.groupVersion();
    String base = "/" + groupVersion.path();
    String all =
        base + (resource.namespaced() ? "/namespaces/{namespace}/" : "/") + resource.name();
    String object = schemas.addKind(resource);
    boolean listed = resource.verbs().contains("list");
    String list = listed ? schemas.addList(resource) : object;
    Target onAll =
        new Target(
            all,
            groupVersion,
            resource.kind(),
            object,
            list,
            scope(resource),
            "",
            patches(resource));
    add(onAll, resource.verbs().stream().filter(ON_ALL::contains).toList());
    add(onAll.at(all + "/{name}", ""), resource.verbs().stream().filter(ON_ONE::contains).toList());
    if (resource.namespaced() && listed) {
      add(onAll.at(base + "/" + resource.name(), "ForAllNamespaces"), List.of("list"));
    }
    for (Subresource subresource : resource.subresources()) {
      add(resource, subresource, all + "/{name}/" + subresource.name());
    }
  }

  private void add(ApiResource resource, Subresource subresource, String path) {
    boolean known =
        Schema.ofKind(subresource.groupVersion().toString(), subresource.kind()).isPresent();
    String object =
        known
            ? schemas.addKind(subresource.groupVersion(), subresource.kind())
            : schemas.addKind(resource);
    Target target =
        new Target(
            path,
            subresource.groupVersion(),
            subresource.kind(),
            object,
            object,
            scope(resource) + resource.kind(),
            capitalized(subresource.name()),
            patches(resource));
    add(target, subresource.verbs());
  }

  private static List<String> patches(ApiResource resource) {
    return resource.isCustom() ? CUSTOM_PATCHES : PATCHES;
  }

  private static String scope(ApiResource resource) {
    return resource.namespaced() ? "Namespaced" : "";
  }

  private void add(Target target, List<String> verbs) {
    if (verbs.isEmpty()) {
      return;
    }
    ObjectNode path = paths.withObjectProperty(target.path);
    Parameters.path(path, target.path);
    for (String verb : verbs) {
      Act act = ACTS.get(verb);
      if (act != null) {
        operation(path.putObject(act.method), act, target);
      }
    }
  }

  private void operation(ObjectNode operation, Act act, Target target) {
    operation.put("operationId", target.operationId(act.word));
    operation.putArray("tags").add(target.tag());
    operation.put("x-kubernetes-action", act.action);
    Schemas.identity(operation.putObject(Schemas.IDENTITY), target.groupVersion, target.kind);
    Parameters.query(operation, act.parameters);
    body(operation, act, target);
    String answer =
        switch (act.action) {
          case "list" -> target.list;
          case "delete", "deletecollection" -> schemas.addLoose(TypeNames.STATUS);
          default -> target.object;
        };
    ObjectNode responses = operation.putObject("responses");
    response(responses, "200", "OK", answer);
    if (act.method.equals("post") || act.method.equals("put") || act.method.equals("patch")) {
      response(responses, "201", "Created", answer);
    }
    responses.putObject("401").put("description", "Unauthorized");
  }

  private void body(ObjectNode operation, Act act, Target target) {
    switch (act.method) {
      case "post", "put" -> content(body(operation, true), JSON, target.object);
      case "patch" -> {
        ObjectNode body = body(operation, true);
        target.patches.forEach(type -> content(body, type, schemas.addLoose(TypeNames.PATCH)));
      }
      case "delete" -> content(body(operation, false), JSON, schemas.add("DeleteOptions"));
      default -> {}
    }
  }

  private static ObjectNode body(ObjectNode operation, boolean required) {
    ObjectNode body = operation.putObject("requestBody");
    if (required) {
      body.put("required", true);
    }
    return body.putObject("content");
  }

  private static void response(
      ObjectNode responses, String code, String description, String schema) {
    ObjectNode response = responses.putObject(code);
    response.put("description", description);
    content(response.putObject("content"), JSON, schema);
  }

  private static void content(ObjectNode content, String type, String schema) {
    content.putObject(type).putObject("schema").put("$ref", TypeNames.reference(schema));
  }

  private static String capitalized(String word) {
    return word.isEmpty() ? "" : word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1);
  }

  /**
   * The form of one verb in HTTP.
   *
   * @param action {@code x-kubernetes-action}
   * @param word the prefix of operation names
   */
  private record Act(String method, String action, String word, List<Parameters> parameters) {}

  /**
   * The subject of operations.
   *
   * @param object the full name of the type that is sent and answered
   * @param list the full name of the type that lists answer
   * @param scope the part before the kind in names of operations
   * @param suffix the part after it
   * @param patches the types of patches that are accepted
   */
  private record Target(
      String path,
      GroupVersion groupVersion,
      String kind,
      String object,
      String list,
      String scope,
      String suffix,
      List<String> patches) {
    Target at(String otherPath, String otherSuffix) {
      String otherScope = otherSuffix.isEmpty() ? scope : "";
      return new Target(
          otherPath, groupVersion, kind, object, list, otherScope, otherSuffix, patches);
    }

    String tag() {
      String group = groupVersion.group();
      int dot = group.indexOf('.');
      String name = group.isEmpty() ? "core" : dot < 0 ? group : group.substring(0, dot);
      return name + "_" + groupVersion.version();
    }

    /**
     * Returns a name such as {@code listBatchV1NamespacedJob}; a subresource's scope names its
     * resource.
     */
    String operationId(String word) {
      String where = tag().replace("_", "");
      String what = suffix.isEmpty() || suffix.startsWith("For") ? kind : "";
      int version = where.length() - groupVersion.version().length();
      return word
          + capitalized(where.substring(0, version))
          + capitalized(where.substring(version))
          + scope
          + what
          + suffix;
    }
  }
}
