package dev.stint.apiserver.conversion;

import dev.stint.apiextensions.value.CanonicalNumbers;
import dev.stint.model.Json;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.meta.MetadataRules;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Checks what a webhook made of an object. It may not become another object, and of its metadata
 * only labels and annotations may change: all others are those of before.
 */
final class ConvertedObject {
  private static final List<String> CHANGEABLE = List.of("labels", "annotations");

  private ConvertedObject() {}

  /**
   * Returns the object with the metadata that count.
   *
   * @param at says in messages where the object is
   */
  static ObjectNode checked(ObjectNode original, JsonNode answer, String apiVersion, String at)
      throws ConversionException {
    String which = at.isEmpty() ? "object" : at;
    if (!(answer instanceof ObjectNode converted)) {
      throw new ConversionException("returned invalid " + which + ": it is not an object");
    }
    String version = text(converted, "apiVersion");
    if (!version.equals(apiVersion)) {
      throw new ConversionException(
          "returned invalid %s: invalid groupVersion (expected %s, received %s)"
              .formatted(which, apiVersion, version));
    }
    String kind = text(original, "kind");
    if (!text(converted, "kind").equals(kind)) {
      throw new ConversionException(
          "returned invalid %s: invalid kind (expected %s, received %s)"
              .formatted(which, kind, text(converted, "kind")));
    }
    for (String name : List.of("name", "namespace", "uid")) {
      checkSame(original, converted, name, which);
    }
    FieldErrors faults = new FieldErrors();
    ObjectNode whole = Json.copyOf(CanonicalNumbers.of(converted, faults));
    if (!faults.isEmpty()) {
      throw new ConversionException("returned invalid " + which + ": " + faults.list().getFirst());
    }
    try {
      whole.set("metadata", metadata(original, converted));
    } catch (ConversionException faulty) {
      throw new ConversionException(
          "returned invalid metadata"
              + (at.isEmpty() ? "" : " in " + at)
              + ": "
              + faulty.getMessage());
    }
    return whole;
  }

  private static void checkSame(
      ObjectNode original, ObjectNode converted, String name, String which)
      throws ConversionException {
    String before = text(Json.objectAt(original, "metadata"), name);
    String after = text(Json.objectAt(converted, "metadata"), name);
    if (!before.equals(after)) {
      throw new ConversionException(
          "returned invalid %s: must have the same %s: %s != %s"
              .formatted(which, name.equals("uid") ? "UID" : name, before, after));
    }
  }

  private static ObjectNode metadata(ObjectNode original, ObjectNode converted)
      throws ConversionException {
    ObjectNode answered = Json.objectAt(converted, "metadata");
    if (answered == null) {
      throw new ConversionException(
          converted.has("metadata")
              ? "invalid metadata in converted object: it is not an object"
              : "missing metadata in converted object");
    }
    ObjectNode before = Json.copyOf(Json.objectAt(original, "metadata"));
    ObjectNode metadata = Json.copyOf(before);
    ObjectNode changed = Json.object();
    for (String name : CHANGEABLE) {
      metadata.remove(name);
      JsonNode value = answered.get(name);
      if (value == null || value.isNull()) {
        continue;
      }
      if (!(value instanceof ObjectNode texts)) {
        throw new ConversionException(
            "invalid metadata." + name + " in converted object: it is not an object");
      }
      changed.set(name, changed(name, Json.objectAt(before, name), texts));
      metadata.set(name, texts);
    }
    check(changed);
    return metadata;
  }

  /** Returns the members that are not as they were before. */
  private static ObjectNode changed(String name, @Nullable ObjectNode before, ObjectNode after)
      throws ConversionException {
    ObjectNode changed = Json.object();
    for (var member : after.properties()) {
      if (!member.getValue().isString()) {
        throw new ConversionException(
            "metadata.%s[%s] must be a string in converted object"
                .formatted(name, member.getKey()));
      }
      if (before == null || !member.getValue().equals(before.get(member.getKey()))) {
        changed.set(member.getKey(), member.getValue());
      }
    }
    return changed;
  }

  private static void check(ObjectNode changed) throws ConversionException {
    ObjectNode object = Json.object();
    object.set("metadata", changed);
    FieldErrors faults = new FieldErrors();
    MetadataRules.labelsAndAnnotations(FieldPath.root(object).get("metadata"), faults);
    if (!faults.isEmpty()) {
      throw new ConversionException(faults.list().getFirst().toString());
    }
  }

  private static String text(@Nullable JsonNode tree, String member) {
    return Objects.requireNonNullElse(Json.text(tree, member), "");
  }
}
