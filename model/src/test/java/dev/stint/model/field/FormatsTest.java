package dev.stint.model.field;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FormatsTest {
  private static final String LONG = "a".repeat(63);

  @ParameterizedTest
  @ValueSource(strings = {"a", "a-b", "0", "a0-9"})
  void labels(String text) {
    assertThat(Formats.dnsLabel(text)).isNull();
    assertThat(Formats.dnsLabel(LONG)).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "A", "a.b", "-a", "a-", "a_b", "é"})
  void notLabels(String text) {
    assertThat(Formats.dnsLabel(text)).contains("a lowercase RFC 1123 label must consist of");
    assertThat(Formats.dnsLabel(LONG + "a")).endsWith(": must be no more than 63 characters");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "a.b", "x-1.y", "1.2.3"})
  void subdomains(String text) {
    assertThat(Formats.dnsSubdomain(text)).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".a", "a.", "a..b", "a.-b", "A.b"})
  void notSubdomains(String text) {
    assertThat(Formats.dnsSubdomain(text)).isNotNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "A_b.c-d", "x.io/Y", "a-b.c/d"})
  void qualifiedNames(String text) {
    assertThat(Formats.qualifiedName(text)).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "bad key", "x/y/z", "/a", "a/", "X.io/a", "-a", "a-"})
  void notQualifiedNames(String text) {
    assertThat(Formats.qualifiedName(text)).isNotNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a", "A_b.c-d"})
  void labelValues(String text) {
    assertThat(Formats.labelValue(text)).isNull();
    assertThat(Formats.labelValue(LONG + "a")).isNotNull();
    assertThat(Formats.labelValue("bad value!")).isNotNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1",
        "0.0.0.0",
        "::",
        "::1",
        "fd00::1",
        "1:2:3:4:5:6:7:8",
        "::ffff:1.2.3.4"
      })
  void addresses(String text) {
    assertThat(Formats.ipAddress(text)).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "nope",
        "1.2.3",
        "1.2.3.256",
        "01.2.3.4",
        "1:2:3",
        "::1::",
        "12345::",
        "1:2:3:4:5:6:7:8:9"
      })
  void notAddresses(String text) {
    assertThat(Formats.ipAddress(text)).isNotNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"http", "a-1", "8080a"})
  void portNames(String text) {
    assertThat(Formats.portName(text)).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "8080", "Bad_Name", "-a", "a-", "a--b", "aaaaaaaaaaaaaaaa"})
  void notPortNames(String text) {
    assertThat(Formats.portName(text)).isNotNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"A", "1A", "a.b", "with space"})
  void variables(String text) {
    assertThat(Formats.environmentName(text)).isNull();
    assertThat(Formats.environmentName("A=B")).isNotNull();
    assertThat(Formats.environmentName("")).isNotNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "A.b_c-d", ".a"})
  void keys(String text) {
    assertThat(Formats.configKey(text)).isNull();
    assertThat(Formats.configKey("..a")).isNotNull();
    assertThat(Formats.configKey("a/b")).isNotNull();
  }
}
