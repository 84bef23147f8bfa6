package dev.stint.model.kept;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

/** The smaller kinds that are kept. */
class KeptRulesTest {
  private static final String CLAIM =
      "{'spec':{'accessModes':['ReadWriteOnce'],'resources':{'requests':{'storage':'%s'}}}}";
  private static final String TEMPLATE =
      "'template':{'metadata':{'labels':{'a':'b'}},'spec':{'containers':[{'name':'c','image':'i',"
          + "'imagePullPolicy':'Always','terminationMessagePolicy':'File'}]}}";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'minAvailable':1 |",
        "'maxUnavailable':'50%' |",
        "'minAvailable':1,'maxUnavailable':1 | spec INVALID",
        "'minAvailable':-1 | spec.minAvailable INVALID",
        "'minAvailable':'101%' | spec.minAvailable INVALID",
        "'minAvailable':'half' | spec.minAvailable INVALID",
      })
  void disruptionBudgets(String spec, @Nullable String expected) {
    assertThat(KeptTexts.faults(new DisruptionBudgetRules(), "{'spec':{%s}}".formatted(spec)))
        .isEqualTo(KeptTexts.listed(expected));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'handler':'h' |",
        "'handler':'' | handler INVALID",
        "'handler':'H' | handler INVALID",
        "'handler':'h','overhead':{'podFixed':{'cpu':'-1'}} | overhead.limits[cpu] INVALID",
        "'handler':'h','scheduling':{'tolerations':[{'key':'a','effect':'Never'}]}"
            + " | scheduling.tolerations[0].effect NOT_SUPPORTED",
        "'handler':'h','scheduling':{'tolerations':[{'key':'a'},{'key':'a'}]}"
            + " | scheduling.tolerations[1] DUPLICATE",
      })
  void runtimeClasses(String fields, @Nullable String expected) {
    assertThat(KeptTexts.faults(new RuntimeClassRules(), "{%s}".formatted(fields)))
        .isEqualTo(KeptTexts.listed(expected));
  }

  @Test
  void aHandlerStays() {
    assertThat(
            KeptTexts.faultsOfChange(new RuntimeClassRules(), "{'handler':'a'}", "{'handler':'b'}"))
        .containsExactly("handler INVALID");
  }

  @Test
  void aClaimHasDefaultsAndIsPending() {
    ObjectNode claim =
        KeptTexts.completed(new PersistentVolumeClaimRules(), CLAIM.formatted("1Gi"));
    assertThat(claim.at("/spec/volumeMode").asString("")).isEqualTo("Filesystem");
    assertThat(claim.at("/status/phase").asString("")).isEqualTo("Pending");
  }

  @Test
  void aClaimThatIsNotBoundStays() {
    KeptRules rules = new PersistentVolumeClaimRules();
    assertThat(KeptTexts.faults(rules, "{'spec':{}}"))
        .containsExactlyInAnyOrder("spec.accessModes REQUIRED", "spec.resources[storage] REQUIRED");
    assertThat(KeptTexts.faultsOfChange(rules, CLAIM.formatted("1Gi"), CLAIM.formatted("2Gi")))
        .containsExactly("spec FORBIDDEN");
    String named = CLAIM.formatted("1Gi").replace("{'spec':{", "{'spec':{'volumeName':'v',");
    assertThat(KeptTexts.faultsOfChange(rules, CLAIM.formatted("1Gi"), named)).isEmpty();
    assertThat(KeptTexts.faultsOfChange(rules, named, named.replace("'v'", "'w'")))
        .containsExactly("spec FORBIDDEN");
  }

  @Test
  void aBudgetHasAnyNameAndCounts() {
    KeptRules rules = new DisruptionBudgetRules();
    assertThat(rules.name("A_b")).isNull();
    assertThat(rules.name("a/b")).isNotNull();
    assertThat(KeptTexts.faultsOfStatus(rules, "{'status':{'expectedPods':-1}}"))
        .containsExactly("status.expectedPods INVALID");
  }

  @Test
  void portsOfEndpointsHaveDefaults() {
    assertThat(
            KeptTexts.completed(DefaultRules.ENDPOINTS, "{'subsets':[{'ports':[{'port':80}]}]}")
                .at("/subsets/0/ports/0/protocol")
                .asString(""))
        .isEqualTo("TCP");
    assertThat(
            KeptTexts.completed(DefaultRules.ENDPOINT_SLICES, "{'ports':[{'port':80}]}")
                .at("/ports/0")
                .toString())
        .isEqualTo("{\"port\":80,\"protocol\":\"TCP\",\"name\":\"\"}");
  }

  @Test
  void aReplicationControllerSelectsByItsTemplate() {
    ObjectNode controller =
        KeptTexts.completed(
            WorkloadRules.REPLICATION_CONTROLLERS, "{'spec':{%s}}".formatted(TEMPLATE));
    assertThat(controller.at("/spec/selector").toString()).isEqualTo("{\"a\":\"b\"}");
    assertThat(controller.at("/metadata/labels").toString()).isEqualTo("{\"a\":\"b\"}");
  }

  @Test
  void claimsOfAStatefulSetHaveDefaults() {
    ObjectNode set =
        KeptTexts.completed(
            WorkloadRules.STATEFUL_SETS,
            "{'spec':{'volumeClaimTemplates':[{'spec':{}}],%s}}".formatted(TEMPLATE));
    assertThat(set.at("/spec/volumeClaimTemplates/0").toString())
        .isEqualTo(
            "{\"spec\":{\"volumeMode\":\"Filesystem\"},\"apiVersion\":\"v1\","
                + "\"kind\":\"PersistentVolumeClaim\",\"status\":{\"phase\":\"Pending\"}}");
  }

  @Test
  void aDeploymentHasDefaults() {
    ObjectNode deployment =
        KeptTexts.completed(
            WorkloadRules.DEPLOYMENTS,
            "{'spec':{'selector':{'matchLabels':{'a':'b'}},%s}}".formatted(TEMPLATE));
    assertThat(deployment.at("/spec/replicas").asInt(0)).isEqualTo(1);
    assertThat(deployment.at("/spec/strategy").toString())
        .isEqualTo(
            "{\"type\":\"RollingUpdate\",\"rollingUpdate\":"
                + "{\"maxUnavailable\":\"25%\",\"maxSurge\":\"25%\"}}");
    assertThat(deployment.at("/spec/template/spec/restartPolicy").asString("")).isEqualTo("Always");
  }

  @Test
  void aSelectorMatchesItsTemplateAndStays() {
    String spec = "{'spec':{'selector':{'matchLabels':{'a':'%s'}}," + TEMPLATE + "}}";
    assertThat(KeptTexts.faults(WorkloadRules.DEPLOYMENTS, spec.formatted("b"))).isEmpty();
    assertThat(KeptTexts.faults(WorkloadRules.DEPLOYMENTS, spec.formatted("c")))
        .containsExactly("spec.template.metadata.labels INVALID");
    assertThat(
            KeptTexts.faultsOfChange(
                WorkloadRules.DEPLOYMENTS, spec.formatted("c"), spec.formatted("b")))
        .containsExactly("spec.selector INVALID");
  }

  @Test
  void aPodTemplateIsChecked() {
    assertThat(KeptTexts.faults(new PodTemplateRules(), "{" + TEMPLATE + "}")).isEmpty();
    assertThat(KeptTexts.faults(new PodTemplateRules(), "{}"))
        .containsExactly("template.spec.containers REQUIRED");
  }
}
