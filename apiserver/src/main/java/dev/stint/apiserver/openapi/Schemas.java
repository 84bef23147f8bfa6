package dev.stint.apiserver.openapi;

import dev.stint.apiserver.catalogue.ApiResource;
import dev.stint.apiserver.catalogue.CustomType;
import dev.stint.apiserver.catalogue.GroupVersion;
import dev.stint.model.Json;
import dev.stint.model.schema.FieldSchema;
import dev.stint.model.schema.FieldSchema.Ownership;
import dev.stint.model.schema.FieldSchema.Presence;
import dev.stint.model.schema.ObjectSchema;
import dev.stint.model.schema.Schema;
import dev.stint.model.schema.ValueType;
import dev.stint.model.schema.ValueType.ListOf;
import dev.stint.model.schema.ValueType.MapOf;
import dev.stint.model.schema.ValueType.Reference;
import dev.stint.model.schema.ValueType.Scalar;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Builds the schemas of one document: the requested types, and all that they refer to. */
final class Schemas {
  static final String IDENTITY = "x-kubernetes-group-version-kind";

  /**
   * Fields that are required, although they are omitted when they are empty, or an empty object.
   */
  private static final Set<String> REQUIRED =
      Set.of(
          "JobSpec.template",
          "CronJob.spec",
          "CronJobSpec.jobTemplate",
          "Event.involvedObject",
          "Event.metadata",
          "Binding.target",
          "ContainerExtendedResourceRequest.containerName",
          "ContainerExtendedResourceRequest.requestName",
          "ContainerExtendedResourceRequest.resourceName",
          "ImageVolumeStatus.imageRef",
          "PodCertificateProjection.keyType",
          "PodCertificateProjection.signerName",
          "PodExtendedResourceClaimStatus.requestMappings",
          "PodExtendedResourceClaimStatus.resourceClaimName",
          "PreferredSchedulingTerm.preference",
          "WeightedPodAffinityTerm.podAffinityTerm",
          "PersistentVolumeClaimTemplate.spec",
          "ScaleIOVolumeSource.secretRef",
          "RoleBinding.roleRef",
          "ClusterRoleBinding.roleRef",
          "SubjectAccessReview.spec",
          "LocalSubjectAccessReview.spec",
          "SelfSubjectAccessReview.spec",
          "SelfSubjectRulesReview.spec",
          "TokenReview.spec",
          "TokenReviewSpec.token");

  /** Fields that are written even when empty, but not required. */
  private static final Set<String> NOT_REQUIRED =
      Set.of(
          "Role.rules",
          "ClusterRole.rules",
          "PodFailurePolicyOnPodConditionsPattern.status",
          "PriorityClass.value",
          "ProjectedVolumeSource.sources",
          "ResourceFieldSelector.divisor",
          "RoleRef.apiGroup",
          "TokenRequestSpec.audiences",
          "TokenRequestStatus.token");

  private final TreeMap<String, ObjectNode> byName = new TreeMap<>();

  /** Returns all of them, by full name. */
  ObjectNode tree() {
    ObjectNode tree = Json.object();
    byName.forEach(tree::set);
    return tree;
  }

  /** Adds a type of the schema and all that it refers to; returns its full name. */
  String add(String type) {
    String fullName = TypeNames.of(type);
    if (!byName.containsKey(fullName)) {
      ObjectNode schema = Json.object();
      byName.put(fullName, schema);
      fill(schema, Schema.type(type));
    }
    return fullName;
  }

  /** Adds the type of a top-level kind; returns its full name. */
  String addKind(GroupVersion groupVersion, String kind) {
    String type = Schema.ofKind(groupVersion.toString(), kind).orElseThrow().name();
    String fullName = add(type);
    identify(byName.getOrDefault(fullName, Json.object()), groupVersion, kind);
    return fullName;
  }

  /** Adds the type of the documents of a resource; returns its full name. */
  String addKind(ApiResource resource) {
    CustomType custom = resource.custom();
    if (custom == null) {
      return addKind(resource.groupVersion(), resource.kind());
    }
    String fullName = TypeNames.ofCustomKind(resource.groupVersion(), resource.kind());
    if (!byName.containsKey(fullName)) {
      ObjectNode schema = custom.openApi().deepCopy();
      byName.put(fullName, schema);
      ObjectNode properties = schema.withObjectProperty("properties");
      property(properties, "List", "apiVersion").put("type", "string");
      property(properties, "List", "kind").put("type", "string");
      refer(properties.putObject("metadata"), add("ObjectMeta"));
      identify(schema, resource.groupVersion(), resource.kind());
    }
    return fullName;
  }

