package dev.stint.model.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.model.Kind;
import dev.stint.model.schema.FieldSchema.Ownership;
import dev.stint.model.schema.FieldSchema.Presence;
import dev.stint.model.schema.ValueType.ListOf;
import dev.stint.model.schema.ValueType.MapOf;
import dev.stint.model.schema.ValueType.Reference;
import dev.stint.model.schema.ValueType.Scalar;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SchemaTest {
  @Test
  void everyTypeThatAFieldNamesExists() {
    List<String> dangling = new ArrayList<>();
    for (String name : Schema.typeNames()) {
      for (FieldSchema field : Schema.type(name).fields().values()) {
        if (named(field.type()) instanceof Reference(String type)
            && !Schema.typeNames().contains(type)) {
          dangling.add(name + "." + field.name() + " " + type);
        }
      }
    }
    assertThat(dangling).isEmpty();
    assertThat(Schema.typeNames()).hasSizeGreaterThan(100);
  }

  @Test
  void everyKeyIsAFieldOfTheItems() {
    List<String> wrong = new ArrayList<>();
    for (String name : Schema.typeNames()) {
      for (FieldSchema field : Schema.type(name).fields().values()) {
        List<String> keys = new ArrayList<>(field.keys());
        if (field.patchKey() != null && !field.patchKey().isEmpty()) {
          keys.add(field.patchKey());
        }
        if (named(field.type()) instanceof Reference(String type)) {
          keys.removeAll(Schema.type(type).fields().keySet());
        }
        keys.forEach(key -> wrong.add(name + "." + field.name() + " " + key));
      }
    }
    assertThat(wrong).isEmpty();
  }

  @Test
  void onlyListsAndMapsCountWhileTheyAreChecked() {
    List<ValueType> checked =
        Schema.typeNames().stream()
            .flatMap(name -> Schema.type(name).fields().values().stream())
            .filter(field -> field.presence() == Presence.CHECKED)
            .map(FieldSchema::type)
            .toList();
    assertThat(checked)
        .isNotEmpty()
        .allMatch(type -> type instanceof ListOf || type instanceof MapOf);
  }

  @Test
  void aFieldHasATypeAPresenceAndAMergeStrategy() {
    assertThat(field("JobSpec", "parallelism").type()).isEqualTo(Scalar.INT32);
    assertThat(field("JobSpec", "parallelism").presence()).isEqualTo(Presence.OPTIONAL);
    assertThat(field("JobSpec", "template").presence()).isEqualTo(Presence.ALWAYS);
    assertThat(field("TypedObjectReference", "apiGroup").presence()).isEqualTo(Presence.NULLABLE);
    assertThat(field("PodSpec", "overhead").presence()).isEqualTo(Presence.CHECKED);
    assertThat(field("PodSpec", "overhead").type()).isEqualTo(new MapOf(Scalar.QUANTITY));
    assertThat(field("ObjectMeta", "labels").type()).isEqualTo(new MapOf(Scalar.STRING));
    FieldSchema ports = field("Container", "ports");
    assertThat(ports.type()).isEqualTo(new ListOf(new Reference("ContainerPort")));
    assertThat(ports.ownership()).isEqualTo(Ownership.KEYS);
    assertThat(ports.keys()).containsExactly("containerPort", "protocol");
    assertThat(ports.patchKey()).isEqualTo("containerPort");
    assertThat(field("ContainerPort", "protocol").defaultKey()).isEqualTo("TCP");
    assertThat(field("PodSpec", "volumes").retainKeys()).isTrue();
    assertThat(field("ObjectMeta", "finalizers").patchKey()).isEmpty();
    assertThat(Schema.type("LabelSelector").atomic()).isTrue();
  }

  @Test
  void aKindIsKnownByItsVersionAndName() {
    assertThat(Schema.ofKind("batch/v1", "Job")).isPresent();
    assertThat(Schema.ofKind("v1", "Job")).isEmpty();
    assertThat(Schema.ofKind("v1", "PodSpec")).isEmpty();
    assertThat(Schema.ofKind("events.k8s.io/v1", "Event")).contains(Schema.type("EventsEvent"));
    assertThat(Schema.ofKind("v1", "Event")).contains(Schema.type("Event"));
    assertThat(Kind.all()).allMatch(k -> Schema.ofKind(k.apiVersion(), k.kind()).isPresent());
  }

  @Test
  void askingForAnUnknownTypeIsAFaultOfTheCaller() {
    assertThatThrownBy(() -> Schema.type("Nope"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("unknown type Nope");
  }

  private static FieldSchema field(String type, String field) {
    FieldSchema found = Schema.type(type).field(field);
    assertThat(found).isNotNull();
    return found;
  }

  private static ValueType named(ValueType type) {
    return switch (type) {
      case ListOf(ValueType item) -> named(item);
      case MapOf(ValueType value) -> named(value);
      default -> type;
    };
  }
}
