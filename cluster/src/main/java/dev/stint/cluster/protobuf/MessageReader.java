package dev.stint.cluster.protobuf;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.WireFormat;
import dev.stint.model.Json;
import dev.stint.model.Timestamps;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Reads messages as the trees of their JSON form. */
final class MessageReader {
  /** No object is nested as deeply, but for schemas, whose depth is limited too. */
  private static final int DEEPEST = 100;

  private static final int KEY_TAG = 1 << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED;
  private static final int RAW_TAG = 1 << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED;

  private static final JsonNodeFactory NODES = Json.nodes();
  private static final DateTimeFormatter MICROS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

  private final CodedInputStream in;
  private final boolean complete;
  private int depth;

  private MessageReader(CodedInputStream in, boolean complete) {
    this.in = in;
    this.complete = complete;
  }

  /**
   * Adds the members of a message to a tree.
   *
   * @param complete true to throw {@link UnknownFieldException} for a field that is not known here,
   *     instead of skipping it
   */
  static ObjectNode read(MessageShape shape, CodedInputStream in, ObjectNode tree, boolean complete)
      throws IOException {
    new MessageReader(in, complete).fill(tree, shape);
    return tree;
  }

  /** Reports a field of a version that is younger than this program. */
  static final class UnknownFieldException extends IOException {
    private static final long serialVersionUID = 1;

    UnknownFieldException(int number) {
      super("it has a field that is not known here, of the number " + number);
    }
  }

