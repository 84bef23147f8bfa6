package dev.stint.model.limit;

import static dev.stint.model.limit.LimitTexts.json;
import static dev.stint.model.limit.LimitTexts.range;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pods keep within the limits of their namespace. */
class LimitConstraintsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'min':{'cpu':'200m'} | 'requests':{'cpu':'200m'} |",
        "'min':{'cpu':'200m'} | 'requests':{'cpu':'100m'}"
            + " | minimum cpu usage per Container is 200m, but request is 100m",
        "'min':{'cpu':'200m'} | | minimum cpu usage per Container is 200m.  No request is specified",
        "'min':{'cpu':'200m'} | 'requests':{'cpu':'1'},'limits':{'cpu':'100m'}"
            + " | minimum cpu usage per Container is 200m, but limit is 100m",
        "'max':{'cpu':'800m'} | 'limits':{'cpu':'800m'} |",
        "'max':{'cpu':'800m'} | 'limits':{'cpu':'1500m'}"
            + " | maximum cpu usage per Container is 800m, but limit is 1500m",
        "'max':{'memory':'500Mi'} |"
            + " | maximum memory usage per Container is 500Mi.  No limit is specified",
        "'max':{'cpu':'1'} | 'limits':{'cpu':'1'},'requests':{'cpu':'2'}"
            + " | maximum cpu usage per Container is 1, but request is 2",
        "'max':{'cpu':'1','memory':'1Gi'} | 'limits':{'cpu':'2','memory':'2Gi'}"
            + " | [maximum cpu usage per Container is 1, but limit is 2, maximum memory usage per"
            + " Container is 1Gi, but limit is 2Gi]",
        "'maxLimitRequestRatio':{'cpu':'2'} | 'requests':{'cpu':'1'},'limits':{'cpu':'2'} |",
        "'maxLimitRequestRatio':{'cpu':'2'} | 'requests':{'cpu':'200m'},'limits':{'cpu':'1'}"
            + " | cpu max limit to request ratio per Container is 2, but provided ratio is 5.000000",
        "'maxLimitRequestRatio':{'cpu':'2'} | 'limits':{'cpu':'1'} | cpu max limit to request ratio"
            + " per Container is 2, but no request is specified or request is 0",
        "'maxLimitRequestRatio':{'cpu':'2'} | 'requests':{'cpu':'1'} | cpu max limit to request"
            + " ratio per Container is 2, but no limit is specified or limit is 0",
      })
  void containers(String item, @Nullable String resources, @Nullable String expected) {
    String spec =
        "{'containers':[{'name':'a','resources':{" + (resources == null ? "" : resources) + "}}]}";
    assertThat(refusal("{'type':'Container'," + item + "}", spec))
        .isEqualTo(expected == null ? "" : expected);
  }

  @Test
  void initContainersAreContainers() {
    assertThat(
            refusal(
                "{'type':'Container','min':{'cpu':'1'}}",
                "{'containers':[],'initContainers':[{'name':'i'}]}"))
        .isEqualTo("minimum cpu usage per Container is 1.  No request is specified");
  }

  @Test
  void aPodIsTheSumOfItsContainers() {
    String container = "{'name':'a','resources':{'limits':{'cpu':'1'},'requests':{'cpu':'1'}}}";
    assertThat(
            refusal(
                "{'type':'Pod','max':{'cpu':'1500m'}}",
                "{'containers':[%s,%s]}".formatted(container, container)))
        .isEqualTo("maximum cpu usage per Pod is 1500m, but limit is 2");
  }

  @Test
  void thePodsOwnAmountsTakeThePlaceOfItsContainers() {
    assertThat(
            refusal(
                "{'type':'Pod','max':{'cpu':'1'}}",
                "{'resources':{'limits':{'cpu':'2'}},'containers':[{'name':'a'}]}"))
        .isEqualTo("maximum cpu usage per Pod is 1, but limit is 2");
  }

  @Test
  void anythingElseIsNotInAPod() {
    assertThat(
            refusal(
                "{'type':'PersistentVolumeClaim','min':{'storage':'1Gi'}}",
                "{'containers':[{'name':'a'}]}"))
        .isEmpty();
  }

  private static String refusal(String item, String spec) {
    return LimitConstraints.refusal(json(spec), List.of(range(item)));
  }
}
