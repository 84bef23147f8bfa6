package dev.stint.model.limit;

import static dev.stint.model.limit.LimitTexts.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Limit ranges that contradict themselves are refused. */
class LimitRangeRulesTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'type':'Container','max':{'cpu':'1','example.com/gpu':'2','hugepages-2Mi':'2Mi'}} |",
        "{'type':'example.com/thing','max':{'things':'1'}} |",
        "{'type':'PersistentVolumeClaim','min':{'storage':'1Gi'}} |",
        "{'type':'PersistentVolumeClaim'} | limits[0].limits REQUIRED",
        "{'type':''} | limits[0].type INVALID",
        "{'type':'Thing'} | limits[0].type INVALID",
        "{'type':'Pod'},{'type':'Pod'} | limits[1].type DUPLICATE",
        "{'type':'Pod','default':{'cpu':'1'},'defaultRequest':{'cpu':'1'}}"
            + " | limits[0].default FORBIDDEN, limits[0].defaultRequest FORBIDDEN",
        "{'type':'Container','max':{'thing':'1'}} | limits[0].max[thing] INVALID",
        "{'type':'Container','maxLimitRequestRatio':{'a b':'1'}}"
            + " | limits[0].maxLimitRequestRatio[a b] INVALID",
        "{'type':'Container','min':{'cpu':'2'},'max':{'cpu':'1'}} | limits[0].min[cpu] INVALID",
        "{'type':'Container','min':{'cpu':'2'},'defaultRequest':{'cpu':'1'}}"
            + " | limits[0].defaultRequest[cpu] INVALID",
        "{'type':'Container','defaultRequest':{'cpu':'2'},'max':{'cpu':'1'}}"
            + " | limits[0].defaultRequest[cpu] INVALID",
        "{'type':'Container','defaultRequest':{'cpu':'2'},'default':{'cpu':'1'}}"
            + " | limits[0].defaultRequest[cpu] INVALID",
        "{'type':'Container','min':{'cpu':'2'},'default':{'cpu':'1'}}"
            + " | limits[0].default[cpu] INVALID",
        "{'type':'Container','default':{'cpu':'2'},'max':{'cpu':'1'}}"
            + " | limits[0].default[cpu] INVALID",
        "{'type':'Container','maxLimitRequestRatio':{'cpu':'900m'}}"
            + " | limits[0].maxLimitRequestRatio[cpu] INVALID",
        "{'type':'Container','min':{'cpu':'1'},'max':{'cpu':'2'},'maxLimitRequestRatio':{'cpu':'3'}}"
            + " | limits[0].maxLimitRequestRatio[cpu] INVALID",
        "{'type':'Container','min':{'cpu':'1'},'max':{'cpu':'3'},'maxLimitRequestRatio':{'cpu':'3'}}"
            + " |",
        "{'type':'Container','default':{'a/b':'2'},'defaultRequest':{'a/b':'1'}}"
            + " | limits[0].default[a/b] INVALID",
      })
  void limits(String limits, @Nullable String expected) {
    FieldErrors faults = new FieldErrors();
    LimitRangeRules.check(FieldPath.root(json("{'limits':[" + limits + "]}")), faults);
    assertThat(LimitTexts.words(faults)).isEqualTo(expected == null ? "" : expected);
  }
}
