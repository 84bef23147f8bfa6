package dev.stint.model.kept;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

/** Services have the defaults and rules of Kubernetes; addresses follow from their uid. */
class ServiceRulesTest {
  private final KeptRules rules = new ServiceRules();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'ports':[{'port':80}] |",
        "'clusterIP':'None' |",
        "'clusterIP':'None','selector':{'a':'b'} |",
        "'selector':{'a':'b'} | spec.ports REQUIRED",
        "'type':'ExternalName','externalName':'example.com.' |",
        "'type':'ExternalName' | spec.externalName REQUIRED",
        "'type':'ExternalName','externalName':'a.b','clusterIP':'10.0.0.1'"
            + " | spec.clusterIPs FORBIDDEN",
        "'type':'ExternalName','externalName':'a.b','ipFamilyPolicy':'SingleStack'"
            + " | spec.ipFamilyPolicy FORBIDDEN",
        "'ports':[{'port':80}],'clusterIPs':['10.0.0.1'] | spec.clusterIPs INVALID",
        "'ports':[{'port':80}],'clusterIP':'None','clusterIPs':['None','10.0.0.1']"
            + " | spec.clusterIPs INVALID",
        "'ports':[{'port':80}],'clusterIP':'10.0.0.1','clusterIPs':['10.0.0.1','10.0.0.2']"
            + " | spec.clusterIPs INVALID, spec.ipFamilyPolicy INVALID",
        "'ports':[{'port':80}],'ipFamilyPolicy':'PreferDualStack' |",
        "'ports':[{'port':80}],'ipFamilyPolicy':'RequireDualStack'"
            + " | spec.ipFamilyPolicy INVALID",
        "'ports':[{'port':80}],'ipFamilies':['IPv6'] | spec.ipFamilies[0] INVALID",
        "'ports':[{'port':80}],'ipFamilies':['IPv4','IPv4']"
            + " | spec.ipFamilies[1] DUPLICATE, spec.ipFamilyPolicy INVALID",
        "'type':'NodePort','ports':[{'port':80,'nodePort':80}]"
            + " | spec.ports[0].nodePort INVALID",
        "'type':'LoadBalancer','ports':[{'port':80}],'loadBalancerSourceRanges':['10.0.0.0/8'] |",
        "'type':'LoadBalancer','ports':[{'port':80}],'loadBalancerSourceRanges':['10.0.0.0/33']"
            + " | spec.loadBalancerSourceRanges[0] INVALID",
        "'ports':[{'port':80}],'externalIPs':['0.1.2.3'] |",
        "'ports':[{'port':80}],'externalIPs':['fe80::1'] | spec.externalIPs[0] INVALID",
        "'type':'NodePort','clusterIP':'None','ports':[{'port':80}] | spec.clusterIPs[0] INVALID",
        "'type':'LoadBalancer','ports':[{'port':10250}] | spec.ports[0].port INVALID",
        "'ports':[{'port':80},{'port':81}]"
            + " | spec.ports[0].name REQUIRED, spec.ports[1].name REQUIRED",
        "'ports':[{'name':'a','port':80},{'name':'a','port':80}]"
            + " | spec.ports[1].name DUPLICATE, spec.ports[1] DUPLICATE",
        "'ports':[{'port':0}] | spec.ports[0].port INVALID, spec.ports[0].targetPort INVALID",
        "'ports':[{'port':80,'targetPort':'NOT_A_NAME'}] | spec.ports[0].targetPort INVALID",
        "'ports':[{'port':80,'nodePort':30000}] | spec.ports[0].nodePort FORBIDDEN",
        "'type':'NodePort','ports':[{'name':'a','port':80,'nodePort':30000},"
            + "{'name':'b','port':81,'nodePort':30000}] | spec.ports[1].nodePort DUPLICATE",
        "'ports':[{'port':80}],'selector':{'a b':'c'} | spec.selector INVALID",
        "'ports':[{'port':80}],'clusterIP':'10.0.0.300' | spec.clusterIPs[0] INVALID",
        "'ports':[{'port':80}],'clusterIP':'10.0.0.1','clusterIPs':['10.0.0.2']"
            + " | spec.clusterIPs INVALID",
        "'ports':[{'port':80}],'externalIPs':['127.0.0.1'] | spec.externalIPs[0] INVALID",
        "'ports':[{'port':80}],'externalTrafficPolicy':'Local'"
            + " | spec.externalTrafficPolicy INVALID",
        "'ports':[{'port':80}],'loadBalancerClass':'a/b' | spec.loadBalancerClass FORBIDDEN",
        "'ports':[{'port':80}],'sessionAffinityConfig':{'clientIP':{'timeoutSeconds':1}}"
            + " | spec.sessionAffinityConfig FORBIDDEN",
        "'ports':[{'port':80}],'sessionAffinity':'ClientIP','sessionAffinityConfig':"
            + "{'clientIP':{'timeoutSeconds':86401}}"
            + " | spec.sessionAffinityConfig.clientIP.timeoutSeconds INVALID",
        "'ports':[{'port':80}],'trafficDistribution':'Far' | spec.trafficDistribution NOT_SUPPORTED",
      })
  void aNewService(String spec, @Nullable String expected) {
    assertThat(KeptTexts.faults(rules, "{'spec':{%s}}".formatted(spec)))
        .containsExactlyInAnyOrderElementsOf(KeptTexts.listed(expected));
  }

  @Test
  void anAddressAndItsFamilyAreAllocated() {
    ObjectNode service = KeptTexts.completed(rules, "{'spec':{'ports':[{'port':80}]}}");
    String address = service.at("/spec/clusterIP").asString("");
    assertThat(address).matches("10\\.(9[6-9]|1[01][0-9])\\.[0-9]+\\.[0-9]+");
    assertThat(service.at("/spec/clusterIPs/0").asString("")).isEqualTo(address);
    assertThat(service.at("/spec/ipFamilies").toString()).isEqualTo("[\"IPv4\"]");
    assertThat(service.at("/spec/ipFamilyPolicy").asString("")).isEqualTo("SingleStack");
    assertThat(service.at("/spec/sessionAffinity").asString("")).isEqualTo("None");
    assertThat(service.at("/spec/internalTrafficPolicy").asString("")).isEqualTo("Cluster");
    assertThat(service.at("/spec/ports/0").toString())
        .isEqualTo("{\"port\":80,\"protocol\":\"TCP\",\"targetPort\":80}");
    assertThat(service.at("/status").toString()).isEqualTo("{\"loadBalancer\":{}}");
  }

  @Test
  void aHeadlessServiceHasNoAddress() {
    ObjectNode service =
        KeptTexts.completed(rules, "{'spec':{'clusterIP':'None','selector':{'a':'b'}}}");
    assertThat(service.at("/spec/clusterIPs").toString()).isEqualTo("[\"None\"]");
    assertThat(service.at("/spec/ipFamilies").toString()).isEqualTo("[\"IPv4\"]");
  }

  @Test
  void portsOfNodesDiffer() {
    ObjectNode service =
        KeptTexts.completed(
            rules,
            "{'spec':{'type':'LoadBalancer','ports':[{'name':'a','port':80},{'name':'b','port':81}]}}");
    long first = service.at("/spec/ports/0/nodePort").asLong(0);
    assertThat(first).isBetween(30_000L, 32_767L);
    assertThat(service.at("/spec/ports/1/nodePort").asLong(0)).isNotEqualTo(first);
    assertThat(service.at("/spec/allocateLoadBalancerNodePorts").asBoolean(false)).isTrue();
    assertThat(service.at("/spec/externalTrafficPolicy").asString("")).isEqualTo("Cluster");
  }

  @Test
  void aChangeKeepsTheAddressAndMayNotNameAnother() {
    String service = "{'spec':{'ports':[{'port':80}]}}";
    assertThat(KeptTexts.faultsOfChange(rules, service, "{'spec':{'ports':[{'port':81}]}}"))
        .isEmpty();
    assertThat(
            KeptTexts.faultsOfChange(
                rules,
                service,
                "{'spec':{'ports':[{'port':80}],'clusterIP':'10.1.1.1','clusterIPs':['10.1.1.1']}}"))
        .isEqualTo(List.of("spec.clusterIPs[0] INVALID"));
  }

  @Test
  void anotherAddressAloneIsOneFault() {
    assertThat(
            KeptTexts.faultsOfChange(
                rules,
                "{'spec':{'ports':[{'port':80}]}}",
                "{'spec':{'ports':[{'port':80}],'clusterIP':'10.1.1.1'}}"))
        .containsExactly("spec.clusterIPs[0] INVALID");
  }

  @Test
  void aChangedTypeDropsWhatItDoesNotHave() {
    ObjectNode service =
        KeptTexts.completed(
            rules,
            "{'spec':{'type':'LoadBalancer','ports':[{'port':80}],'externalTrafficPolicy':'Local'}}");
    service
        .withObjectProperty("status")
        .withObjectProperty("loadBalancer")
        .putArray("ingress")
        .add(1);
    long health = service.at("/spec/healthCheckNodePort").asLong(0);
    assertThat(health)
        .isBetween(30_000L, 32_767L)
        .isNotEqualTo(service.at("/spec/ports/0/nodePort").asLong(0));
    ObjectNode inner = retyped(service, "ClusterIP");
    assertThat(inner.at("/spec").propertyNames())
        .doesNotContain(
            "allocateLoadBalancerNodePorts", "externalTrafficPolicy", "healthCheckNodePort");
    assertThat(inner.at("/spec/ports/0").has("nodePort")).isFalse();
    assertThat(inner.at("/status").toString()).isEqualTo("{\"loadBalancer\":{}}");
    assertThat(inner.at("/spec/clusterIP")).isEqualTo(service.at("/spec/clusterIP"));
    assertThat(retyped(inner, "ExternalName").at("/spec").propertyNames())
        .doesNotContain("clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy");
  }

  private ObjectNode retyped(ObjectNode service, String type) {
    ObjectNode changed = service.deepCopy();
    changed.withObjectProperty("spec").put("type", type);
    rules.complete(changed, service);
    return changed;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "LoadBalancer | 'ip':'10.0.0.1' |",
        "LoadBalancer | 'hostname':'a.b' |",
        "ClusterIP | 'ip':'10.0.0.1' | status.loadBalancer.ingress FORBIDDEN",
        "LoadBalancer | 'ip':'10' | status.loadBalancer.ingress[0].ip INVALID",
        "LoadBalancer | 'hostname':'10.0.0.1' | status.loadBalancer.ingress[0].hostname INVALID",
        "LoadBalancer | 'hostname':'a','ipMode':'VIP'"
            + " | status.loadBalancer.ingress[0].ipMode FORBIDDEN",
        "LoadBalancer | 'ip':'10.0.0.1','ipMode':'X'"
            + " | status.loadBalancer.ingress[0].ipMode NOT_SUPPORTED",
      })
  void aStatus(String type, String ingress, @Nullable String expected) {
    String text =
        "{'spec':{'type':'%s'},'status':{'loadBalancer':{'ingress':[{%s}]}}}"
            .formatted(type, ingress);
    assertThat(KeptTexts.faultsOfStatus(rules, text)).isEqualTo(KeptTexts.listed(expected));
  }

  @Test
  void aNameIsALabel() {
    assertThat(rules.name("a.b")).isNotNull();
    assertThat(rules.name("a-b")).isNull();
  }
}
