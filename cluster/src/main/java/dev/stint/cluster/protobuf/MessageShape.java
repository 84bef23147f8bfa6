package dev.stint.cluster.protobuf;

import com.google.protobuf.Descriptors.Descriptor;
import dev.stint.model.schema.ObjectSchema;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a message and the members that they are in JSON. It is made once for each message
 * and schema, and serves both directions.
 */
final class MessageShape {
  private record Key(Descriptor message, @Nullable ObjectSchema schema) {
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Key key && key.message == message && key.schema == schema;
    }

    @Override
    public int hashCode() {
      return 31 * System.identityHashCode(message) + System.identityHashCode(schema);
    }
  }

  private static final String MANAGED_FIELDS = "managedFields";

  private static final ConcurrentMap<Key, MessageShape> KNOWN = new ConcurrentHashMap<>();

  private final List<MessageField> fields;
  private final Map<Integer, MessageField> byNumber = new HashMap<>();

  /** The numbers of fields that are known and left out. */
  private final Set<Integer> leftOut;

  /** The same shape without managed fields; null if it was not asked for yet. */
  private volatile @Nullable MessageShape unmanaged;

  private MessageShape(List<MessageField> fields, Set<Integer> leftOut) {
    this.fields = fields;
    this.leftOut = leftOut;
    fields.forEach(field -> byNumber.put(field.number(), field));
  }

  /**
   * Returns the shape of a message.
   *
   * @param schema of the object that it represents; null if unknown, so that its fields are taken
   *     as they are
   */
  static MessageShape of(Descriptor message, @Nullable ObjectSchema schema) {
    return KNOWN.computeIfAbsent(new Key(message, schema), MessageShape::made);
  }

  private static MessageShape made(Key key) {
    return new MessageShape(
        key.message().getFields().stream()
            .map(field -> new MessageField(field, key.schema()))
            .sorted(Comparator.comparingInt(MessageField::number))
            .toList(),
        Set.of());
  }

  /** Returns the fields, ordered by their numbers. */
  List<MessageField> fields() {
    return fields;
  }

  /** Returns the field of a number; null if there is none. */
  @Nullable MessageField field(int number) {
    return byNumber.get(number);
  }

  /** Returns the field that is this member in JSON; null if there is none. */
  @Nullable MessageField member(String name) {
    for (MessageField field : fields) {
      if (field.name().equals(name)) {
        return field;
      }
    }
    return null;
  }

  /** Returns the only field of a message that wraps one. */
  MessageField only() {
    return fields.getFirst();
  }

  /** Returns the field for other values, of a message that holds a schema or such a value. */
  MessageField other() {
    return unionField(false);
  }

  /** Returns the field for a schema, of a message that holds a schema or another value. */
  MessageField schema() {
    return unionField(true);
  }

  private MessageField unionField(boolean isSchema) {
    return fields.stream()
        .filter(field -> field.name().equals("schema") == isSchema)
        .findFirst()
        .orElseThrow();
  }

  /** True if readers skip the field of a number, although it is known. */
  boolean leavesOut(int number) {
    return leftOut.contains(number);
  }

  /** Returns the shape of an object whose metadata has no managed fields: readers skip them. */
  MessageShape withoutManagedFields() {
    MessageShape known = unmanaged;
    if (known == null) {
      known = new MessageShape(fields.stream().map(MessageShape::unmanaged).toList(), leftOut);
      unmanaged = known;
    }
    return known;
  }

  private static MessageField unmanaged(MessageField field) {
    return field.name().equals("metadata")
        ? field.withShape(field.shape().without(MANAGED_FIELDS))
        : field;
  }

  private MessageShape without(String name) {
    MessageField member = member(name);
    return member == null
        ? this
        : new MessageShape(
            fields.stream().filter(field -> field != member).toList(), Set.of(member.number()));
  }
}
