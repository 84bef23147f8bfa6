package dev.stint.model.kept;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IngressRulesTest {
  private static final String BACKEND = "'backend':{'service':{'name':'s','port':{'number':80}}}";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'ingressClassName':'a' | spec INVALID",
        "'defaultBackend':{'service':{'name':'s','port':{'name':'http'}}} |",
        "'defaultBackend':{} | spec.defaultBackend REQUIRED",
        "'ingressClassName':'','rules':[{'host':'a'}] | spec.ingressClassName INVALID",
        "'defaultBackend':{'resource':{'apiGroup':'A','kind':'K','name':'a/b'}}"
            + " | spec.defaultBackend.resource.apiGroup INVALID,"
            + " spec.defaultBackend.resource.name INVALID",
        "'defaultBackend':{'service':{'name':'s'}} | spec.defaultBackend REQUIRED",
        "'defaultBackend':{'service':{'port':{'number':80}}}"
            + " | spec.defaultBackend.service.name REQUIRED",
        "'defaultBackend':{'service':{'name':'s','port':{'number':70000}}}"
            + " | spec.defaultBackend.service.port.number INVALID",
        "'defaultBackend':{'service':{'name':'s','port':{'number':80,'name':'a'}}}"
            + " | spec.defaultBackend INVALID",
        "'defaultBackend':{'service':{'name':'s','port':{'number':80}},'resource':{'kind':'K'}}"
            + " | spec.defaultBackend INVALID",
        "'rules':[{'host':'*.example.com'}] |",
        "'rules':[{'host':'10.0.0.1'}] | spec.rules[0].host INVALID",
        "'rules':[{'host':'a_b'}] | spec.rules[0].host INVALID",
        "'rules':[{'http':{'paths':[{'path':'/a','pathType':'Prefix',BACKEND}]}}] |",
        "'rules':[{'http':{'paths':[{'path':'/a',BACKEND}]}}]"
            + " | spec.rules[0].http.paths[0].pathType REQUIRED",
        "'rules':[{'http':{'paths':[{'path':'a','pathType':'Exact',BACKEND}]}}]"
            + " | spec.rules[0].http.paths[0].path INVALID",
        "'rules':[{'http':{'paths':[{'path':'/a//b','pathType':'Prefix',BACKEND}]}}]"
            + " | spec.rules[0].http.paths[0].path INVALID",
        "'rules':[{'http':{'paths':[{'pathType':'ImplementationSpecific',BACKEND}]}}] |",
        "'rules':[{'host':'a'}],'tls':[{'hosts':['a b']}] | spec.tls[0].hosts[0] INVALID",
      })
  void aNewIngress(String spec, @Nullable String expected) {
    String text = "{'spec':{%s}}".formatted(spec.replace("BACKEND", BACKEND));
    assertThat(KeptTexts.faults(new IngressRules(), text)).isEqualTo(KeptTexts.listed(expected));
  }

  @Test
  void theOldAnnotationNamesTheSameClass() {
    String text =
        "{'metadata':{'annotations':{'kubernetes.io/ingress.class':'%s'}},"
            + "'spec':{'ingressClassName':'a','rules':[{'host':'h'}]}}";
    assertThat(KeptTexts.faults(new IngressRules(), text.formatted("a"))).isEmpty();
    assertThat(KeptTexts.faults(new IngressRules(), text.formatted("b")))
        .containsExactly("annotations.kubernetes.io/ingress.class INVALID");
  }

  @Test
  void aStatusHasAddresses() {
    String text = "{'status':{'loadBalancer':{'ingress':[{'ip':'%s'}]}}}";
    assertThat(KeptTexts.faultsOfStatus(new IngressRules(), text.formatted("10.0.0.1"))).isEmpty();
    assertThat(KeptTexts.faultsOfStatus(new IngressRules(), text.formatted("ten")))
        .containsExactly("status.loadBalancer.ingress[0].ip INVALID");
  }
}
