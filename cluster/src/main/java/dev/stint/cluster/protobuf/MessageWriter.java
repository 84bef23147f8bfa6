package dev.stint.cluster.protobuf;

import com.google.protobuf.WireFormat;
import dev.stint.model.Json;
import dev.stint.model.Timestamps;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Writes the trees of stored objects as messages, with fields and the keys of maps in order, as Go
 * does. Members that the message does not know are left out, as they are for a client of another
 * version. Values are those that the schema accepts; any other one is written as its zero value.
 */
final class MessageWriter {
  private final ReverseBuffer out;
  private boolean complete = true;

  MessageWriter(ReverseBuffer out) {
    this.out = out;
  }

  /** Writes the fields of a document, whose kind is stated elsewhere. */
  void document(MessageShape shape, ObjectNode tree) {
    int stated = (tree.has("apiVersion") ? 1 : 0) + (tree.has("kind") ? 1 : 0);
    expect(tree.size(), stated + fields(shape, tree));
  }

  /** True if all members of what was written are known to their messages. */
  boolean isComplete() {
    return complete;
  }

  /** Writes the fields of a message. */
  void message(MessageShape shape, ObjectNode tree) {
    expect(tree.size(), fields(shape, tree));
  }

  private void expect(int members, int found) {
    if (found != members) {
      complete = false;
    }
  }

  /** Writes the fields of a message, the last one first; returns how many the tree has. */
  private int fields(MessageShape shape, ObjectNode tree) {
    List<MessageField> fields = shape.fields();
    int found = 0;
    for (int i = fields.size() - 1; i >= 0; i--) {
      MessageField field = fields.get(i);
      if (field.form() == MessageField.Form.INLINED) {
        found += inlined(field, tree);
      } else {
        JsonNode value = tree.get(field.name());
        found += value == null ? 0 : 1;
        field(field, value);
      }
    }
    return found;
  }

  /** Writes a message whose members are in the tree of the message around it, if it has any. */
  private int inlined(MessageField field, ObjectNode tree) {
    int end = out.length();
    int found = fields(field.shape(), tree);
    if (out.length() > end) {
      delimit(field.number(), end);
    }
    return found;
  }

  private void field(MessageField field, @Nullable JsonNode value) {
    if (value == null || value.isNull() && !field.hasNull()) {
      return;
    }
    if (field.isMap()) {
      map(field, value);
    } else if (field.isList()) {
      list(field, value);
    } else {
      value(field, field.number(), value);
    }
  }

  private void list(MessageField field, JsonNode items) {
    for (int i = items.isArray() ? items.size() - 1 : -1; i >= 0; i--) {
      value(field, field.number(), items.get(i));
    }
  }

  private void map(MessageField field, JsonNode members) {
    List<String> names = new ArrayList<>(members.propertyNames());
    names.sort(Collections.reverseOrder());
    for (String name : names) {
      int end = out.length();
      value(field, 2, members.get(name));
      text(1, name);
      delimit(field.number(), end);
    }
  }

  /** Writes one value with its tag. */
  private void value(MessageField field, int number, JsonNode value) {
    switch (field.form()) {
      case STRING -> text(number, text(value));
      case BOOLEAN -> integer(number, value.asBoolean(false) ? 1 : 0);
      case INTEGER -> integer(number, value.asLong(0));
      case DOUBLE -> {
        out.fixed64(Double.doubleToRawLongBits(value.asDouble(0)));
        tag(number, WireFormat.WIRETYPE_FIXED64);
      }
      case BYTES -> bytes(number, decoded(text(value)));
      default -> {
        int end = out.length();
        content(field, value);
        delimit(number, end);
      }
    }
  }

  /** Writes the fields of the message that represents a value. */
  private void content(MessageField field, JsonNode value) {
    switch (field.form()) {
      case TIME -> time(value, false);
      case MICRO_TIME -> time(value, true);
      case QUANTITY -> text(1, text(value));
      case INT_OR_STRING -> intOrString(value);
      case RAW -> bytes(1, Json.bytes(value));
      case LIST -> field(field.shape().only(), value);
      case SCHEMA_OR_OTHER -> schemaOrOther(field.shape(), value);
      default -> {
        if (value instanceof ObjectNode tree) {
          message(field.shape(), tree);
        }
      }
    }
  }

  private void time(JsonNode value, boolean micros) {
    Instant time = Timestamps.parse(value.asString(""));
    if (time != null) {
      integer(2, micros ? time.getNano() : 0);
      integer(1, time.getEpochSecond());
    }
  }

  private void intOrString(JsonNode value) {
    boolean isText = value.isString();
    text(3, isText ? value.stringValue() : "");
    integer(2, isText ? 0 : value.asInt(0));
    integer(1, isText ? 1 : 0);
  }

  private void schemaOrOther(MessageShape shape, JsonNode value) {
    MessageField other = shape.other();
    if (value instanceof ObjectNode) {
      field(shape.schema(), value);
      if (!other.isList()) {
        integer(other.number(), 1); // A schema allows what matches it.
      }
    } else {
      field(other, value);
    }
  }

  private static String text(JsonNode value) {
    return value.isString() ? value.stringValue() : value.isValueNode() ? value.asString("") : "";
  }

  private static byte[] decoded(String base64) {
    try {
      return Base64.getDecoder().decode(base64);
    } catch (IllegalArgumentException notBase64) {
      return new byte[0];
    }
  }

  void text(int number, String text) {
    int end = out.length();
    out.write(text);
    delimit(number, end);
  }

  void bytes(int number, byte[] bytes) {
    int end = out.length();
    out.write(bytes);
    delimit(number, end);
  }

  private void integer(int number, long value) {
    out.varint(value);
    tag(number, WireFormat.WIRETYPE_VARINT);
  }

  /**
   * Writes the length and the tag before a value.
   *
   * @param end the length of the buffer without the value
   */
  void delimit(int number, int end) {
    delimited(number, out.length() - end);
  }

  /** Writes the tag and the length of a value. */
  void delimited(int number, long length) {
    out.varint(length);
    tag(number, WireFormat.WIRETYPE_LENGTH_DELIMITED);
  }

  private void tag(int number, int wire) {
    out.varint((long) number << 3 | wire);
  }
}
