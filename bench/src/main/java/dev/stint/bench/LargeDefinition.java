package dev.stint.bench;

import dev.stint.model.Json;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A custom kind with a schema of a given size, as operators have them that embed pod templates: its
 * spec has many groups of described fields, of which an object uses a few, and ten rules in CEL.
 *
 * @param plural the name of the resource
 * @param bytes the size of the definition
 */
record LargeDefinition(String plural, int bytes) {
  private static final String GROUP = "bench.example.com";
  private static final int FIELDS = 20;
  private static final String DESCRIPTION =
      "Says what this field means to those who write such objects, at a length that is usual. ";

  private static final String[] RULES = {
    "self.replicas >= 0",
    "self.replicas <= 100 || self.name != ''",
    "self.items.all(item, item.name != '')",
    "self.items.all(item, item.weight >= 0 && item.weight < 1000)",
    "self.items.exists_one(item, item.name == 'item-0')",
    "self.items.map(item, item.weight).sum() < 10000",
    "self.items.filter(item, item.weight > 5).size() <= self.replicas + 100",
    "self.name.startsWith('n') && self.name.size() < 64",
    "!has(self.group0) || self.group0.field0 != 'forbidden'",
    "!has(self.group1) || self.group1.field1 == self.group1.field1"
  };

  String path(String namespace) {
    return "/apis/" + GROUP + "/v1/namespaces/" + namespace + "/" + plural;
  }

  /** Returns the CustomResourceDefinition. */
  byte[] definition() {
    ObjectNode definition = Json.object().put("apiVersion", "apiextensions.k8s.io/v1");
    definition.put("kind", "CustomResourceDefinition");
    definition.putObject("metadata").put("name", plural + "." + GROUP);
    ObjectNode spec = definition.putObject("spec").put("group", GROUP).put("scope", "Namespaced");
    spec.putObject("names").put("kind", kind()).put("plural", plural);
    ObjectNode version = spec.putArray("versions").addObject().put("name", "v1");
    version.put("served", true).put("storage", true).putObject("subresources").putObject("status");
    ObjectNode schema = version.putObject("schema").putObject("openAPIV3Schema");
    ObjectNode members = schema.put("type", "object").putObject("properties");
    members.putObject("status").put("type", "object");
    ObjectNode fields = ruled(members.putObject("spec"));
    int size = Json.bytes(definition).length;
    for (int group = 0; size < bytes; group++) {
      ObjectNode added = group();
      fields.set("group" + group, added);
      size += Json.bytes(added).length + 12;
    }
    return Json.bytes(definition);
  }

  private String kind() {
    return Character.toUpperCase(plural.charAt(0)) + plural.substring(1);
  }

  private static ObjectNode ruled(ObjectNode spec) {
    ArrayNode rules = spec.put("type", "object").putArray("x-kubernetes-validations");
    for (String rule : RULES) {
      rules.addObject().put("rule", rule);
    }
    spec.putArray("required").add("name").add("replicas").add("items");
    ObjectNode fields = spec.putObject("properties");
    fields.putObject("name").put("type", "string").put("maxLength", 64);
    fields.putObject("replicas").put("type", "integer").put("default", 1);
    ObjectNode items = fields.putObject("items").put("type", "array").put("maxItems", 16);
    ObjectNode item = items.putObject("items").put("type", "object");
    item.putArray("required").add("name").add("weight");
    ObjectNode ofItem = item.putObject("properties");
    ofItem.putObject("name").put("type", "string").put("maxLength", 64);
    ofItem.putObject("weight").put("type", "integer");
    return fields;
  }

  private static ObjectNode group() {
    ObjectNode group = Json.object().put("type", "object").put("description", DESCRIPTION);
    ObjectNode fields = group.putObject("properties");
    for (int field = 0; field < FIELDS; field++) {
      ObjectNode added =
          fields.putObject("field" + field).put("description", DESCRIPTION.repeat(2));
      if (field % 4 == 3) {
        added.put("type", "array").putObject("items").put("type", "string");
      } else {
        added.put("type", "string").put("maxLength", 1024);
      }
    }
    return group;
  }

  /** Returns an object of about 1 KB. */
  byte[] object(String name) {
    ObjectNode object = Json.object().put("apiVersion", GROUP + "/v1").put("kind", kind());
    object.putObject("metadata").put("name", name);
    ObjectNode spec = object.putObject("spec").put("name", "n").put("replicas", 3);
    ArrayNode items = spec.putArray("items");
    for (int item = 0; item < 5; item++) {
      items.addObject().put("name", "item-" + item).put("weight", item);
    }
    for (int group = 0; group < 2; group++) {
      ObjectNode fields = spec.putObject("group" + group);
      for (int field = 0; field < 10; field++) {
        if (field % 4 == 3) {
          fields.putArray("field" + field).add("one").add("two");
        } else {
          fields.put("field" + field, "x".repeat(30));
        }
      }
    }
    return Json.bytes(object);
  }
}
