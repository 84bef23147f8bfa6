package dev.stint.model.pod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

class PodStatusDefaultsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'podIP': '1.2.3.4'} | {'podIP': '1.2.3.4', 'podIPs': [{'ip': '1.2.3.4'}]}",
        "{'podIPs': [{'ip': '1.2.3.4'}]} | {'podIP': '1.2.3.4', 'podIPs': [{'ip': '1.2.3.4'}]}",
        "{'podIP': '::1', 'podIPs': [{'ip': '1.2.3.4'}, {'ip': '::1'}]} |"
            + " {'podIP': '::1', 'podIPs': [{'ip': '::1'}]}",
        "{'podIP': '1.2.3.4', 'podIPs': [{'ip': '1.2.3.4'}, {'ip': '::1'}]} |"
            + " {'podIP': '1.2.3.4', 'podIPs': [{'ip': '1.2.3.4'}, {'ip': '::1'}]}",
        "{} | {}"
      })
  void theAddressIsTheFirstOfAll(String written, String stored) {
    ObjectNode status = tree(written);
    PodStatusDefaults.apply(null, status);
    assertThat(status).isEqualTo(tree(stored));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | {'qosClass': 'Burstable', 'observedGeneration': 2}",
        "{'observedGeneration': 0} | {'qosClass': 'Burstable', 'observedGeneration': 2}",
        "{'qosClass': 'x', 'observedGeneration': 3} | {'qosClass': 'x', 'observedGeneration': 3}"
      })
  void whatAWriterLeavesOutStays(String written, String stored) {
    ObjectNode status = tree(written);
    PodStatusDefaults.apply(tree("{'qosClass': 'Burstable', 'observedGeneration': 2}"), status);
    assertThat(status).isEqualTo(tree(stored));
  }

  private static ObjectNode tree(String json) {
    return Json.parse(json.replace('\'', '"'));
  }
}
