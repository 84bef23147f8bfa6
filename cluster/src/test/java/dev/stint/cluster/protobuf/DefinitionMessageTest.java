package dev.stint.cluster.protobuf;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import dev.stint.model.Json;
import io.kubernetes.client.proto.Meta.ObjectMeta;
import io.kubernetes.client.proto.V1Apiextensions.CustomResourceDefinition;
import io.kubernetes.client.proto.V1Apiextensions.CustomResourceDefinitionSpec;
import io.kubernetes.client.proto.V1Apiextensions.CustomResourceDefinitionVersion;
import io.kubernetes.client.proto.V1Apiextensions.CustomResourceSubresourceStatus;
import io.kubernetes.client.proto.V1Apiextensions.CustomResourceSubresources;
import io.kubernetes.client.proto.V1Apiextensions.CustomResourceValidation;
import io.kubernetes.client.proto.V1Apiextensions.JSON;
import io.kubernetes.client.proto.V1Apiextensions.JSONSchemaProps;
import io.kubernetes.client.proto.V1Apiextensions.JSONSchemaPropsOrArray;
import io.kubernetes.client.proto.V1Apiextensions.JSONSchemaPropsOrBool;
import io.kubernetes.client.proto.V1Apiextensions.ValidationRule;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class DefinitionMessageTest {
  private static void assertSchema(JSONSchemaProps.Builder schema, String json) {
    JSONSchemaProps message = schema.build();
    ObjectNode tree = tree(message);
    assertThat(Json.parse(tree.toString())).isEqualTo(Json.parse(json));
    assertThat(tree(parsed(written(tree, message)))).isEqualTo(tree);
  }

  private static ObjectNode tree(Message message) {
    MessageShape shape = MessageShape.of(message.getDescriptorForType(), null);
    return ProtobufDocument.tree(shape, message.toByteArray(), Json.object(), true);
  }

  private static byte[] written(ObjectNode tree, Message message) {
    ReverseBuffer out = new ReverseBuffer(8);
    new MessageWriter(out).message(MessageShape.of(message.getDescriptorForType(), null), tree);
    return out.toByteArray();
  }

  private static JSONSchemaProps parsed(byte[] bytes) {
    try {
      return JSONSchemaProps.parseFrom(bytes);
    } catch (InvalidProtocolBufferException broken) {
      throw new AssertionError(broken);
    }
  }

  private static JSON any(String json) {
    return JSON.newBuilder().setRaw(ByteString.copyFrom(json, StandardCharsets.UTF_8)).build();
  }

  @Test
  void aDefinitionIsWhatItsJsonWouldBe() {
    CustomResourceDefinitionVersion version =
        CustomResourceDefinitionVersion.newBuilder()
            .setName("v1")
            .setServed(true)
            .setStorage(false)
            .setDeprecated(false)
            .setSchema(
                CustomResourceValidation.newBuilder()
                    .setOpenAPIV3Schema(JSONSchemaProps.newBuilder().setType("object")))
            .setSubresources(
                CustomResourceSubresources.newBuilder()
                    .setStatus(CustomResourceSubresourceStatus.getDefaultInstance()))
            .build();
    CustomResourceDefinition definition =
        CustomResourceDefinition.newBuilder()
            .setMetadata(ObjectMeta.newBuilder().setName("a.b.c").setUid("").setGeneration(0))
            .setSpec(
                CustomResourceDefinitionSpec.newBuilder()
                    .setGroup("b.c")
                    .setPreserveUnknownFields(false)
                    .addVersions(version))
            .build();
    assertThat(tree(definition).at("/spec"))
        .isEqualTo(
            Json.parse(
                """
                {"group": "b.c", "versions": [{"name": "v1", "served": true, "storage": false,
                 "schema": {"openAPIV3Schema": {"type": "object"}},
                 "subresources": {"status": {}}}]}
                """));
    assertThat(tree(definition).at("/metadata/name").asString()).isEqualTo("a.b.c");
  }

  @Test
  void fieldsOfSchemasHaveTheirNames() {
    assertSchema(
        JSONSchemaProps.newBuilder()
            .setRef("#/x")
            .setSchema("http://json-schema.org/schema#")
            .setXKubernetesIntOrString(true)
            .setXKubernetesEmbeddedResource(false)
            .setXKubernetesPreserveUnknownFields(false)
            .addXKubernetesListMapKeys("name")
            .setXKubernetesListType("map")
            .addXKubernetesValidations(
                ValidationRule.newBuilder().setRule("self > 0").setMessage("")),
        """
        {"$ref": "#/x", "$schema": "http://json-schema.org/schema#",
         "x-kubernetes-int-or-string": true, "x-kubernetes-preserve-unknown-fields": false,
         "x-kubernetes-list-map-keys": ["name"], "x-kubernetes-list-type": "map",
         "x-kubernetes-validations": [{"rule": "self > 0"}]}
        """);
  }

  @Test
  void boundsOfZeroAreKeptAndTextsWithoutContentAreNot() {
    assertSchema(
        JSONSchemaProps.newBuilder()
            .setMinimum(0)
            .setMaximum(1.5)
            .setMaxLength(0)
            .setPattern("")
            .setNullable(false),
        "{\"minimum\": 0, \"maximum\": 1.5, \"maxLength\": 0}");
  }

  @Test
  void aValueMayBeASchemaOrAnything() {
    JSONSchemaProps text = JSONSchemaProps.newBuilder().setType("string").build();
    assertSchema(
        JSONSchemaProps.newBuilder()
            .setItems(JSONSchemaPropsOrArray.newBuilder().setSchema(text))
            .setAdditionalProperties(JSONSchemaPropsOrBool.newBuilder().setAllows(true))
            .setAdditionalItems(JSONSchemaPropsOrBool.newBuilder().setAllows(true).setSchema(text))
            .putProperties("a", text)
            .setDefault(any("{\"b\": [1]}"))
            .addEnum(any("null"))
            .addEnum(any("\"c\"")),
        """
        {"items": {"type": "string"}, "additionalProperties": true,
         "additionalItems": {"type": "string"}, "properties": {"a": {"type": "string"}},
         "default": {"b": [1]}, "enum": [null, "c"]}
        """);
  }
}
