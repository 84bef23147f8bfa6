package dev.stint.model.podsecurity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The server's configuration of pod security. */
class PodSecurityConfigurationTest {
  @Test
  void defaultsAndExemptionsAreRead() {
    FieldErrors faults = new FieldErrors();
    PodSecuritySettings settings =
        PodSecurityConfiguration.read(
            root(
                "{'apiVersion':'pod-security.admission.config.k8s.io/v1',"
                    + "'kind':'PodSecurityConfiguration',"
                    + "'defaults':{'enforce':'baseline','enforce-version':'v1.30','warn':'restricted'},"
                    + "'exemptions':{'usernames':['jane'],'runtimeClasses':['vm'],"
                    + "'namespaces':['kube-system']}}"),
            faults);
    assertThat(faults.list()).isEmpty();
    assertThat(settings.defaults().enforce()).hasToString("baseline:v1.30");
    assertThat(settings.defaults().audit()).isEqualTo(LevelVersion.PRIVILEGED);
    assertThat(settings.defaults().warn()).hasToString("restricted:latest");
    assertThat(settings.exemptUsers()).containsExactly("jane");
    assertThat(settings.exemptRuntimeClasses()).containsExactly("vm");
    assertThat(settings.exemptNamespaces()).containsExactly("kube-system");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{} |",
        "{'kind':'Pod'} | kind",
        "{'apiVersion':'v1'} | apiVersion",
        "{'default':{}} | default",
        "{'defaults':{'enforce':'x'}} | defaults[enforce]",
        "{'defaults':{'warn-version':'1.2'}} | defaults[warn-version]",
        "{'defaults':{'deny':'baseline'}} | defaults[deny]",
        "{'exemptions':{'users':[]}} | exemptions.users",
        "{'exemptions':{'namespaces':'x'}} | exemptions.namespaces",
        "{'exemptions':{'namespaces':['']}} | exemptions.namespaces[0]",
      })
  void faults(String configuration, @Nullable String expected) {
    FieldErrors faults = new FieldErrors();
    PodSecurityConfiguration.read(root(configuration), faults);
    assertThat(faults.list().stream().map(fault -> fault.path()).collect(Collectors.joining(" ")))
        .isEqualTo(expected == null ? "" : expected);
  }

  private static FieldPath root(String text) {
    return FieldPath.root(Json.parse(text.replace('\'', '"')));
  }
}
