package dev.stint.model.podsecurity;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Changes of pods that matter to pod security. */
class PodChangeSignificanceTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{} | {'containers':[{'name':'a','image':'x'}]} | false",
        "{'note':'x'} | {'containers':[{'name':'a','image':'x'}]} | false",
        "{} | {'containers':[{'name':'a','image':'x'}],'activeDeadlineSeconds':1} | false",
        "{} | {'containers':[{'name':'a','image':'x'}],'tolerations':[{'key':'a'}]} | false",
        "{} | {'containers':[{'name':'a','image':'y'}]} | true",
        "{'container.apparmor.security.beta.kubernetes.io/a':'x'}"
            + " | {'containers':[{'name':'a','image':'x'}]} | true",
      })
  void changes(String annotations, String spec, boolean significant) {
    CheckedPod before = PodTexts.pod("{'containers':[{'name':'a','image':'x'}]}");
    assertThat(PodChangeSignificance.isSignificant(before, PodTexts.pod(annotations, spec)))
        .isEqualTo(significant);
  }
}
