package dev.stint.model.podsecurity;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Options of SELinux. */
class SeLinuxOptionsCheckTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "| {'containers':[{'name':'a','securityContext':{'seLinuxOptions':{'type':'container_t'}}},{'name':'b','securityContext':{'seLinuxOptions':{'type':'container_kvm_t'}}},{'name':'c','securityContext':{'seLinuxOptions':{'type':'container_init_t','user':'','role':''}}}],'securityContext':{'seLinuxOptions':{'level':'s0'}}} |",
        "| {'containers':[{'name':'a'}],'securityContext':{'seLinuxOptions':{'type':'spc_t'}}} | seLinuxOptions (pod set forbidden securityContext.seLinuxOptions: type \"spc_t\")",
        "| {'containers':[{'name':'a'}],'securityContext':{'seLinuxOptions':{'user':'u','role':'r'}}} | seLinuxOptions (pod set forbidden securityContext.seLinuxOptions: user may not be set; role may not be set)",
        "| {'containers':[{'name':'d','securityContext':{'seLinuxOptions':{'type':'bar'}}},{'name':'e','securityContext':{'seLinuxOptions':{'user':'u'}}},{'name':'f','securityContext':{'seLinuxOptions':{'role':'r'}}}],'securityContext':{'seLinuxOptions':{'type':'foo'}}} | seLinuxOptions (pod and containers \"d\", \"e\", \"f\" set forbidden securityContext.seLinuxOptions: types \"bar\", \"foo\"; user may not be set; role may not be set)",
        "v1.31 | {'containers':[],'securityContext':{'seLinuxOptions':{'type':'container_engine_t'}}} |",
        "v1.30 | {'containers':[],'securityContext':{'seLinuxOptions':{'type':'container_engine_t'}}} | seLinuxOptions (pod set forbidden securityContext.seLinuxOptions: type \"container_engine_t\")",
      })
  void check(@Nullable String version, String spec, @Nullable String expected) {
    assertThat(PodTexts.violations(SeLinuxOptionsCheck.CHECK, version, PodTexts.pod(spec)))
        .isEqualTo(expected == null ? "" : expected);
  }
}
