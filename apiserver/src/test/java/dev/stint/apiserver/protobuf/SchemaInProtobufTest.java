package dev.stint.apiserver.protobuf;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import dev.stint.model.schema.FieldSchema;
import dev.stint.model.schema.ObjectSchema;
import dev.stint.model.schema.Schema;
import dev.stint.model.schema.ValueType;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SchemaInProtobufTest {
  /** Stated by the envelope. */
  private final Set<String> envelope = Set.of("apiVersion", "kind");

  private final Set<String> missing = new TreeSet<>();
  private final Set<String> seen = new HashSet<>();
  private int fields;

  @Test
  void everyFieldOfEveryKindIsInItsMessage() {
    Schema.kinds().keySet().stream()
        .map(kind -> kind.split(" ", 2))
        .forEach(kind ->
            MessageTypes.of(kind[0], kind[1])
                .ifPresentOrElse(
                    message -> compare(Schema.ofKind(kind[0], kind[1]).orElseThrow(), message),
                    () -> missing.add(kind[0] + " " + kind[1])));
    assertThat(fields).isGreaterThan(500);
    assertThat(missing)
        .as("but for what is not in the library, or younger: in a node's report on itself")
        .containsExactlyInAnyOrder(
            "apiregistration.k8s.io/v1 APIService",
            "NodeAllocatableResourceClaimStatus.mapping",
            "NodeAllocatableResourceClaimStatus.overhead");
  }

  private void compare(ObjectSchema schema, Descriptor message) {
    if (!seen.add(schema.name())) {
      return;
    }
    for (FieldSchema field : schema.fields().values()) {
      if (envelope.contains(field.name()) && schema.field("apiVersion") != null) {
        continue;
      }
      fields++;
      FieldDescriptor found = find(message, field.name());
      if (found == null) {
        missing.add(schema.name() + "." + field.name());
      } else {
        follow(field.type(), found);
      }
    }
  }

  private static @Nullable FieldDescriptor find(Descriptor message, String name) {
    FieldDescriptor found =
        message.getFields().stream()
            .filter(field -> MessageTree.name(field).equals(name))
            .findFirst()
            .orElse(null);
    if (found != null) {
      return found;
    }
    return message.getFields().stream()
        .filter(MessageTree::isInlined)
        .map(field -> field.getMessageType().findFieldByName(name))
        .filter(inner -> inner != null)
        .findFirst()
        .orElse(null);
  }

  private void follow(ValueType type, FieldDescriptor field) {
    switch (type) {
      case ValueType.Reference(String name) -> {
        if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
          compare(Schema.type(name), field.getMessageType());
        } else {
          missing.add(name + " at " + field.getFullName());
        }
      }
      case ValueType.ListOf(ValueType item) -> follow(item, field);
      default -> {}
    }
  }
}
