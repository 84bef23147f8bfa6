package dev.stint.model.quota;

import static dev.stint.model.quota.QuotaTexts.json;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The pods that scopes are about. */
class QuotaScopeTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'scopes':['Terminating'] | {'spec':{'activeDeadlineSeconds':1}} | true",
        "'scopes':['Terminating'] | {'spec':{}} | false",
        "'scopes':['NotTerminating'] | {'spec':{'activeDeadlineSeconds':0}} | false",
        "'scopes':['NotTerminating'] | {'spec':{}} | true",
        "'scopes':['BestEffort'] | {'spec':{},'status':{'qosClass':'BestEffort'}} | true",
        "'scopes':['BestEffort'] | {'spec':{},'status':{'qosClass':'Burstable'}} | false",
        "'scopes':['NotBestEffort'] | {'spec':{},'status':{'qosClass':'Burstable'}} | true",
        "'scopes':['NotBestEffort','Terminating']"
            + " | {'spec':{},'status':{'qosClass':'Burstable'}} | false",
        "'scopes':['PriorityClass'] | {'spec':{'priorityClassName':'high'}} | true",
        "'scopes':['PriorityClass'] | {'spec':{'priorityClassName':''}} | false",
        "'scopes':['Other'] | {'spec':{}} | false",
        "'scopeSelector':{'matchExpressions':[{'scopeName':'PriorityClass','operator':'In','values':['high']}]}"
            + " | {'spec':{'priorityClassName':'high'}} | true",
        "'scopeSelector':{'matchExpressions':[{'scopeName':'PriorityClass','operator':'In','values':['low']}]}"
            + " | {'spec':{'priorityClassName':'high'}} | false",
        "'scopeSelector':{'matchExpressions':[{'scopeName':'PriorityClass','operator':'NotIn','values':['low']}]}"
            + " | {'spec':{}} | true",
        "'scopeSelector':{'matchExpressions':[{'scopeName':'PriorityClass','operator':'DoesNotExist'}]}"
            + " | {'spec':{'priorityClassName':'high'}} | false",
        "'scopes':['CrossNamespacePodAffinity'] | {'spec':{'affinity':{'podAffinity':"
            + "{'requiredDuringSchedulingIgnoredDuringExecution':[{'namespaces':['a']}]}}}} | true",
        "'scopes':['CrossNamespacePodAffinity'] | {'spec':{'affinity':{'podAntiAffinity':"
            + "{'preferredDuringSchedulingIgnoredDuringExecution':[{'podAffinityTerm':"
            + "{'namespaceSelector':{}}}]}}}} | true",
        "'scopes':['CrossNamespacePodAffinity'] | {'spec':{'affinity':{'podAffinity':"
            + "{'requiredDuringSchedulingIgnoredDuringExecution':[{'topologyKey':'a'}]}}}} | false",
      })
  void pods(String spec, String pod, boolean matches) {
    assertThat(
            QuotaScope.of(json("{" + spec + "}")).stream()
                .allMatch(scope -> scope.matches(json(pod))))
        .isEqualTo(matches);
  }
}
