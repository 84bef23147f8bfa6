package dev.stint.apiserver.openapi;

import dev.stint.model.Json;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The parameters in URLs. */
enum Parameters {
  PRETTY("pretty", "string", "Whether to indent the response."),
  DRY_RUN(
      "dryRun", "string", "With All, the request is checked and answered, but nothing is stored."),
  FIELD_MANAGER(
      "fieldManager", "string", "The field manager that managedFields records for the change."),
  FIELD_VALIDATION(
      "fieldValidation",
      "string",
      "How to treat unknown and duplicate fields: Ignore, Warn, or Strict, which refuses them."),
  FORCE("force", "boolean", "Whether apply takes over fields that other managers own."),
  GRACE("gracePeriodSeconds", "integer", "How many seconds a pod has to terminate gracefully."),
  PROPAGATION(
      "propagationPolicy",
      "string",
      "How to delete the objects that this one owns: Background, Foreground or Orphan."),
  LABEL_SELECTOR("labelSelector", "string", "The labels that objects must have."),
  FIELD_SELECTOR("fieldSelector", "string", "The values that fields must have."),
  LIMIT("limit", "integer", "The maximum number of objects in the response."),
  CONTINUE("continue", "string", "Continues a list: the token from the previous page."),
  RESOURCE_VERSION("resourceVersion", "string", "The revision to list, or to watch from."),
  RESOURCE_VERSION_MATCH(
      "resourceVersionMatch", "string", "Whether resourceVersion is exact or a minimum."),
  TIMEOUT("timeoutSeconds", "integer", "How many seconds a list or a watch may take."),
  WATCH("watch", "boolean", "Whether to send changes instead of a list."),
  BOOKMARKS(
      "allowWatchBookmarks",
      "boolean",
      "Whether a watch sends bookmarks with the revision that it has reached."),
  INITIAL_EVENTS(
      "sendInitialEvents", "boolean", "Whether a watch begins with the objects that exist.");

  static final List<Parameters> NONE = List.of(PRETTY);
  static final List<Parameters> WRITE = List.of(PRETTY, DRY_RUN, FIELD_MANAGER, FIELD_VALIDATION);
  static final List<Parameters> PATCH =
      List.of(PRETTY, DRY_RUN, FIELD_MANAGER, FIELD_VALIDATION, FORCE);
  static final List<Parameters> DELETE = List.of(PRETTY, DRY_RUN, GRACE, PROPAGATION);
  static final List<Parameters> LIST =
      List.of(
          PRETTY,
          LABEL_SELECTOR,
          FIELD_SELECTOR,
          LIMIT,
          CONTINUE,
          RESOURCE_VERSION,
          RESOURCE_VERSION_MATCH,
          TIMEOUT,
          WATCH,
          BOOKMARKS,
          INITIAL_EVENTS);
  static final List<Parameters> SWEEP =
      List.of(PRETTY, DRY_RUN, GRACE, PROPAGATION, LABEL_SELECTOR, FIELD_SELECTOR, LIMIT, CONTINUE);

  private final String text;
  private final String type;
  private final String description;

  Parameters(String text, String type, String description) {
    this.text = text;
    this.type = type;
    this.description = description;
  }

  /** Writes an operation's query parameters. */
  static void query(ObjectNode operation, List<Parameters> parameters) {
    ArrayNode array = operation.putArray("parameters");
    for (Parameters parameter : parameters) {
      write(array.addObject(), parameter.text, "query", parameter.description)
          .put("type", parameter.type)
          .put("uniqueItems", true);
    }
  }

  /** Writes the parameters of a path. */
  static void path(ObjectNode path, String template) {
    ArrayNode array = Json.array();
    if (template.contains("{namespace}")) {
      inPath(array, "namespace", "The namespace of the object.");
    }
    if (template.contains("{name}")) {
      inPath(array, "name", "The name of the object.");
    }
    if (!array.isEmpty()) {
      path.set("parameters", array);
    }
  }

  private static void inPath(ArrayNode array, String name, String description) {
    ObjectNode parameter = array.addObject();
    parameter.put("required", true);
    write(parameter, name, "path", description).put("type", "string");
  }

  private static ObjectNode write(
      ObjectNode parameter, String name, String place, String description) {
    parameter.put("name", name);
    parameter.put("in", place);
    parameter.put("description", description);
    return parameter.putObject("schema");
  }
}
