package dev.stint.cluster.protobuf;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import dev.stint.model.schema.FieldSchema;
import dev.stint.model.schema.FieldSchema.Presence;
import dev.stint.model.schema.ObjectSchema;
import dev.stint.model.schema.Schema;
import dev.stint.model.schema.ValueType;
import dev.stint.model.schema.ValueType.ListOf;
import dev.stint.model.schema.ValueType.MapOf;
import dev.stint.model.schema.ValueType.Reference;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One field of a message, and the member that it is in JSON. */
final class MessageField {
  private static final Set<Presence> DROPPED = Set.of(Presence.OMITTED, Presence.CHECKED);

  /** The relation of a value to its JSON form. */
  enum Form {
    STRING,
    BOOLEAN,
    INTEGER,
    DOUBLE,
    /** Base64 text in JSON. */
    BYTES,
    /** A message that represents a time of whole seconds. */
    TIME,
    /** A message that represents a time of microseconds. */
    MICRO_TIME,
    /** A message that holds an amount as text. */
    QUANTITY,
    /** A message that represents a number or a text. */
    INT_OR_STRING,
    /** A message that holds JSON. */
    RAW,
    /** A message that holds a list, for a list within a map. */
    LIST,
    /** A message that holds a schema, or a value of another type. */
    SCHEMA_OR_OTHER,
    MESSAGE,
    /** A message whose fields are one level higher in JSON, such as the kinds of a volume. */
    INLINED
  }

  private final FieldDescriptor descriptor;
  private final String name;
  private final Form form;
  private final boolean dropsZero;
  private final boolean dropsEmpty;
  private final @Nullable ValueType type;
  private final @Nullable ObjectSchema outer;
  private volatile @Nullable MessageShape shape;

  /**
   * @param outer the schema of the object that has the field; null if unknown
   */
  MessageField(FieldDescriptor descriptor, @Nullable ObjectSchema outer) {
    this.descriptor = descriptor;
    this.outer = outer;
    this.name = name(descriptor);
    FieldSchema known = outer == null ? null : outer.field(name);
    this.type = known == null ? null : item(descriptor, known.type());
    this.dropsEmpty = outer != null && known == null;
    Form own = form(value(), type);
    this.form = isInlined(descriptor, own, outer, known) ? Form.INLINED : own;
    this.dropsZero =
        DefinitionFields.isIn(descriptor.getContainingType())
            ? DefinitionFields.dropsZero(descriptor)
            : outer != null && (known == null || DROPPED.contains(known.presence()));
  }

  private static String name(FieldDescriptor field) {
    return DefinitionFields.isIn(field.getContainingType())
        ? DefinitionFields.name(field)
        : switch (field.getName()) {
          case "uID" -> "uid";
          case "aPIGroup" -> "apiGroup";
          default -> field.getName();
        };
  }

  /** Returns the type of the values of a map or the items of a list, else the type itself. */
  private static @Nullable ValueType item(FieldDescriptor field, ValueType whole) {
    return switch (whole) {
      case MapOf(ValueType value) when field.isMapField() -> value;
      case ListOf(ValueType item) when field.isRepeated() -> item;
      default -> field.isRepeated() ? null : whole;
    };
  }

  /** Returns the descriptor of the values: of a map, that of its values. */
  private FieldDescriptor value() {
    return descriptor.isMapField() ? descriptor.getMessageType().findFieldByNumber(2) : descriptor;
  }

  private static Form form(FieldDescriptor value, @Nullable ValueType type) {
    return switch (value.getJavaType()) {
      case STRING -> Form.STRING;
      case BOOLEAN -> Form.BOOLEAN;
      case INT, LONG -> Form.INTEGER;
      case DOUBLE -> Form.DOUBLE;
      case BYTE_STRING -> Form.BYTES;
      case MESSAGE -> form(value.getMessageType(), type);
      default -> throw new IllegalStateException("no JSON form of " + value.getFullName());
    };
  }

  private static Form form(Descriptor message, @Nullable ValueType type) {
    return switch (message.getName()) {
      case "Time" -> Form.TIME;
      case "MicroTime" -> Form.MICRO_TIME;
      case "Quantity" -> Form.QUANTITY;
      case "IntOrString" -> Form.INT_OR_STRING;
      case "RawExtension", "FieldsV1", "JSON" -> Form.RAW;
      case "JSONSchemaPropsOrArray", "JSONSchemaPropsOrBool", "JSONSchemaPropsOrStringArray" ->
          Form.SCHEMA_OR_OTHER;
      default -> type instanceof ListOf ? Form.LIST : Form.MESSAGE;
    };
  }

  /** True if JSON has the fields of this field's message instead of the field. */
  private static boolean isInlined(
      FieldDescriptor field, Form form, @Nullable ObjectSchema outer, @Nullable FieldSchema known) {
    return form == Form.MESSAGE
        && !field.isRepeated()
        && outer != null
        && known == null
        && field.getMessageType().getFields().stream()
            .map(MessageField::name)
            .anyMatch(inner ->
                outer.field(inner) != null
                    && field.getContainingType().findFieldByName(inner) == null);
  }

  /** Returns the same field with another shape of its message. */
  MessageField withShape(MessageShape other) {
    MessageField field = new MessageField(descriptor, outer);
    field.shape = other;
    return field;
  }

  int number() {
    return descriptor.getNumber();
  }

  /** Returns the name of the member in JSON. */
  String name() {
    return name;
  }

  Form form() {
    return form;
  }

  boolean isMap() {
    return descriptor.isMapField();
  }

  boolean isList() {
    return descriptor.isRepeated() && !descriptor.isMapField();
  }

  /** True if JSON lacks the member when it has its zero value, which Go encodes all the same. */
  boolean dropsZero() {
    return dropsZero;
  }

  /** Returns the shape of the message that the field, or each item or value of it, holds. */
  MessageShape shape() {
    MessageShape known = shape;
    if (known == null) {
      Descriptor message = value().getMessageType();
      known = MessageShape.of(message, form == Form.INLINED ? outer : schema(message));
      shape = known;
    }
    return known;
  }

  private @Nullable ObjectSchema schema(Descriptor message) {
    if (type instanceof Reference(String known)) {
      return Schema.type(known);
    }
    return message.getName().equals("ObjectMeta") ? Schema.type("ObjectMeta") : null;
  }

  /** True if the schema lacks the field, so that JSON lacks the member when it is empty. */
  boolean dropsEmpty() {
    return dropsEmpty;
  }

  /** True if null is a value that JSON states: that of a time that is not set. */
  boolean hasNull() {
    return form == Form.TIME || form == Form.MICRO_TIME;
  }

  /** True if the values of the field are numbers or booleans, which a list may have packed. */
  boolean isPackable() {
    return form == Form.INTEGER || form == Form.BOOLEAN || form == Form.DOUBLE;
  }
}
