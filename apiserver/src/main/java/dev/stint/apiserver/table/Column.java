package dev.stint.apiserver.table;

import dev.stint.model.field.FieldPath;
import java.time.Instant;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.BooleanNode;
import tools.jackson.databind.node.LongNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/**
 * One column of a table: its definition, and its cells.
 *
 * @param type string, integer, boolean or date
 * @param format {@code name} for the column that names the object; otherwise ""
 * @param wide true if {@code kubectl get} shows it only with {@code -o wide}
 */
record Column(
    String name, String type, String format, boolean wide, String description, Cell cell) {
  static final String NONE = "<none>";

  /** Returns the value of a column for an object. */
  interface Cell {
    JsonNode of(FieldPath object, Instant now);
  }

  static Column named() {
    return new Column(
        "Name",
        "string",
        "name",
        false,
        "The name of the object, unique for its kind and namespace.",
        (object, now) -> StringNode.valueOf(object.get("metadata", "name").text()));
  }

  static Column age() {
    return aging("Age", "How long ago the object was created.", "metadata", "creationTimestamp");
  }

  static Column createdAt() {
    return new Column(
        "Created At",
        "date",
        "",
        false,
        "When the object was created.",
        (object, now) -> StringNode.valueOf(object.get("metadata", "creationTimestamp").text()));
  }

  /** Returns a column with the time since the timestamp at a path. */
  static Column aging(String name, String description, String first, String second) {
    return timed(
        name, description, (object, now) -> AgeFormat.since(object.get(first, second).text(), now));
  }

  static Column text(String name, String description, Function<FieldPath, String> cell) {
    return timed(name, description, (object, now) -> cell.apply(object));
  }

  /** Returns a column with a text that also depends on the current time. */
  static Column timed(String name, String description, TimedText cell) {
    return new Column(
        name,
        "string",
        "",
        false,
        description,
        (object, now) -> StringNode.valueOf(cell.of(object, now)));
  }

  /**
   * Returns a column with a number.
   *
   * @param type the declared type: Kubernetes declares some of its numbers as strings
   */
  static Column number(
      String name, String type, String description, ToLongFunction<FieldPath> cell) {
    return new Column(
        name,
        type,
        "",
        false,
        description,
        (object, now) -> LongNode.valueOf(cell.applyAsLong(object)));
  }

  static Column flag(String name, String description, Function<FieldPath, Boolean> cell) {
    return new Column(
        name,
        "boolean",
        "",
        false,
        description,
        (object, now) -> BooleanNode.valueOf(cell.apply(object)));
  }

  /** Returns this column, for {@code -o wide} only. */
  Column onlyWide() {
    return new Column(name, type, format, true, description, cell);
  }

  void define(ObjectNode definition) {
    definition.put("name", name);
    definition.put("type", type);
    definition.put("format", format);
    definition.put("description", description);
    definition.put("priority", wide ? 1 : 0);
  }

  static String orNone(String text) {
    return text.isEmpty() ? NONE : text;
  }

  /** Makes a text of an object and the current time. */
  interface TimedText {
    String of(FieldPath object, Instant now);
  }
}
