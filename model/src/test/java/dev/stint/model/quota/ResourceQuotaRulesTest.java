package dev.stint.model.quota;

import static dev.stint.model.quota.QuotaTexts.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Quotas that cannot mean anything are refused. */
class ResourceQuotaRulesTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'hard':{'pods':'1','cpu':'500m','requests.memory':'1Gi','limits.ephemeral-storage':'1Gi'} |",
        "'hard':{'count/jobs.batch':'1','requests.example.com/gpu':'1','hugepages-2Mi':'2Mi'} |",
        "'hard':{'requests.hugepages-2Mi':'2Mi','services.nodeports':'0','requests.storage':'1'} |",
        "'hard':{'things':'1'} | hard[things] INVALID",
        "'hard':{'a b':'1'} | hard[a b] INVALID",
        "'hard':{'limits.storage':'1'} | hard[limits.storage] INVALID",
        "'hard':{'cpu':'-1'} | hard[cpu] INVALID",
        "'hard':{'pods':'1500m'} | hard[pods] INVALID",
        "'hard':{'cpu':'1500m'} |",
        "'scopes':['Thing'] | scopes INVALID",
        "'scopes':['BestEffort'],'hard':{'pods':'1','count/jobs.batch':'1'} |",
        "'scopes':['BestEffort'],'hard':{'cpu':'1'} | scopes INVALID",
        "'scopes':['Terminating'],'hard':{'cpu':'1','limits.memory':'1'} |",
        "'scopes':['Terminating'],'hard':{'secrets':'1'} | scopes INVALID",
        "'scopes':['VolumeAttributesClass'],'hard':{'requests.storage':'1'} |",
        "'scopes':['Terminating','NotTerminating'] | scopes INVALID",
        "'scopes':['BestEffort','NotBestEffort','Terminating'] | scopes INVALID",
        "'scopeSelector':{'matchExpressions':[{'scopeName':'PriorityClass','operator':'In','values':['a']}]}"
            + " |",
        "'scopeSelector':{'matchExpressions':[{'scopeName':'PriorityClass','operator':'In'}]}"
            + " | scopeSelector.matchExpressions.values REQUIRED",
        "'scopeSelector':{'matchExpressions':[{'scopeName':'PriorityClass','operator':'Exists','values':['a']}]}"
            + " | scopeSelector.matchExpressions.values INVALID",
        "'scopeSelector':{'matchExpressions':[{'scopeName':'Thing','operator':'Exists'}]}"
            + " | scopeSelector.matchExpressions.scopeName INVALID",
        "'scopeSelector':{'matchExpressions':[{'scopeName':'Terminating','operator':'DoesNotExist'}]}"
            + " | scopeSelector.matchExpressions.operator INVALID",
        "'scopeSelector':{'matchExpressions':[{'scopeName':'PriorityClass','operator':'Has'}]}"
            + " | scopeSelector.matchExpressions.operator INVALID",
        "'scopeSelector':{'matchExpressions':[{'scopeName':'BestEffort','operator':'Exists'},"
            + "{'scopeName':'NotBestEffort','operator':'Exists'}]}"
            + " | scopeSelector.matchExpressions INVALID",
        "'scopeSelector':{'matchExpressions':[{'scopeName':'PriorityClass','operator':'Exists'}]},"
            + "'hard':{'secrets':'1'} | scopeSelector.matchExpressions INVALID",
      })
  void specifications(String spec, @Nullable String expected) {
    FieldErrors faults = new FieldErrors();
    ResourceQuotaRules.check(FieldPath.root(json("{" + spec + "}")), faults);
    assertThat(words(faults)).isEqualTo(expected == null ? "" : expected);
  }

  @Test
  void scopesStayAsTheyAre() {
    FieldErrors faults = new FieldErrors();
    FieldPath before = FieldPath.root(json("{'scopes':['BestEffort','Terminating']}"));
    ResourceQuotaRules.update(
        before, FieldPath.root(json("{'scopes':['Terminating','BestEffort']}")), faults);
    assertThat(faults.isEmpty()).isTrue();
    ResourceQuotaRules.update(before, FieldPath.root(json("{}")), faults);
    assertThat(words(faults)).isEqualTo("scopes INVALID");
  }

  @Test
  void aStatusHasAmounts() {
    FieldErrors faults = new FieldErrors();
    ResourceQuotaRules.status(
        FieldPath.root(json("{'hard':{'thing':'1'},'used':{'pods':'-1'}}")), faults);
    assertThat(words(faults)).isEqualTo("hard[thing] INVALID, used[pods] INVALID");
  }

  private static String words(FieldErrors faults) {
    return faults.list().stream()
        .map(fault -> fault.path() + " " + fault.type())
        .sorted()
        .collect(Collectors.joining(", "));
  }
}
