package dev.stint.model.support;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.field.FieldPath;
import java.util.List;
import org.junit.jupiter.api.Test;

class SupportWarningsTest {
  private static List<String> warnings(Kind kind, String json) {
    return SupportWarnings.of(kind, FieldPath.root(Json.parse(json.replace('\'', '"'))));
  }

  @Test
  void aDeprecatedAnnotationOfAnAccountIsNamedWhereItMeansSomething() {
    String account =
        "{'metadata': {'annotations': {'kubernetes.io/enforce-mountable-secrets': '%s'}}}";
    assertThat(warnings(Kind.SERVICE_ACCOUNT, account.formatted("true")))
        .containsExactly(
            "metadata.annotations[kubernetes.io/enforce-mountable-secrets]: deprecated in v1.32+;"
                + " prefer separate namespaces to isolate access to mounted secrets");
    assertThat(warnings(Kind.SERVICE_ACCOUNT, account.formatted("false"))).isEmpty();
  }

  @Test
  void fieldsOfNodesThatMeanNothingAreNamed() {
    assertThat(warnings(Kind.NODE, "{'spec': {'configSource': {}, 'externalID': 'x'}}"))
        .containsExactly(
            "spec.configSource: the feature is removed",
            "spec.externalID: this field is deprecated, and is unused by Kubernetes");
    assertThat(warnings(Kind.NODE, "{'spec': {}}")).isEmpty();
  }

  @Test
  void secretsOfOtherTypesAndOtherKindsHaveNone() {
    assertThat(warnings(Kind.SECRET, "{'type': 'Opaque', 'data': {'tls.crt': 'eA=='}}")).isEmpty();
    assertThat(warnings(Kind.CONFIG_MAP, "{'data': {'tls.crt': 'eA=='}}")).isEmpty();
    assertThat(warnings(Kind.SECRET, "{'type': 'kubernetes.io/tls', 'data': {'tls.crt': 'eA=='}}"))
        .containsExactly("tls: failed to find any PEM data in certificate input");
  }
}
