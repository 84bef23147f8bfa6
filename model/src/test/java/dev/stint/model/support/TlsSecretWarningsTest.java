package dev.stint.model.support;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import dev.stint.model.field.FieldPath;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

class TlsSecretWarningsTest {
  @ParameterizedTest
  @ValueSource(strings = {"A", "=", "AA=A", "A===", "QUJD=", "!"})
  void whatIsNoBase64IsNoFaultOfAWarning(String data) {
    ObjectNode secret = Json.object().put("type", "kubernetes.io/tls");
    secret.putObject("data").put("tls.crt", data).put("tls.key", "QUJD");
    assertThat(TlsSecretWarnings.of(FieldPath.root(secret))).hasSizeLessThan(2);
  }
}