  /** Adds the list of a kind; returns its full name. */
  String addList(ApiResource resource) {
    GroupVersion groupVersion = resource.groupVersion();
    String kind = resource.kind();
    String item = addKind(resource);
    String fullName =
        resource.hasTypedItems()
            ? TypeNames.ofCustomKind(groupVersion, resource.listKind())
            : item + "List";
    ObjectNode list = Json.object();
    list.put("description", "A list of objects of kind " + kind + ".");
    list.put("type", "object");
    list.putArray("required").add("items");
    ObjectNode properties = list.putObject("properties");
    property(properties, "List", "apiVersion").put("type", "string");
    ObjectNode items = property(properties, "List", "items");
    items.put("type", "array");
    ObjectNode each = items.putObject("items");
    refer(each, item);
    each.putObject("default");
    property(properties, "List", "kind").put("type", "string");
    ObjectNode metadata = property(properties, "List", "metadata");
    refer(metadata, addLoose(TypeNames.LIST_META));
    metadata.putObject("default");
    identify(list, groupVersion, resource.listKind());
    byName.put(fullName, list);
    return fullName;
  }

  /** Adds a type that is not part of the schema; returns its full name. */
  String addLoose(String fullName) {
    byName.computeIfAbsent(fullName, Schemas::loose);
    return fullName;
  }

  /** Writes a kind as clients compare it. */
  static void identity(ObjectNode tree, GroupVersion groupVersion, String kind) {
    tree.put("group", groupVersion.group());
    tree.put("kind", kind);
    tree.put("version", groupVersion.version());
  }

  private static void identify(ObjectNode schema, GroupVersion groupVersion, String kind) {
    if (!schema.has(IDENTITY)) {
      identity(schema.putArray(IDENTITY).addObject(), groupVersion, kind);
    }
  }

  private void fill(ObjectNode schema, ObjectSchema type) {
    describe(schema, Descriptions.of(type.name()));
    schema.put("type", "object");
    List<String> required = new ArrayList<>();
    ObjectNode properties = schema.putObject("properties");
    for (FieldSchema field : type.fields().values()) {
      if (isRequired(type, field)) {
        required.add(field.name());
      }
      properties.set(field.name(), field(type, field));
    }
    if (!required.isEmpty()) {
      ArrayNode names = schema.putArray("required");
      required.forEach(names::add);
    }
    if (type.atomic()) {
      schema.put("x-kubernetes-map-type", "atomic");
    }
  }

  private static boolean isRequired(ObjectSchema type, FieldSchema field) {
    String path = type.name() + "." + field.name();
    boolean written = field.presence() == Presence.ALWAYS && !NOT_REQUIRED.contains(path);
    return field.required()
        || REQUIRED.contains(path)
        || written && !(field.type() instanceof Reference) && !isTime(field.type());
  }

  private static boolean isTime(ValueType type) {
    return type == Scalar.TIME || type == Scalar.MICRO_TIME;
  }

  private ObjectNode field(ObjectSchema type, FieldSchema field) {
    ObjectNode property = Json.object();
    describe(property, Descriptions.of(type.name(), field.name()));
    value(property, field.type());
    if (field.defaultKey() != null) {
      property.put("default", field.defaultKey());
    } else if (field.presence() == Presence.ALWAYS) {
      empty(property, field.type());
    }
    enumerate(property, field.values());
    ownership(property, field);
    patch(property, field);
    return property;
  }

  private static void enumerate(ObjectNode property, List<String> texts) {
    if (!texts.isEmpty()) {
      ObjectNode items = Json.objectAt(property, "items");
      ArrayNode array = (items == null ? property : items).putArray("enum");
      texts.forEach(array::add);
    }
  }

  /** Writes the value of an empty field as its default. */
  private static void empty(ObjectNode tree, ValueType type) {
    switch (type) {
      case Reference _ -> tree.putObject("default");
      case Scalar.STRING -> tree.put("default", "");
      case Scalar.BOOLEAN -> tree.put("default", false);
      case Scalar.INT32, Scalar.INT64 -> tree.put("default", 0);
      default -> {}
    }
  }

  private static void describe(ObjectNode tree, @Nullable String description) {
    if (description != null) {
      tree.put("description", description);
    }
  }

  private static void ownership(ObjectNode property, FieldSchema field) {
    if (field.type() instanceof ListOf) {
      property.put(
          "x-kubernetes-list-type",
          switch (field.ownership()) {
            case KEYS -> "map";
            case SET -> "set";
            case ATOMIC, GRANULAR -> "atomic";
          });
    } else if (field.ownership() == Ownership.ATOMIC) {
      property.put("x-kubernetes-map-type", "atomic");
    }
    if (!field.keys().isEmpty()) {
      ArrayNode keys = property.putArray("x-kubernetes-list-map-keys");
      field.keys().forEach(keys::add);
    }
  }

