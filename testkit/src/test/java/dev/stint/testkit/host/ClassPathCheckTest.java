package dev.stint.testkit.host;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;

class ClassPathCheckTest {
  @Test
  void whatTheTestKitNeedsIsThere() {
    assertThatCode(() -> ClassPathCheck.run(ClassPathCheck.class.getClassLoader()))
        .doesNotThrowAnyException();
  }

  @Test
  void anOldJacksonIsNamed() {
    assertThatIllegalStateException()
        .isThrownBy(() -> ClassPathCheck.run(ClassLoader.getPlatformClassLoader()))
        .withMessageContaining("jackson-annotations 2.21 or later, found none; set its version");
  }
}
