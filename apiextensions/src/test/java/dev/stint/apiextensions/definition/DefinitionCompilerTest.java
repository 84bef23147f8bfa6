package dev.stint.apiextensions.definition;

import static dev.stint.apiextensions.SchemaFixtures.messages;
import static dev.stint.apiextensions.SchemaFixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiextensions.definition.CompiledDefinition.CustomKind;
import dev.stint.apiextensions.definition.CompiledDefinition.Faulty;
import dev.stint.apiextensions.value.ScalePaths;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class DefinitionCompilerTest {
  private static final String SOUND =
      """
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: {name: crons.example.com}
      spec:
        group: example.com
        scope: Namespaced
        names: {plural: crons, kind: Cron, shortNames: [cr]}
        versions:
        - name: v1
          served: true
          storage: true
          schema:
            openAPIV3Schema:
              type: object
              properties:
                spec: {type: object, properties: {color: {type: string}, size: {type: object}}}
          subresources:
            status: {}
            scale: {specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas}
          additionalPrinterColumns:
          - {name: Color, type: string, jsonPath: .spec.color}
          selectableFields: [{jsonPath: .spec.color}]
      """;

  @Test
  void aSoundDefinitionBecomesAKind() {
    CustomKind kind = (CustomKind) compile(SOUND);
    assertThat(kind.names())
        .isEqualTo(
            new DefinitionNames("crons", "cron", "Cron", "CronList", List.of("cr"), List.of()));
    assertThat(kind.stored().scale())
        .isEqualTo(new ScalePaths(".spec.replicas", ".status.replicas", ""));
    assertThat(kind.stored().hasStatus()).isTrue();
    assertThat(kind.stored().selectableFields()).containsExactly(".spec.color");
    assertThat(kind.stored().columns()).hasSize(1);
  }

  @Test
  void aNameIsThePluralAndTheGroup() {
    assertThat(faults("crons.example.com", "cron.example.com"))
        .containsExactly(
            "metadata.name: Invalid value: \"cron.example.com\": must be"
                + " spec.names.plural+\".\"+spec.group");
  }

  @Test
  void aGroupHasADot() {
    assertThat(faults("example.com", "example"))
        .containsExactly(
            "spec.group: Invalid value: \"example\": should be a domain with at least one dot");
  }

  @Test
  void groupsOfKubernetesNeedAnApproval() {
    assertThat(faults("example.com", "batch.k8s.io"))
        .singleElement()
        .asString()
        .startsWith("metadata.annotations[api-approved.kubernetes.io]: Required value");
  }

  @Test
  void oneVersionIsStored() {
    assertThat(faults("storage: true", "storage: false"))
        .singleElement()
        .asString()
        .startsWith("spec.versions: Invalid value: ")
        .endsWith("must have exactly one version marked as storage version");
  }

  @Test
  void namesAreLabels() {
    assertThat(faults("[cr]", "[Cr]"))
        .singleElement()
        .asString()
        .startsWith("spec.names.shortNames[0]: Invalid value: \"Cr\": a DNS-1035 label must");
    assertThat(faults("kind: Cron,", "kind: Cron, listKind: Cron,"))
        .containsExactly(
            "spec.names.listKind: Invalid value: \"Cron\": kind and listKind may not be the same");
  }

  @Test
  void theScopeIsKnown() {
    assertThat(faults("Namespaced", "World"))
        .containsExactly(
            "spec.scope: Unsupported value: \"World\": supported values: \"Cluster\","
                + " \"Namespaced\"");
  }

  @Test
  void aSchemaIsNeeded() {
    assertThat(faults("openAPIV3Schema:", "other:"))
        .containsExactly(
            "spec.versions[0].schema.openAPIV3Schema: Required value: schemas are required");
  }

  @Test
  void faultsOfOneSchemaAreNamedAsIfItStoodOnce() {
    assertThat(faults("color: {type: string}", "color: {}"))
        .contains(
            "spec.validation.openAPIV3Schema.properties[spec].properties[color].type: Required"
                + " value: must not be empty for specified object fields");
  }

  @Test
  void faultsOfDifferentSchemasNameTheirVersion() {
    String second =
        """
          - name: v2
            served: true
            storage: false
            schema: {openAPIV3Schema: {type: string}}
        """;
    assertThat(messages(((Faulty) compile(SOUND + second)).faults()))
        .containsExactly(
            "spec.versions[1].schema.openAPIV3Schema.type: Invalid value: \"string\": must be object"
                + " at the root");
  }

  @Test
  void scalePathsLeadToReplicas() {
    assertThat(faults(".spec.replicas", "'.status.x[0]'"))
        .containsExactly(
            "spec.subresources.scale.specReplicasPath: Invalid value: \".status.x[0]\": should be a"
                + " json path under .spec",
            "spec.subresources.scale.specReplicasPath: Invalid value: \".status.x[0]\": should be a"
                + " json path without array notation");
  }

  @Test
  void columnsHaveATypeAndAPath() {
    assertThat(
            faults("{name: Color, type: string, jsonPath: .spec.color}", "{name: C, type: text}"))
        .containsExactly(
            "spec.additionalPrinterColumns[0].type: Invalid value: \"text\": must be one of"
                + " boolean,date,integer,number,string",
            "spec.additionalPrinterColumns[0].jsonPath: Required value");
  }

  @Test
  void selectableFieldsAreScalars() {
    assertThat(
            faults("[{jsonPath: .spec.color}]", "[{jsonPath: .spec.size}, {jsonPath: .spec.no}]"))
        .containsExactly(
            "spec.selectableFields[0].jsonPath: Invalid value: \".spec.size\": must point to a field"
                + " of type string, boolean or integer. Enum string fields and strings with formats"
                + " are allowed.",
            "spec.selectableFields[1].jsonPath: Invalid value: \".spec.no\": is an invalid path:"
                + " does not refer to a valid field");
  }

  @Test
  void aWebhookHasAnAddressAndVersions() {
    assertThat(faults("scope:", "conversion: {strategy: Webhook}\n  scope:"))
        .containsExactly(
            "spec.conversion.webhookClientConfig: Required value: required when strategy is set to"
                + " Webhook",
            "spec.conversion.conversionReviewVersions: Required value");
    assertThat(
            faults(
                "scope:",
                "conversion: {strategy: Webhook, webhook: {conversionReviewVersions: [v2],"
                    + " clientConfig: {url: 'http://a'}}}\n  scope:"))
        .containsExactly(
            "spec.conversion.webhookClientConfig.url: Invalid value: \"http://a\": 'https' is the"
                + " only allowed URL scheme; desired format: https://host[/path]",
            "spec.conversion.conversionReviewVersions: Invalid value: [\"v2\"]: must include at"
                + " least one of v1, v1beta1");
  }

  private static List<String> faults(String part, String instead) {
    return messages(((Faulty) compile(SOUND.replace(part, instead))).faults());
  }

  private static CompiledDefinition compile(String yaml) {
    ObjectNode definition = tree(yaml);
    DefinitionDefaults.apply(definition);
    return DefinitionCompiler.compile(definition);
  }

  @Test
  void aRuleThatMayCostTooMuchStaysIfItsSchemaDoes() {
    ObjectNode dear =
        tree(
            SOUND.replace(
                "color: {type: string}",
                "color: {type: string, x-kubernetes-validations: [{rule: self.matches(self)}]}"));
    DefinitionDefaults.apply(dear);
    assertThat(DefinitionCompiler.compile(dear)).isInstanceOf(Faulty.class);
    assertThat(DefinitionCompiler.compileStored(dear)).isInstanceOf(CustomKind.class);
    ObjectNode cheap = dear.deepCopy();
    assertThat(((ObjectNode) cheap.at("/spec/versions/0")).remove("schema")).isNotNull();
    assertThat(DefinitionCompiler.compile(dear, cheap)).isInstanceOf(Faulty.class);
  }

  @Test
  void aRuleThatDoesNotCompileAnyMoreStaysIfItsSchemaDoes() {
    for (String rule : List.of("self.nope == 1", "[1, 'a'].size() == 2", "'a'.matches('x++')")) {
      ObjectNode stored =
          tree(
              SOUND.replace(
                  "color: {type: string}",
                  "color: {type: string, x-kubernetes-validations: [{rule: \"" + rule + "\"}]}"));
      DefinitionDefaults.apply(stored);
      assertThat(DefinitionCompiler.compile(stored)).as(rule).isInstanceOf(Faulty.class);
      assertThat(DefinitionCompiler.compileStored(stored)).as(rule).isInstanceOf(CustomKind.class);
      assertThat(DefinitionCompiler.compile(stored, stored))
          .as(rule)
          .isInstanceOf(CustomKind.class);
    }
  }
}
