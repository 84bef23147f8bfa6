package dev.stint.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ResourceVersionsTest {
  @Test
  void versionsAreOrderedAsNumbers() {
    List<String> inOrder = List.of("9", "10", "99", "100", "18446744073709551616");
    assertThat(
            Stream.of("100", "18446744073709551616", "9", "99", "10")
                .sorted(ResourceVersions::compare))
        .containsExactlyElementsOf(inOrder);
  }

  @Test
  void theSameVersionIsNotNewer() {
    assertThat(ResourceVersions.isNewer("10", "10")).isFalse();
    assertThat(ResourceVersions.isNewer("10", "9")).isTrue();
    assertThat(ResourceVersions.isNewer("9", "10")).isFalse();
  }
}
