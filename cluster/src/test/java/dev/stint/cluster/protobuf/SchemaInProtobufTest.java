package dev.stint.cluster.protobuf;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import dev.stint.model.schema.FieldSchema;
import dev.stint.model.schema.ObjectSchema;
import dev.stint.model.schema.Schema;
import dev.stint.model.schema.ValueType;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SchemaInProtobufTest {
  /** Stated by the envelope. */
  private final Set<String> envelope = Set.of("apiVersion", "kind");

  private final Set<String> missing = new TreeSet<>();
  private final Set<String> seen = new HashSet<>();
  private final Set<String> inlined = new TreeSet<>();
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
        .as("but for what is not in the library, or younger: a node's report on itself, gates")
        .containsExactlyInAnyOrder(
            "CronJobStatus.nextScheduleTime",
            "PodFailurePolicyRule.name",
            "apiregistration.k8s.io/v1 APIService",
            "NodeAllocatableResourceClaimStatus.mapping",
            "NodeAllocatableResourceClaimStatus.overhead");
    assertThat(inlined)
        .as("fields whose members are one level higher in JSON")
        .containsExactlyInAnyOrder(
            "ConfigMapEnvSource.localObjectReference",
            "ConfigMapKeySelector.localObjectReference",
            "ConfigMapProjection.localObjectReference",
            "ConfigMapVolumeSource.localObjectReference",
            "EphemeralContainer.ephemeralContainerCommon",
            "IngressRule.ingressRuleValue",
            "PersistentVolumeSpec.persistentVolumeSource",
            "Probe.handler",
            "SecretEnvSource.localObjectReference",
            "SecretKeySelector.localObjectReference",
            "SecretProjection.localObjectReference",
            "Volume.volumeSource");
  }

  private void compare(ObjectSchema schema, Descriptor message) {
    if (!seen.add(schema.name())) {
      return;
    }
    MessageShape shape = MessageShape.of(message, schema);
    for (FieldSchema field : schema.fields().values()) {
      if (envelope.contains(field.name()) && schema.field("apiVersion") != null) {
        continue;
      }
      fields++;
      FieldDescriptor found = find(shape, message, field.name());
      if (found == null) {
        missing.add(schema.name() + "." + field.name());
      } else {
        follow(field.type(), found);
      }
    }
    shape.fields().stream()
        .filter(field -> field.form() == MessageField.Form.INLINED)
        .forEach(field -> inlined.add(schema.name() + "." + field.name()));
  }

  private static @Nullable FieldDescriptor find(
      MessageShape shape, Descriptor message, String name) {
    MessageField found = shape.member(name);
    if (found != null) {
      return message.findFieldByNumber(found.number());
    }
    return shape.fields().stream()
        .filter(field -> field.form() == MessageField.Form.INLINED)
        .map(field -> find(field.shape(), messageOf(message, field), name))
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }

  private static Descriptor messageOf(Descriptor outer, MessageField field) {
    return outer.findFieldByNumber(field.number()).getMessageType();
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