  private static void patch(ObjectNode property, FieldSchema field) {
    String key = field.patchKey();
    List<String> strategies = new ArrayList<>();
    if (key != null) {
      strategies.add("merge");
    }
    if (field.retainKeys()) {
      strategies.add("retainKeys");
    }
    if (key != null && !key.isEmpty()) {
      property.put("x-kubernetes-patch-merge-key", key);
    }
    if (!strategies.isEmpty()) {
      property.put("x-kubernetes-patch-strategy", String.join(",", strategies));
    }
  }

  private void value(ObjectNode tree, ValueType type) {
    switch (type) {
      case Reference reference -> refer(tree, add(reference.type()));
      case ListOf list -> {
        tree.put("type", "array");
        item(tree.putObject("items"), list.item());
      }
      case MapOf map -> {
        tree.put("type", "object");
        item(tree.putObject("additionalProperties"), map.value());
      }
      case Scalar scalar -> scalar(tree, scalar);
    }
  }

  /** Writes the type of an item, which is never absent; a plain reference is not wrapped. */
  private void item(ObjectNode tree, ValueType type) {
    value(tree, type);
    empty(tree, type);
    ArrayNode all = Json.arrayAt(tree, "allOf");
    if (tree.size() == 1 && all != null) {
      tree.removeAll();
      tree.setAll((ObjectNode) all.get(0));
    }
  }

  private void scalar(ObjectNode tree, Scalar scalar) {
    switch (scalar) {
      case STRING -> tree.put("type", "string");
      case BOOLEAN -> tree.put("type", "boolean");
      case INT32 -> tree.put("type", "integer").put("format", "int32");
      case INT64 -> tree.put("type", "integer").put("format", "int64");
      case BYTES -> tree.put("type", "string").put("format", "byte");
      case QUANTITY -> refer(tree, addLoose(TypeNames.QUANTITY));
      case INT_OR_STRING -> refer(tree, addLoose(TypeNames.INT_OR_STRING));
      case TIME -> refer(tree, addLoose(TypeNames.TIME));
      case MICRO_TIME -> refer(tree, addLoose(TypeNames.MICRO_TIME));
      case ANY -> tree.put("type", "object").put("x-kubernetes-preserve-unknown-fields", true);
    }
  }

  /** Writes a reference that may have sibling members, which a plain one may not. */
  private static void refer(ObjectNode tree, String fullName) {
    tree.putArray("allOf").addObject().put("$ref", TypeNames.reference(fullName));
  }

  private static ObjectNode property(ObjectNode properties, String type, String field) {
    ObjectNode property = properties.putObject(field);
    describe(property, Descriptions.of(type, field));
    return property;
  }

  private static ObjectNode loose(String fullName) {
    ObjectNode schema = Json.object();
    describe(schema, Descriptions.of(fullName.substring(fullName.lastIndexOf('.') + 1)));
    switch (fullName) {
      case TypeNames.QUANTITY -> oneOf(schema, "string", "number");
      case TypeNames.INT_OR_STRING ->
          oneOf(schema.put("format", "int-or-string"), "integer", "string");
      case TypeNames.TIME, TypeNames.MICRO_TIME ->
          schema.put("type", "string").put("format", "date-time");
      case TypeNames.LIST_META -> listMeta(schema.put("type", "object").putObject("properties"));
      case TypeNames.STATUS -> status(schema.put("type", "object").putObject("properties"));
      default -> schema.put("type", "object");
    }
    return schema;
  }

  private static void oneOf(ObjectNode schema, String one, String other) {
    ArrayNode types = schema.putArray("oneOf");
    types.addObject().put("type", one);
    types.addObject().put("type", other);
  }

  private static void listMeta(ObjectNode properties) {
    property(properties, "ListMeta", "continue").put("type", "string");
    property(properties, "ListMeta", "remainingItemCount")
        .put("type", "integer")
        .put("format", "int64");
    property(properties, "ListMeta", "resourceVersion").put("type", "string");
  }

  private static void status(ObjectNode properties) {
    for (String text : List.of("apiVersion", "kind", "message", "reason", "status")) {
      property(properties, "Status", text).put("type", "string");
    }
    property(properties, "Status", "code").put("type", "integer").put("format", "int32");
    property(properties, "Status", "details").put("type", "object");
    property(properties, "Status", "metadata").put("type", "object");
  }
}
