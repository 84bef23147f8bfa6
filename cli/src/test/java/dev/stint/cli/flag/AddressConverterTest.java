package dev.stint.cli.flag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddressConverterTest {
  @Test
  void readsHostAndPort() {
    assertThat(AddressConverter.parse("127.0.0.1:8080").getPort()).isEqualTo(8080);
    assertThat(AddressConverter.parse("[::1]:0").getAddress().isLoopbackAddress()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "8080", ":8080", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "::1:1"})
  void refusesInvalidAddresses(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> AddressConverter.parse(text))
        .withMessageContaining("127.0.0.1:8080");
  }
}