  private void fill(ObjectNode tree, MessageShape shape) throws IOException {
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      int number = WireFormat.getTagFieldNumber(tag);
      MessageField field = shape.field(number);
      if (field == null || !read(tree, field, WireFormat.getTagWireType(tag))) {
        if (complete && !shape.leavesOut(number)) {
          throw new UnknownFieldException(number);
        }
        skip(in, tag);
      }
    }
  }

  static void skip(CodedInputStream in, int tag) throws IOException {
    if (!in.skipField(tag)) {
      throw new InvalidProtocolBufferException("a group ends that did not begin");
    }
  }

  /** Reads a field; false if its value has another wire type, so that it is unknown. */
  private boolean read(ObjectNode tree, MessageField field, int wire) throws IOException {
    boolean packed =
        field.isList() && field.isPackable() && wire == WireFormat.WIRETYPE_LENGTH_DELIMITED;
    if (packed) {
      packed(items(tree, field), field);
    } else if (wire != wire(field)) {
      return false;
    } else if (field.isMap()) {
      entry(members(tree, field), field);
    } else if (field.isList()) {
      items(tree, field).add(value(field));
    } else {
      single(tree, field);
    }
    return true;
  }

  private static int wire(MessageField field) {
    return field.isMap() ? WireFormat.WIRETYPE_LENGTH_DELIMITED : valueWire(field);
  }

  private static int valueWire(MessageField field) {
    return switch (field.form()) {
      case BOOLEAN, INTEGER -> WireFormat.WIRETYPE_VARINT;
      case DOUBLE -> WireFormat.WIRETYPE_FIXED64;
      default -> WireFormat.WIRETYPE_LENGTH_DELIMITED;
    };
  }

  private static ArrayNode items(ObjectNode tree, MessageField field) {
    return tree.get(field.name()) instanceof ArrayNode known ? known : tree.putArray(field.name());
  }

  private static ObjectNode members(ObjectNode tree, MessageField field) {
    return tree.get(field.name()) instanceof ObjectNode known
        ? known
        : tree.putObject(field.name());
  }

  private void single(ObjectNode tree, MessageField field) throws IOException {
    switch (field.form()) {
      case INLINED -> message(tree, field.shape());
      case MESSAGE -> {
        if (message(members(tree, field), field.shape()).isEmpty() && field.dropsEmpty()) {
          tree.remove(field.name());
        }
      }
      default -> {
        JsonNode value = value(field);
        if (!field.dropsZero() || !isZero(value)) {
          tree.set(field.name(), value);
        }
      }
    }
  }

  private static boolean isZero(JsonNode value) {
    return switch (value.getNodeType()) {
      case STRING -> value.stringValue().isEmpty();
      case NUMBER -> value.doubleValue() == 0;
      case BOOLEAN -> !value.booleanValue();
      case NULL -> true;
      default -> false;
    };
  }

  private void packed(ArrayNode items, MessageField field) throws IOException {
    int outer = in.pushLimit(in.readRawVarint32());
    while (!in.isAtEnd()) {
      items.add(value(field));
    }
    in.popLimit(outer);
  }

  private void entry(ObjectNode members, MessageField field) throws IOException {
    int outer = enter();
    String key = "";
    JsonNode value = null;
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == KEY_TAG) {
        key = in.readString();
      } else if (tag == (2 << 3 | valueWire(field))) {
        value = value(field);
      } else {
        skip(in, tag);
      }
    }
    leave(outer);
    members.set(key, value == null ? zero(field) : value);
  }

  /** Returns the value of a map's entry that states none. */
  private static JsonNode zero(MessageField field) {
    return switch (field.form()) {
      case STRING, BYTES, QUANTITY -> NODES.stringNode("");
      case BOOLEAN -> NODES.booleanNode(false);
      case INTEGER, DOUBLE, INT_OR_STRING -> NODES.numberNode(0);
      case LIST -> NODES.arrayNode();
      case MESSAGE -> NODES.objectNode();
      default -> NODES.nullNode();
    };
  }

  private JsonNode value(MessageField field) throws IOException {
    return switch (field.form()) {
      case STRING -> NODES.stringNode(in.readString());
      case BOOLEAN -> NODES.booleanNode(in.readBool());
      case INTEGER -> integer(in.readRawVarint64());
      case DOUBLE -> number(in.readDouble());
      case BYTES -> NODES.stringNode(Base64.getEncoder().encodeToString(in.readByteArray()));
      case TIME -> time(message(field), false);
      case MICRO_TIME -> time(message(field), true);
      case QUANTITY -> NODES.stringNode(message(field).path("string").asString(""));
      case INT_OR_STRING -> intOrString(message(field));
      case RAW -> raw();
      case LIST -> list(field);
      case SCHEMA_OR_OTHER -> schemaOrOther(field);
      case MESSAGE, INLINED -> message(field);
    };
  }

  /** Returns an integer as the parser of JSON would. */
  private static JsonNode integer(long value) {
    return value == (int) value ? NODES.numberNode((int) value) : NODES.numberNode(value);
  }

  /** Returns a number; one without a fraction as JSON writes it. */
  private static JsonNode number(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1L << 53
        ? integer((long) value)
        : NODES.numberNode(value);
  }

  private ObjectNode message(MessageField field) throws IOException {
    return message(NODES.objectNode(), field.shape());
  }

  private ObjectNode message(ObjectNode tree, MessageShape shape) throws IOException {
    int outer = enter();
    fill(tree, shape);
    leave(outer);
    return tree;
  }

  private int enter() throws IOException {
    if (++depth > DEEPEST) {
      throw new InvalidProtocolBufferException("it is nested too deeply");
    }
    return in.pushLimit(in.readRawVarint32());
  }

  private void leave(int outer) {
    in.popLimit(outer);
    depth--;
  }

  /** Returns a time; an empty message is a time that is not set. */
  private static JsonNode time(ObjectNode parts, boolean micros)
      throws InvalidProtocolBufferException {
    if (parts.isEmpty()) {
      return NODES.nullNode();
    }
    long nanos = parts.path("nanos").asLong(0);
    try {
      Instant time = Instant.ofEpochSecond(parts.path("seconds").asLong(0), nanos);
      return NODES.stringNode(
          micros ? MICROS.format(time) : nanos == 0 ? Timestamps.format(time) : time.toString());
    } catch (DateTimeException | ArithmeticException outOfRange) {
      throw new InvalidProtocolBufferException("a time is out of range");
    }
  }

  private static JsonNode intOrString(ObjectNode parts) {
    return parts.path("type").asLong(0) == 0
        ? NODES.numberNode(parts.path("intVal").asInt(0))
        : NODES.stringNode(parts.path("strVal").asString(""));
  }

  private JsonNode raw() throws IOException {
    byte[] json = rawBytes(in);
    return json.length == 0 ? NODES.nullNode() : Json.read(json);
  }

  /** Reads a message that holds bytes in its only field. */
  static byte[] rawBytes(CodedInputStream in) throws IOException {
    int outer = in.pushLimit(in.readRawVarint32());
    byte[] raw = new byte[0];
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == RAW_TAG) {
        raw = in.readByteArray();
      } else {
        skip(in, tag);
      }
    }
    in.popLimit(outer);
    return raw;
  }

  private JsonNode list(MessageField field) throws IOException {
    JsonNode items = message(field).get(field.shape().only().name());
    return items == null ? NODES.arrayNode() : items;
  }

  /** Returns the schema of a message that holds a schema or a value of another type. */
  private JsonNode schemaOrOther(MessageField field) throws IOException {
    ObjectNode parts = message(field);
    JsonNode schema = parts.get("schema");
    return schema == null ? other(field, parts) : schema;
  }

  private static JsonNode other(MessageField field, ObjectNode parts) {
    MessageField other = field.shape().other();
    @Nullable JsonNode value = parts.get(other.name());
    if (value != null) {
      return value;
    }
    return other.isList() ? NODES.arrayNode() : NODES.booleanNode(false);
  }
}
