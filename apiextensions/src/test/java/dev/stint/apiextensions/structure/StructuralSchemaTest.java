package dev.stint.apiextensions.structure;

import static dev.stint.apiextensions.SchemaFixtures.messages;
import static dev.stint.apiextensions.SchemaFixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiextensions.rule.CostLimits;
import dev.stint.model.field.FieldErrors;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class StructuralSchemaTest {
  @Test
  void aSoundSchemaIsCompiled() {
    assertThat(
            faults(
                """
                type: object
                properties:
                  apiVersion: {type: string}
                  metadata: {type: object, properties: {name: {type: string, maxLength: 5}}}
                  spec:
                    type: object
                    properties:
                      port: {x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}
                      raw: {x-kubernetes-preserve-unknown-fields: true}
                    oneOf: [{required: [port]}, {properties: {raw: {enum: [1]}}}]
                """))
        .isEmpty();
  }

  @Test
  void textualFaultsAreOfTheDocument() {
    assertThat(faults("{type: object, required: x}"))
        .containsExactly("schema.required: must be a list");
    assertThat(faults("{type: object, properties: {a: x}}"))
        .containsExactly("schema.properties[a]: a schema must be an object");
  }

  @Nested
  class Types {
    @Test
    void areNeededEverywhere() {
      assertThat(faults("{properties: {a: {}, l: {type: array, items: {}}}}"))
          .containsExactly(
              "schema.type: Required value: must not be empty at the root",
              "schema.properties[a].type: Required value: must not be empty for specified object"
                  + " fields",
              "schema.properties[l].items.type: Required value: must not be empty for specified"
                  + " array items");
    }

    @Test
    void areKnown() {
      assertThat(faults("{type: object, properties: {a: {type: text}, z: {type: 'null'}}}"))
          .containsExactly(
              "schema.properties[a].type: Unsupported value: \"text\": supported values: \"array\","
                  + " \"boolean\", \"integer\", \"number\", \"object\", \"string\"",
              "schema.properties[z].type: Forbidden: type cannot be set to null, use nullable as an"
                  + " alternative");
    }

    @Test
    void theRootIsAnObject() {
      assertThat(faults("{type: string}"))
          .containsExactly("schema.type: Invalid value: \"string\": must be object at the root");
    }
  }

  @Nested
  class Keywords {
    @Test
    void thatAreNotSupported() {
      assertThat(property("{type: object, $ref: x, additionalProperties: false}"))
          .containsExactly(
              "schema.properties[x].$ref: Forbidden: $ref is not supported",
              "schema.properties[x].additionalProperties: Forbidden: additionalProperties cannot be"
                  + " set to false");
      assertThat(property("{type: array, uniqueItems: true}"))
          .containsExactly(
              "schema.properties[x].uniqueItems: Forbidden: uniqueItems cannot be set to true since"
                  + " the runtime complexity becomes quadratic",
              "schema.properties[x].items: Required value: must be specified");
      assertThat(
              property(
                  "{type: object, properties: {a: {type: string}}, additionalProperties: true}"))
          .containsExactly(
              "schema.properties[x].additionalProperties: Forbidden: additionalProperties and"
                  + " properties are mutual exclusive");
    }

    /** The Java client writes them for whatever its user leaves out. */
    @Test
    void emptyMapsSayNothing() {
      assertThat(
              property("{type: object, definitions: {}, dependencies: {}, patternProperties: {}}"))
          .isEmpty();
    }

    @Test
    void patternsAreOfRe2() {
      assertThat(property("{type: string, pattern: '(?=a)'}"))
          .singleElement()
          .asString()
          .startsWith(
              "schema.properties[x].pattern: Invalid value: \"(?=a)\": must be a valid regular"
                  + " expression, but isn't: ");
    }
  }

  @Nested
  class Combinations {
    @Test
    void restrictOnly() {
      assertThat(
              property(
                  """
                  {type: object, properties: {a: {type: string}}, anyOf: [{type: object, description: d,
                   default: 1, nullable: true, properties: {a: {type: string}}}]}
                  """))
          .containsExactly(
              "schema.properties[x].anyOf[0].description: Forbidden: must be empty to be structural",
              "schema.properties[x].anyOf[0].type: Forbidden: must be empty to be structural",
              "schema.properties[x].anyOf[0].default: Forbidden: must be undefined to be structural",
              "schema.properties[x].anyOf[0].nullable: Forbidden: must be false to be structural",
              "schema.properties[x].anyOf[0].properties[a].type: Forbidden: must be empty to be"
                  + " structural");
    }

    @Test
    void nameFieldsThatAreDefinedOutside() {
      assertThat(property("{type: object, not: {properties: {b: {minimum: 1}}}}"))
          .containsExactly(
              "schema.properties[x].properties[b]: Required value: because it is defined in"
                  + " schema.properties[x].not.properties[b]");
    }
  }

  @Nested
  class Lists {
    @Test
    void areMapsByScalarsThatAreAlwaysThere() {
      assertThat(
              property(
                  """
                  {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [a, b, c, c],
                   items: {type: object, properties: {a: {type: string}, c: {type: object, default: {}}}}}
                  """))
          .containsExactly(
              "schema.properties[x].items.properties[a].default: Required value: this property is in"
                  + " x-kubernetes-list-map-keys, so it must have a default or be a required"
                  + " property",
              "schema.properties[x].x-kubernetes-list-map-keys[1]: Invalid value: \"b\": entries"
                  + " must all be names of item properties",
              "schema.properties[x].items.properties[c].type: Invalid value: \"object\": must be a"
                  + " scalar type if parent array's x-kubernetes-list-type is map",
              "schema.properties[x].x-kubernetes-list-map-keys[3]: Duplicate value: \"c\"",
              "schema.properties[x].items.properties[c].type: Invalid value: \"object\": must be a"
                  + " scalar type if parent array's x-kubernetes-list-type is map");
    }

    @Test
    void areSetsOfAtomicItems() {
      assertThat(property("{type: array, x-kubernetes-list-type: set, items: {type: object}}"))
          .containsExactly(
              "schema.properties[x].items.x-kubernetes-map-type: Invalid value: \"null\": must be"
                  + " atomic as item of a list with x-kubernetes-list-type=set");
    }

    @Test
    void ofAKnownType() {
      assertThat(property("{type: string, x-kubernetes-list-type: bag}"))
          .containsExactly(
              "schema.properties[x].type: Invalid value: \"string\": must be array if"
                  + " x-kubernetes-list-type is specified",
              "schema.properties[x].x-kubernetes-list-type: Unsupported value: \"bag\": supported"
                  + " values: \"atomic\", \"map\", \"set\"");
    }
  }

  @Nested
  class Extensions {
    @Test
    void belongToObjects() {
      assertThat(property("{type: string, x-kubernetes-preserve-unknown-fields: true}")).hasSize(1);
      assertThat(property("{type: object, x-kubernetes-preserve-unknown-fields: false}"))
          .containsExactly(
              "schema.properties[x].x-kubernetes-preserve-unknown-fields: Invalid value: false: must"
                  + " be true or undefined");
      assertThat(property("{type: object, x-kubernetes-embedded-resource: true}"))
          .containsExactly(
              "schema.properties[x].properties: Required value: must not be empty if"
                  + " x-kubernetes-embedded-resource is true without"
                  + " x-kubernetes-preserve-unknown-fields");
      assertThat(property("{type: string, x-kubernetes-int-or-string: true}"))
          .containsExactly(
              "schema.properties[x].type: Forbidden: must be empty if x-kubernetes-int-or-string is"
                  + " true");
    }
  }

  @Nested
  class Metadata {
    @Test
    void restrictsNamesOnly() {
      assertThat(faults("{type: object, properties: {metadata: {type: object, description: d}}}"))
          .containsExactly(
              "schema.properties[metadata]: Forbidden: must not specify anything other than name and"
                  + " generateName, but metadata is implicitly specified");
      assertThat(faults("{type: object, properties: {kind: {type: integer}}}"))
          .containsExactly(
              "schema.properties[kind].type: Invalid value: \"integer\": must be string");
    }
  }

  @Nested
  class Defaults {
    @Test
    void areValidAndPruned() {
      assertThat(property("{type: integer, maximum: 1, default: 2}"))
          .containsExactly(
              "schema.properties[x].default: Invalid value: 2: in body should be less than or"
                  + " equal to 1");
      assertThat(property("{type: object, properties: {}, default: {a: 1}}"))
          .containsExactly(
              "schema.properties[x].default: Invalid value: {\"a\":1}: must not have unknown"
                  + " fields");
      assertThat(
              property(
                  "{type: object, properties: {a: {type: string}}, default: {a: 1}, required: [a]}"))
          .containsExactly(
              "schema.properties[x].default.a: Invalid value: \"integer\": a in body must be of type"
                  + " string: \"integer\"");
    }

    @Test
    void keepRulesInCel() {
      String positive = "x-kubernetes-validations: [{rule: self > 0}]";
      assertThat(property("{type: integer, default: 0, " + positive + "}"))
          .containsExactly("schema.properties[x].default: Invalid value: 0: failed rule: self > 0");
      assertThat(property("{type: integer, default: 1, " + positive + "}")).isEmpty();
      assertThat(
              property(
                  "{type: object, properties: {a: {type: integer, %s}}, default: {a: 0}}"
                      .formatted(positive)))
          .containsExactly(
              "schema.properties[x].default.a: Invalid value: 0: failed rule: self > 0");
      assertThat(
              property(
                  "{type: integer, default: 1, x-kubernetes-validations: [{rule: self > oldSelf}]}"))
          .as("a default that would never be left as it is")
          .containsExactly(
              "schema.properties[x].default: Invalid value: 1: failed rule: self > oldSelf");
    }

    @Test
    void mayBreakRulesIfTheyDidSoBefore() {
      FieldErrors found = new FieldErrors();
      ObjectNode schema =
          tree(
              """
              type: object
              properties:
                x: {type: integer, default: 0, x-kubernetes-validations: [{rule: self > 0}]}
                pod:
                  type: object
                  x-kubernetes-embedded-resource: true
                  properties: {x: {type: string}}
                  default: {x: a}
              """);
      StructuralSchema.compile(schema, "schema", CostLimits.UNCHANGED, found);
      assertThat(messages(found.list())).isEmpty();
    }

    @Test
    void areSoundEmbeddedObjects() {
      assertThat(
              property(
                  """
                  {type: object, x-kubernetes-embedded-resource: true,
                   properties: {x: {type: string}}, default: {kind: Pod, metadata: {name: a/b}}}\
                  """))
          .containsExactlyInAnyOrder(
              "schema.properties[x].default.apiVersion: Required value: must not be empty",
              "schema.properties[x].default.metadata.name: Invalid value: \"a/b\": must not be \".\" or"
                  + " \"..\", and must not contain '/' or '%'");
    }

    @Test
    void areForTheMetadataOfEmbeddedObjects() {
      assertThat(
              faults(
                  """
                  type: object
                  properties:
                    pod:
                      type: object
                      x-kubernetes-embedded-resource: true
                      properties:
                        metadata: {type: object, properties: {name: {type: string, default: a}}}
                    all:
                      type: object
                      x-kubernetes-embedded-resource: true
                      properties: {x: {type: string}}
                      default: {apiVersion: v1, kind: Pod, metadata: {name: a, odd: b}}
                  """))
          .isEmpty();
    }

    @Test
    void areNotForMetadata() {
      assertThat(
              faults(
                  "{type: object, properties: {metadata: {type: object, properties: {name: {type:"
                      + " string, default: a}}}}}"))
          .containsExactly(
              "schema.properties[metadata].properties[name].default: Forbidden: must not be set");
    }
  }

  @Nested
  class Rules {
    @Test
    void haveTextsOfOneLine() {
      assertThat(
              property(
                  """
                  {type: object, properties: {a: {type: string}}, x-kubernetes-validations: [{rule: ''},
                   {rule: 'true', message: ' ', reason: Other, fieldPath: .b},
                   {rule: 'true', fieldPath: .a}]}
                  """))
          .containsExactly(
              "schema.properties[x].x-kubernetes-validations[0].rule: Required value: rule is not"
                  + " specified",
              "schema.properties[x].x-kubernetes-validations[1].message: Invalid value: \" \":"
                  + " must be non-empty if specified",
              "schema.properties[x].x-kubernetes-validations[1].reason: Unsupported value: \"Other\":"
                  + " supported values: \"FieldValueDuplicate\", \"FieldValueForbidden\","
                  + " \"FieldValueInvalid\", \"FieldValueRequired\"",
              "schema.properties[x].x-kubernetes-validations[1].fieldPath: Invalid value: \".b\":"
                  + " must be a valid path");
    }
  }

  private static List<String> property(String schema) {
    return faults("{type: object, properties: {x: " + schema + "}}");
  }

  private static List<String> faults(String schema) {
    FieldErrors faults = new FieldErrors();
    boolean sound =
        StructuralSchema.compile(tree(schema), "schema", CostLimits.STANDARD, faults) != null;
    assertThat(sound).isEqualTo(faults.isEmpty());
    return messages(faults.list());
  }
}
