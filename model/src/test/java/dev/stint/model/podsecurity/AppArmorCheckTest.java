package dev.stint.model.podsecurity;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Profiles of AppArmor, in fields and annotations. */
class AppArmorCheckTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "| {} | {'containers':[{'name':'a'}]} |",
        "| {} | {'containers':[{'name':'a','securityContext':{'appArmorProfile':{'type':'Localhost','localhostProfile':'x'}}}],'securityContext':{'appArmorProfile':{'type':'RuntimeDefault'}}} |",
        "| {} | {'containers':[{'name':'a'}],'securityContext':{'appArmorProfile':{'type':'Unconfined'}}} | forbidden AppArmor profile (pod must not set AppArmor profile type to \"Unconfined\")",
        "| {} | {'containers':[{'name':'a','securityContext':{'appArmorProfile':{'type':'Unconfined'}}},{'name':'b','securityContext':{'appArmorProfile':{'type':'Unconfined'}}}]} | forbidden AppArmor profile (containers \"a\", \"b\" must not set AppArmor profile type to \"Unconfined\")",
        "| {} | {'containers':[{'name':'a','securityContext':{'appArmorProfile':{'type':'Foo'}}}],'securityContext':{'appArmorProfile':{'type':'Unconfined'}}} | forbidden AppArmor profiles (pod and container \"a\" must not set AppArmor profile type to \"Foo\", \"Unconfined\")",
        "| {'container.apparmor.security.beta.kubernetes.io/a':'runtime/default','container.apparmor.security.beta.kubernetes.io/b':'localhost/x','container.apparmor.security.beta.kubernetes.io/c':''} | {} |",
        "| {'container.apparmor.security.beta.kubernetes.io/a':'unconfined'} | {} | forbidden AppArmor profile (annotation must not set AppArmor profile type to \"container.apparmor.security.beta.kubernetes.io/a=\"unconfined\"\")",
        "| {'container.apparmor.security.beta.kubernetes.io/b':'unconfined','container.apparmor.security.beta.kubernetes.io/a':'other'} | {'containers':[],'securityContext':{'appArmorProfile':{'type':'Unconfined'}}} | forbidden AppArmor profiles (pod and annotations must not set AppArmor profile type to \"Unconfined\", \"container.apparmor.security.beta.kubernetes.io/a=\"other\"\", \"container.apparmor.security.beta.kubernetes.io/b=\"unconfined\"\")",
      })
  void check(@Nullable String version, String annotations, String spec, @Nullable String expected) {
    assertThat(PodTexts.violations(AppArmorCheck.CHECK, version, PodTexts.pod(annotations, spec)))
        .isEqualTo(expected == null ? "" : expected);
  }
}
