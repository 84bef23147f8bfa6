package dev.stint.harness;

import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.Timestamps;
import java.time.Instant;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The base of builders of objects for tests. Members in JSON may have single quotes; later ones
 * replace earlier ones.
 *
 * @param <B> the builder itself
 */
public abstract class ObjectBuilder<B extends ObjectBuilder<B>> {
  private final ObjectNode tree = Json.object();

  ObjectBuilder(Kind kind, String name) {
    tree.put("apiVersion", kind.apiVersion()).put("kind", kind.kind());
    metadata().put("name", name);
    if (kind.namespaced()) {
      metadata().put("namespace", "default");
    }
  }

  abstract B self();

  final ObjectNode metadata() {
    return tree.withObjectProperty("metadata");
  }

  final ObjectNode spec() {
    return tree.withObjectProperty("spec");
  }

  final ObjectNode status() {
    return tree.withObjectProperty("status");
  }

  public final B uid(String uid) {
    metadata().put("uid", uid);
    return self();
  }

  public final B label(String name, String value) {
    metadata().withObjectProperty("labels").put(name, value);
    return self();
  }

  public final B annotation(String name, String value) {
    metadata().withObjectProperty("annotations").put(name, value);
    return self();
  }

  public final B finalizers(String... finalizers) {
    ArrayNode all = metadata().withArrayProperty("finalizers");
    List.of(finalizers).forEach(all::add);
    return self();
  }

  /** Sets members of the metadata. */
  public final B metadata(String members) {
    metadata().setAll(object(members));
    return self();
  }

  /** Sets members of the spec. */
  public final B spec(String members) {
    spec().setAll(object(members));
    return self();
  }

  /** Sets members of the status. */
  public final B status(String members) {
    status().setAll(object(members));
    return self();
  }

  /** Adds a condition that holds. */
  public final B condition(String type, String reason, String message) {
    addCondition(type, reason, message);
    return self();
  }

  /** Adds a condition that holds since then. */
  public final B condition(String type, String reason, String message, Instant since) {
    addCondition(type, reason, message).put("lastTransitionTime", Timestamps.format(since));
    return self();
  }

  private ObjectNode addCondition(String type, String reason, String message) {
    return status()
        .withArrayProperty("conditions")
        .addObject()
        .put("type", type)
        .put("status", "True")
        .put("reason", reason)
        .put("message", message);
  }

  static ObjectNode object(String members) {
    return Json.parse("{" + members.replace('\'', '"') + "}");
  }

  /** Returns a container whose image nobody pulls. */
  public static ObjectNode newContainer(String name, String... command) {
    ObjectNode container = Json.object().put("name", name).put("image", "none");
    if (command.length > 0) {
      List.of(command).forEach(container.putArray("command")::add);
    }
    return container;
  }

  /** Returns the object as a tree, which is the caller's. */
  public final ObjectNode tree() {
    return tree.deepCopy();
  }

  public final KubeObject build() {
    return KubeObject.of(tree());
  }

  /** Returns the object in JSON. */
  public final String json() {
    return tree.toString();
  }
}
