package dev.stint.model.kept;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
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
}
