package dev.stint.model.quota;

import static dev.stint.model.quota.QuotaTexts.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Kind;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

/** The usage of objects, by the names that quotas have for it. */
class ObjectUsageTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'spec':{'containers':[{'name':'a'}]}} | count/pods=1 pods=1",
        "{'spec':{'containers':[]},'status':{'phase':'Succeeded'}} | count/pods=1",
        "{'spec':{'containers':[]},'status':{'phase':'Failed'}} | count/pods=1",
        "{'spec':{'containers':[{'resources':{'requests':{'cpu':'500m','memory':'1Gi'}}},"
            + "{'resources':{'requests':{'cpu':'500m'},'limits':{'memory':'2Gi'}}}]}}"
            + " | count/pods=1 cpu=1 limits.memory=2Gi memory=1Gi pods=1 requests.cpu=1"
            + " requests.memory=1Gi",
        "{'spec':{'containers':[{'resources':{'requests':{'a.b/gpu':'2','hugepages-2Mi':'4Mi',"
            + "'ephemeral-storage':'1Gi'},'limits':{'a.b/gpu':'2','hugepages-2Mi':'4Mi'}}}]}}"
            + " | count/pods=1 ephemeral-storage=1Gi hugepages-2Mi=4Mi pods=1"
            + " requests.a.b/gpu=2 requests.ephemeral-storage=1Gi requests.hugepages-2Mi=4Mi",
        "{'spec':{'containers':[{'resources':{'requests':{'cpu':'1'}}}],"
            + "'initContainers':[{'resources':{'requests':{'cpu':'3'}}}]}}"
            + " | count/pods=1 cpu=3 pods=1 requests.cpu=3",
        "{'spec':{'overhead':{'cpu':'250m','memory':'64Mi'},"
            + "'containers':[{'resources':{'requests':{'cpu':'100m'},'limits':{'cpu':'1'}}}]}}"
            + " | count/pods=1 cpu=350m limits.cpu=1250m memory=64Mi pods=1 requests.cpu=350m"
            + " requests.memory=64Mi",
        "{'spec':{'overhead':{'cpu':'250m'},'containers':[{'resources':{'limits':{'cpu':'0'}}}]}}"
            + " | count/pods=1 cpu=250m limits.cpu=0 pods=1 requests.cpu=250m",
        "{'spec':{'resources':{'requests':{'cpu':'4'}},"
            + "'containers':[{'resources':{'requests':{'cpu':'1'}}}]}}"
            + " | count/pods=1 cpu=4 pods=1 requests.cpu=4",
      })
  void pods(String pod, String expected) {
    assertThat(usage(Kind.POD, json(pod))).isEqualTo(expected);
  }

  @Test
  void objectsAreCounted() {
    assertThat(usage(Kind.JOB, json("{}"))).isEqualTo("count/jobs.batch=1");
    assertThat(usage(Kind.CONFIG_MAP, json("{}"))).isEqualTo("configmaps=1 count/configmaps=1");
    assertThat(usage(Kind.SERVICE_ACCOUNT, json("{}"))).isEqualTo("count/serviceaccounts=1");
    assertThat(ObjectUsage.of(Kind.JOB, null)).isEmpty();
  }

  private static String usage(Kind kind, ObjectNode object) {
    return ObjectUsage.of(kind, object).entrySet().stream()
        .map(amount -> amount.getKey() + "=" + amount.getValue().canonical())
        .collect(Collectors.joining(" "));
  }
}
