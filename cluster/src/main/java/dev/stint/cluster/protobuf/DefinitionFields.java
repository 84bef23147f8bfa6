package dev.stint.cluster.protobuf;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The fields of CustomResourceDefinitions. Schemas differ most from their JSON form: fields have
 * other names there.
 */
final class DefinitionFields {
  /** Fields that Go omits only if they are not set: there, a zero value has a meaning. */
  private static final Set<String> OPTIONAL =
      Set.of(
          "served",
          "storage",
          "xKubernetesPreserveUnknownFields",
          "maximum",
          "minimum",
          "maxLength",
          "minLength",
          "maxItems",
          "minItems",
          "maxProperties",
          "minProperties",
          "multipleOf",
          "port");

  private static final Map<String, String> NAMES = Map.of("ref", "$ref", "schema", "$schema");

  private DefinitionFields() {}

  /** True for a message of the group of definitions. */
  static boolean isIn(Descriptor message) {
    return message.getFile().getPackage().contains(".apiextensions");
  }

  /** Returns the name of a field in JSON. */
  static String name(FieldDescriptor field) {
    return field.getContainingType().getName().equals("JSONSchemaProps")
        ? nameInSchema(field.getName())
        : field.getName();
  }

  /** Returns {@code x-kubernetes-list-type} for {@code xKubernetesListType}. */
  private static String nameInSchema(String name) {
    return name.startsWith("xKubernetes")
        ? name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT)
        : NAMES.getOrDefault(name, name);
  }

  /** True if JSON lacks the field when it has its zero value. */
  static boolean dropsZero(FieldDescriptor field) {
    return !OPTIONAL.contains(field.getName());
  }
}
