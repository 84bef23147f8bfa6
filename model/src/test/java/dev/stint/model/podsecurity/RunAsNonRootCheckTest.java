package dev.stint.model.podsecurity;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Containers that may run as root. */
class RunAsNonRootCheckTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "| {'containers':[{'name':'a'}],'securityContext':{'runAsNonRoot':true}} |",
        "| {'containers':[{'name':'a','securityContext':{'runAsNonRoot':true}},{'name':'b','securityContext':{'runAsNonRoot':true}}]} |",
        "| {'containers':[{'name':'a'}]} | runAsNonRoot != true (pod or container \"a\" must set securityContext.runAsNonRoot=true)",
        "| {'containers':[{'name':'a'},{'name':'b','securityContext':{'runAsNonRoot':true}},{'name':'c','securityContext':{}}]} | runAsNonRoot != true (pod or containers \"a\", \"c\" must set securityContext.runAsNonRoot=true)",
        "| {'containers':[{'name':'a','securityContext':{'runAsNonRoot':true}}],'securityContext':{'runAsNonRoot':false}} | runAsNonRoot != true (pod must not set securityContext.runAsNonRoot=false)",
        "| {'containers':[{'name':'a','securityContext':{'runAsNonRoot':false}},{'name':'b','securityContext':{'runAsNonRoot':false}}],'securityContext':{'runAsNonRoot':true}} | runAsNonRoot != true (containers \"a\", \"b\" must not set securityContext.runAsNonRoot=false)",
        "v1.0 | {'containers':[{'name':'a','securityContext':{'runAsNonRoot':false}}],'securityContext':{'runAsNonRoot':false}} | runAsNonRoot != true (pod and container \"a\" must not set securityContext.runAsNonRoot=false)",
        "v1.34 | {'containers':[{'name':'a'}],'securityContext':{'runAsNonRoot':false},'hostUsers':false} | runAsNonRoot != true (pod must not set securityContext.runAsNonRoot=false)",
        "v1.35 | {'containers':[{'name':'a'}],'securityContext':{'runAsNonRoot':false},'hostUsers':false} |",
      })
  void check(@Nullable String version, String spec, @Nullable String expected) {
    assertThat(PodTexts.violations(RunAsNonRootCheck.CHECK, version, PodTexts.pod(spec)))
        .isEqualTo(expected == null ? "" : expected);
  }
}
